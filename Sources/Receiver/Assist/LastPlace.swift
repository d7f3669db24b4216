import Positioning

/// Where the receiver was, and how far it may be from there later.
struct LastPlace: Hashable, Sendable {
  var coordinate: Coordinate
  /// Metres above the ellipsoid, or above the sea where that is all that is known.
  var altitude: Double
  /// Metres, as the receiver reported them.
  var accuracy: Double
  /// By the receiver.
  var time: Timestamp

  /// A car's speed, in metres per second, at which the error grows until it is ``journey``.
  static let speed = 30.0
  /// Metres. Most of what moves faster or for longer comes back.
  static let journey = 100_000.0
  /// Metres for each further day.
  static let drift = 100_000.0

  /// How far it may be from there, in metres, one standard deviation.
  ///
  /// - Parameter age: How long ago it was there.
  func error(after age: Duration) -> Double {
    let seconds = max(age, .zero).seconds
    return self.accuracy + min(seconds * Self.speed, Self.journey) + seconds / 86_400 * Self.drift
  }
}
