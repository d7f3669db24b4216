/// Where the device pointed at one moment. Without a sensor it is the course, the direction in which the device moves.
///
/// Directions are in degrees, clockwise from north, in 0..<360: 0 is north. An unknown value is `nil`; at least one of
/// the two headings is known.
public struct Heading: Hashable, Sendable {
  /// Where the heading comes from.
  public enum Source: String, Hashable, Sendable, CaseIterable {
    /// A compass or another attitude sensor, which also works at rest.
    case sensor
    /// The course of the moving device; a boat may point elsewhere.
    case course
  }

  /// From true north.
  public var trueHeading: Double?
  /// From magnetic north.
  public var magneticHeading: Double?
  /// The error with a probability of 68 %, in degrees. Sensors do not report it.
  public var accuracy: Double?
  public var source: Source
  /// The receiver's own time, UTC, if it reported one. Data, never a measure of freshness.
  public var time: Timestamp?
  /// When the report arrived; the base of every age.
  public var arrival: Instant

  public init(
    trueHeading: Double? = nil, magneticHeading: Double? = nil, accuracy: Double? = nil, source: Source,
    time: Timestamp? = nil, arrival: Instant
  ) {
    self.trueHeading = trueHeading
    self.magneticHeading = magneticHeading
    self.accuracy = accuracy
    self.source = source
    self.time = time
    self.arrival = arrival
  }

  /// How long ago the report arrived.
  public func age(at now: Instant) -> Duration {
    now - self.arrival
  }
}
