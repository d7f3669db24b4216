import ReceiverPorts

/// Removes impossible values: numbers that are not finite, a negative speed, a course out of range.
extension PositionReport {
  var sound: PositionReport {
    var sound = self
    sound.latitude = self.latitude.finite
    sound.longitude = self.longitude.finite
    sound.altitude = self.altitude.finite
    sound.ellipsoidalAltitude = self.ellipsoidalAltitude.finite
    sound.speed = self.speed.finite.flatMap { (0...Sound.fastest).contains($0) ? $0 : nil }
    sound.track = self.track.finite.flatMap { (0...360).contains($0) ? $0 : nil }
    sound.eph = self.eph.soundError
    sound.epx = self.epx.soundError
    sound.epy = self.epy.soundError
    sound.epv = self.epv.soundError
    sound.eps = self.eps.finite
    sound.epd = self.epd.finite
    sound.declination = self.declination.finite
    return sound
  }
}

extension PositionReport {
  /// Whether the report has a position.
  var hasPosition: Bool {
    guard self.mode != .noFix, self.mode != .unknown, let latitude, let longitude else { return false }
    return (-90...90).contains(latitude) && (-180...180).contains(longitude)
  }
}

extension ErrorEstimateReport {
  var sound: ErrorEstimateReport {
    var sound = self
    sound.latitude = self.latitude.soundError
    sound.longitude = self.longitude.soundError
    sound.altitude = self.altitude.soundError
    return sound
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
