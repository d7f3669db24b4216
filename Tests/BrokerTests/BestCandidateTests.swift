import Positioning
import Testing

@testable import Broker

/// The best fix at the timeout: the smallest accuracy after growth by speed and age, within the allowed age.
@Suite struct BestCandidateTests {
  private func fix(_ seconds: Double, _ accuracy: Double?, speed: Double? = nil) -> Fix {
    Fix(latitude: 50, longitude: 8, horizontalAccuracy: accuracy, speed: speed, arrival: at(seconds), device: "a")
  }

  private func candidates(_ fixes: [Fix], acceptable: Double = 10, age: Double = 20_000) -> Candidates {
    var candidates = Candidates(
      acceptableMeters: acceptable, maximumAge: .seconds(age), speedBound: Activity.other.speedBound,
      began: at(1_000_000))
    for fix in fixes { candidates.add(fix) }
    return candidates
  }

  @Test("A fresh fix of 4 m beats one of 2 m that is three hours old")
  func freshBeatsAccurate() {
    let best = self.candidates([self.fix(0, 2), self.fix(10_800, 4)]).best(now: at(10_801))
    #expect(best?.horizontalAccuracy == 4)
  }

  @Test("A somewhat older fix that is much more accurate is preferred")
  func accurateBeatsFresh() {
    let best = self.candidates([self.fix(1, 20), self.fix(2, 500)]).best(now: at(2))
    #expect(best?.horizontalAccuracy == 20)
  }

  @Test("Of two equally good fixes the newer is chosen")
  func tie() {
    let best = self.candidates([self.fix(1, 20), self.fix(2, 90)]).best(now: at(2))
    #expect(best?.arrival == at(2))
  }

  @Test("A fix without accuracy is chosen only if there is no other")
  func unknown() {
    #expect(self.candidates([self.fix(1, nil)]).best(now: at(2))?.arrival == at(1))
    #expect(self.candidates([self.fix(1, 300), self.fix(2, nil)]).best(now: at(2))?.arrival == at(1))
    #expect(self.candidates([self.fix(1, nil)], acceptable: .infinity).bestAcceptable(now: at(2)) == nil)
  }

  @Test("The best acceptable fix is chosen among the acceptable ones, and age counts for all")
  func acceptable() {
    let candidates = self.candidates([self.fix(1, 9), self.fix(2, 12)], acceptable: 10, age: 30)
    #expect(candidates.bestAcceptable(now: at(2))?.arrival == at(1))
    #expect(candidates.best(now: at(2))?.arrival == at(2))
    #expect(candidates.bestAcceptable(now: at(31.5)) == nil)
    #expect(candidates.best(now: at(31.5))?.arrival == at(2))
    #expect(candidates.best(now: at(32.5)) == nil)
  }

  @Test("A better report of one epoch replaces it")
  func improved() {
    let candidates = self.candidates([self.fix(1, 90), self.fix(1, 9)])
    #expect(candidates.best(now: at(1))?.horizontalAccuracy == 9)
    #expect(candidates.bestAcceptable(now: at(1))?.horizontalAccuracy == 9)
  }

  @Test("A candidate is dropped only if it could never have been the best", arguments: 1...200 as ClosedRange<UInt64>)
  func againstNaive(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    var fixes: [Fix] = []
    var seconds = 0.0
    for _ in 0..<Int.random(in: 1...30, using: &random) {
      seconds += Double.random(in: 0.04...5, using: &random)
      let accuracy = random.oneIn(6) ? nil : Double.random(in: 1...600, using: &random)
      let speed = random.oneIn(3) ? nil : Double.random(in: 0...300, using: &random)
      fixes.append(self.fix(seconds, accuracy, speed: speed))
    }
    let candidates = self.candidates(fixes, acceptable: 50, age: 40)
    for _ in 0..<10 {
      let now = at(seconds + Double.random(in: 0...40, using: &random))
      #expect(candidates.best(now: now) == self.naiveBest(fixes, now: now), "seed \(seed)")
      let acceptable = fixes.filter { ($0.horizontalAccuracy ?? .infinity) <= 50 }
      #expect(candidates.bestAcceptable(now: now) == self.naiveBest(acceptable, now: now), "seed \(seed)")
    }
  }

  /// By the definition, over all fixes.
  private func naiveBest(_ fixes: [Fix], now: Instant) -> Fix? {
    var best: (fix: Fix, grown: Double)?
    for fix in fixes where fix.age(at: now) <= .seconds(40) {
      let speed = max(fix.speed ?? 0, Activity.other.speedBound)
      let grown = fix.horizontalAccuracy.map { $0 + speed * fix.age(at: now).seconds } ?? .infinity
      if best.map({ grown <= $0.grown }) ?? true { best = (fix, grown) }
    }
    return best?.fix
  }

  @Test("A receiver that gets worse with every epoch does not cause the first, best fix to be dropped")
  func bounded() {
    let fixes = (0..<200).map { self.fix(Double($0) / 25, 3 + Double($0) * 10) }
    #expect(self.candidates(fixes).best(now: at(8))?.arrival == at(0))
  }
}
