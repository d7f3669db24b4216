import Positioning

@testable import Broker

/// A stretch of one axis, in metres.
struct Stretch: Hashable {
  var low: Double
  var high: Double

  var length: Double { self.high - self.low }
  var middle: Double { (self.low + self.high) / 2 }

  func common(with other: Stretch) -> Stretch? {
    let (low, high) = (max(self.low, other.low), min(self.high, other.high))
    return high > low ? Stretch(low: low, high: high) : nil
  }
}

/// The best estimate along one axis for a resting device, by an attacker who knows how fixes are fuzzed and sees every
/// one.
///
/// The offset is followed by many guesses that drift like the true one (a particle filter). For each guess the possible
/// places of the device are known exactly: those that would have been published in the observed cells. So no grid of
/// positions is needed, and a few hundred guesses are enough. A device that rests at two places in turn has two such
/// stretches.
struct OffsetFilter {
  private struct Guess {
    var offset: Double
    var stretches: (Stretch, Stretch)
  }

  private static let count = 300
  private static let anywhere = Stretch(low: -1e6, high: 1e6)

  private var random: SeededRandom
  private var guesses: [Guess]
  /// How often no guess agreed with an observation.
  private(set) var surprises = 0

  init(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    self.guesses = (0..<Self.count).map { _ in
      Guess(offset: LocationFuzzer.sigma * random.gaussians().0, stretches: (Self.anywhere, Self.anywhere))
    }
    self.random = random
  }

  mutating func drift(hours: Double) {
    var kept = 1.0
    for _ in 0..<Int(hours) { kept *= 1 - LocationFuzzer.renewal * LocationFuzzer.renewal }
    let (old, new) = (kept.squareRoot(), (1 - kept).squareRoot() * LocationFuzzer.sigma)
    for index in stride(from: 0, to: self.guesses.count - 1, by: 2) {
      let (one, other) = self.random.gaussians()
      self.guesses[index].offset = old * self.guesses[index].offset + new * one
      self.guesses[index + 1].offset = old * self.guesses[index + 1].offset + new * other
    }
  }

  /// Takes the observation that the device, moved by the offset, is within that stretch.
  ///
  /// - Parameter second: Whether it is at the second of its two places.
  mutating func see(_ seen: Stretch, second: Bool = false) {
    var weights: [Double] = []
    var agreeing: [Guess] = []
    for guess in self.guesses {
      let before = second ? guess.stretches.1 : guess.stretches.0
      let possible = Stretch(low: seen.low - guess.offset, high: seen.high - guess.offset)
      guard let after = before.common(with: possible) else { continue }
      var guess = guess
      if second { guess.stretches.1 = after } else { guess.stretches.0 = after }
      agreeing.append(guess)
      weights.append(after.length / before.length)
    }
    guard !agreeing.isEmpty else {
      self.surprises += 1
      return
    }
    self.guesses = self.drawn(agreeing, weights)
  }

  /// As many guesses as before, each drawn by its weight.
  private mutating func drawn(_ guesses: [Guess], _ weights: [Double]) -> [Guess] {
    let step = weights.reduce(0, +) / Double(Self.count)
    var level = Double.random(in: 0..<1, using: &self.random) * step
    var drawn: [Guess] = []
    for (guess, weight) in zip(guesses, weights) {
      while level < weight, drawn.count < Self.count {
        drawn.append(guess)
        level += step
      }
      level -= weight
    }
    while drawn.count < Self.count { drawn.append(guesses[guesses.count - 1]) }
    return drawn
  }

  /// The estimated place of the device, at the first of its places.
  var estimate: Double {
    self.guesses.reduce(0) { $0 + $1.stretches.0.middle } / Double(self.guesses.count)
  }
}
