import Positioning

extension SeededRandom {
  /// True once in so many times.
  mutating func oneIn(_ times: Int) -> Bool { Int.random(in: 0..<times, using: &self) == 0 }

  mutating func seconds(_ range: ClosedRange<Double>) -> Duration {
    .milliseconds(Int(Double.random(in: range, using: &self) * 1000))
  }
}
