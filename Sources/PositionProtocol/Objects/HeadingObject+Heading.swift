public import Positioning

extension HeadingObject {
  /// The heading as it is told at `now`.
  public init(_ heading: Heading, now: Instant) {
    self.init(
      trueHeading: heading.trueHeading?.toDirection, magneticHeading: heading.magneticHeading?.toDirection,
      accuracy: heading.accuracy?.toThousandths, source: heading.source, time: heading.time,
      arrival: heading.arrival.wireSeconds, age: max(.zero, heading.age(at: now)).wireSeconds)
  }

  /// The heading, exact to what the wire rounds.
  public var heading: Heading {
    Heading(
      trueHeading: self.trueHeading, magneticHeading: self.magneticHeading, accuracy: self.accuracy,
      source: self.source, time: self.time, arrival: Instant(sinceBoot: .bounded(seconds: self.arrival)))
  }
}

extension Double {
  /// Thousandths of a degree; what rounds to 360 is 0.
  fileprivate var toDirection: Double { self.toThousandths.wrappedCourse }
}
