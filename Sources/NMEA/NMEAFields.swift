package import Positioning

/// The parts of sentences that several sentences share.
extension NMEASentence {
  /// Knots in a metre per second.
  package static let knots = 3600.0 / 1852.0

  /// Latitude, hemisphere, longitude, hemisphere.
  ///
  /// - Parameter decimals: Digits after the point of the minutes: 5 are 2 cm.
  package static func coordinates(_ place: Coordinate, decimals: Int) -> [String] {
    [
      FixedPoint.degreesAndMinutes(place.latitude, degreeDigits: 2, decimals: decimals),
      place.latitude < 0 ? "S" : "N",
      FixedPoint.degreesAndMinutes(place.longitude, degreeDigits: 3, decimals: decimals),
      place.longitude < 0 ? "W" : "E",
    ]
  }

  /// `hhmmss.sss`, UTC.
  package static func timeOfDay(_ time: Timestamp) -> String {
    let calendar = time.calendar
    return FixedPoint.padded(calendar.hour, width: 2) + FixedPoint.padded(calendar.minute, width: 2)
      + FixedPoint.padded(calendar.second, width: 2) + "." + FixedPoint.padded(calendar.millisecond, width: 3)
  }

  /// `ddmmyy`, UTC.
  package static func date(_ time: Timestamp) -> String {
    let calendar = time.calendar
    return FixedPoint.padded(calendar.day, width: 2) + FixedPoint.padded(calendar.month, width: 2)
      + FixedPoint.padded(calendar.year % 100, width: 2)
  }
}
