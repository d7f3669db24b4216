import Glibc
import Positioning
import Testing

@testable import Broker

/// How early a receiver must be started follows from its starts so far.
@Suite struct TimeToFirstFixTests {
  private func learned(_ seconds: [Double], after offTime: TimeToFirstFix.OffTime = .hot) -> TimeToFirstFix {
    var learner = TimeToFirstFix()
    for duration in seconds { learner.learn(.seconds(duration), after: offTime) }
    return learner
  }

  @Test("The time off has three classes, and a receiver that never had a fix is cold")
  func classes() {
    #expect(TimeToFirstFix.OffTime(.zero) == .hot)
    #expect(TimeToFirstFix.OffTime(.seconds(7199)) == .hot)
    #expect(TimeToFirstFix.OffTime(.seconds(7200)) == .warm)
    #expect(TimeToFirstFix.OffTime(.seconds(14399)) == .warm)
    #expect(TimeToFirstFix.OffTime(.seconds(14400)) == .cold)
    #expect(TimeToFirstFix.OffTime(nil) == .cold)
  }

  @Test("Before the first start the usual times hold")
  func nothingLearned() {
    let learner = TimeToFirstFix()
    #expect(learner.lead(after: .hot) == .seconds(10))
    #expect(learner.lead(after: .warm) > learner.lead(after: .hot))
    #expect(learner.lead(after: .cold) > learner.lead(after: .warm))
    #expect(learner.mean(after: .hot) < learner.mean(after: .warm))
  }

  @Test("Equal starts: the lead is theirs once there are 200, and more before")
  func equalStarts() {
    let few = self.learned(Array(repeating: 20, count: 10))
    let many = self.learned(Array(repeating: 20, count: 300))
    #expect(many.lead(after: .hot) >= .seconds(20))
    #expect(many.lead(after: .hot) < .seconds(20 * 1.15))
    #expect(few.lead(after: .hot) > many.lead(after: .hot))
    #expect(many.mean(after: .hot) >= .seconds(20) && many.mean(after: .hot) < .seconds(20 * 1.15))
  }

  @Test("After few starts the lead is longer by what depends on luck: a satellite needs 18 s to send its orbit")
  func luck() {
    let (warm, hot) = (self.learned([28], after: .warm), self.learned([28]))
    #expect(warm.lead(after: .warm) > .seconds(45) && warm.lead(after: .warm) < .seconds(50))
    #expect(hot.lead(after: .hot) > warm.lead(after: .warm))
    #expect(self.learned([3], after: .warm).lead(after: .warm) == .seconds(45), "no less than is assumed")
  }

  @Test("One slow start in 400 is not waited for, five are")
  func rareStarts() {
    let quick = Array(repeating: 2.0, count: 400)
    #expect(self.learned(quick + [50]).lead(after: .hot) < .seconds(3))
    #expect(self.learned(quick + Array(repeating: 50, count: 5)).lead(after: .hot) >= .seconds(50))
  }

  @Test("Of a thousand starts half is forgotten")
  func halving() {
    #expect(self.learned(Array(repeating: 20, count: 999)).starts(after: .hot) == 999)
    #expect(self.learned(Array(repeating: 20, count: 1000)).starts(after: .hot) == 500)
  }

  @Test("A start of one class says nothing about another")
  func separateClasses() {
    var learner = self.learned([50, 50], after: .warm)
    learner.learn(.seconds(200), after: .cold)
    #expect(learner.lead(after: .hot) == TimeToFirstFix().lead(after: .hot))
    #expect(learner.starts(after: .hot) == 0 && learner.starts(after: .warm) == 2 && learner.starts(after: .cold) == 1)
  }

  @Test("A start that took longer than its class explains had no sky, and is not learned")
  func noSky() {
    var learner = TimeToFirstFix()
    let areLearned = [learner.learn(.seconds(61), after: .hot), learner.learn(.seconds(301), after: .cold)]
    #expect(areLearned == [false, false])
    #expect(learner == TimeToFirstFix())
    // The slowest that is learned: a cold start under a poor sky.
    let isSlowStartLearned = learner.learn(.seconds(240), after: .cold)
    #expect(isSlowStartLearned)
    #expect(learner.lead(after: .cold) >= .seconds(240))
  }

  @Test(
    "The lead keeps 99.5 % of the starts to come, whatever their distribution", arguments: 1...10 as ClosedRange<UInt64>
  )
  func keeps(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    var learner = TimeToFirstFix()
    var kept = 0
    let count = 20_000
    let spread = Double.random(in: 0.1...0.6, using: &random)
    for _ in 0..<count {
      let start = Duration.seconds(min(3 * exp(spread * random.normal()), 59))
      if start <= learner.lead(after: .hot) { kept += 1 }
      learner.learn(start, after: .hot)
    }
    #expect(Double(kept) / Double(count) >= 0.995, "seed \(seed)")
    // It is no more than that takes: the true quantile and two bins.
    let needed = 3 * exp(spread * 2.576)
    #expect(learner.lead(after: .hot).seconds < needed * 1.15 * 1.15, "seed \(seed)")
  }

  @Test("A receiver that has changed is learned anew")
  func change() {
    var learner = self.learned(Array(repeating: 30, count: 5000))
    for _ in 0..<5000 { learner.learn(.seconds(2), after: .hot) }
    #expect(learner.lead(after: .hot) < .seconds(3))
  }

  @Test("What is stored is what was learned; a stored form that cannot be right is as if nothing was")
  func stored() {
    let learner = self.learned([2, 3, 4, 5])
    var restored = TimeToFirstFix()
    restored.restore(learner.counts(after: .hot), after: .hot)
    #expect(restored == learner)
    var negative = learner.counts(after: .hot)
    negative[3] = -1
    for counts in [[1, 2], negative, Array(repeating: .max, count: TimeToFirstFix.binCount)] {
      var restored = learner
      restored.restore(counts, after: .hot)
      #expect(restored == TimeToFirstFix())
    }
  }
}
