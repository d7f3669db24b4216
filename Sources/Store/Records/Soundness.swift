import JSONRPC

// Damaged data may still have the right form. Values that computations cannot handle are treated as unreadable, like broken
// JSON, so that they are set aside and do not end the daemon.

/// A place must be on the globe.
func checkPlace(_ latitude: Double, _ longitude: Double) throws(CodingFailure) {
  guard abs(latitude) <= 90, abs(longitude) <= 180 else {
    throw CodingFailure(.described("a place that is not on the globe"))
  }
}

/// A counter must have room for further increments.
func checkCounter(_ number: Int) throws(CodingFailure) {
  guard (0...1 << 52).contains(number) else { throw CodingFailure(.described("a count that nothing reaches")) }
}

/// A number such as an accuracy must be positive.
func checkPositive(_ number: Double) throws(CodingFailure) {
  guard number > 0, number.isFinite else { throw CodingFailure(.described("a measure that is not positive")) }
}
