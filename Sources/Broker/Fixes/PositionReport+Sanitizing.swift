import ReceiverPorts

/// Removes impossible values: numbers that are not finite, a negative speed, a course out of range.
extension PositionReport {
  var sanitized: PositionReport {
    var sanitized = self
    sanitized.latitude = self.latitude.finite
    sanitized.longitude = self.longitude.finite
    sanitized.altitude = self.altitude.finite
    sanitized.ellipsoidalAltitude = self.ellipsoidalAltitude.finite
    sanitized.speed = self.speed.finite.flatMap { (0...Sound.fastest).contains($0) ? $0 : nil }
    sanitized.track = self.track.finite.flatMap { (0...360).contains($0) ? $0 : nil }
    sanitized.eph = self.eph.soundError
    sanitized.epx = self.epx.soundError
    sanitized.epy = self.epy.soundError
    sanitized.epv = self.epv.soundError
    sanitized.eps = self.eps.finite
    sanitized.epd = self.epd.finite
    sanitized.declination = self.declination.finite
    return sanitized
  }
}

extension PositionReport {
  var hasAltitude: Bool { self.altitude != nil || self.ellipsoidalAltitude != nil }

  /// Whether the report has a position.
  var hasPosition: Bool {
    guard self.mode != .noFix, self.mode != .unknown, let latitude, let longitude else { return false }
    return (-90...90).contains(latitude) && (-180...180).contains(longitude)
  }
}

extension ErrorEstimateReport {
  var sanitized: ErrorEstimateReport {
    var sanitized = self
    sanitized.latitude = self.latitude.soundError
    sanitized.longitude = self.longitude.soundError
    sanitized.altitude = self.altitude.soundError
    return sanitized
  }
}

private enum Sound {
  /// Metres per second; nothing on earth is faster.
  static let fastest = 20_000.0
  /// Metres. Receivers report millimetres; a smaller value is not an error, and computing with it would overflow.
  static let finest = 0.001
  /// Metres; farther than anything on earth.
  static let coarsest = 1_000_000_000.0
}

extension Double? {
  fileprivate var finite: Double? { self.flatMap { $0.isFinite ? $0 : nil } }

  /// An error of 0 is none: receivers report it if they have none. One larger than the earth is limited to that: the
  /// receiver does not know its error.
  fileprivate var soundError: Double? {
    self.finite.map { $0 < Sound.finest ? 0 : min($0, Sound.coarsest) }
  }
}
