import Positioning

// Damaged data may still have the right form. Values that computations cannot handle are treated as unreadable, like broken
// JSON, so that they are set aside and do not end the daemon.

extension Coordinate {
  /// A place as it was kept.
  init(kept latitude: Double, _ longitude: Double) throws(UnreadableForm) {
    guard abs(latitude) <= 90, abs(longitude) <= 180 else { throw UnreadableForm("a place that is not on the globe") }
    self.init(latitude: latitude, longitude: longitude)
  }
}

/// A number that is counted up: one that leaves room to go on.
func counter(_ number: Int) throws(UnreadableForm) -> Int {
  guard (0...1 << 52).contains(number) else { throw UnreadableForm("a count that nothing reaches") }
  return number
}

/// A number that must be positive, such as an accuracy.
func positive(_ number: Double) throws(UnreadableForm) -> Double {
  guard number > 0, number.isFinite else { throw UnreadableForm("a measure that is not positive") }
  return number
}

/// Seconds of a clock: a number of them that a time can have.
func clockTime(_ seconds: Double) throws(UnreadableForm) -> Double {
  guard abs(seconds) < 1e12 else { throw UnreadableForm("a time that no clock shows") }
  return seconds
}
