import Positioning

/// A moment in a body: nanoseconds since the boot of the row's clock, as the kernel's clock counts them.
struct MomentForm: Codable {
  private let nanoseconds: Int64

  init(_ instant: Instant) { self.nanoseconds = instant.sinceBoot.wholeNanoseconds }

  init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  init(from decoder: any Decoder) throws { self.nanoseconds = try decoder.singleValueContainer().decode(Int64.self) }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(self.nanoseconds)
  }

  var sinceBoot: Duration { .nanoseconds(self.nanoseconds) }
}

/// A length of time in a body, exactly as it was asked for: seconds and attoseconds.
struct DurationForm: Codable {
  let value: Duration

  /// Seconds.
  private static let longest: UInt64 = 10_000_000_000

  init(_ value: Duration) { self.value = value }

  init(from decoder: any Decoder) throws {
    var container = try decoder.unkeyedContainer()
    let seconds = try container.decode(Int64.self)
    // No client can ask for longer, and a moment plus this can still be reckoned with.
    guard seconds.magnitude <= Self.longest else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "a time that is too long")
    }
    self.value = Duration(secondsComponent: seconds, attosecondsComponent: try container.decode(Int64.self))
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.unkeyedContainer()
    let (seconds, attoseconds) = self.value.components
    try container.encode(seconds)
    try container.encode(attoseconds)
  }
}

extension Duration {
  /// Rounded down; the nearest that there is where it is out of range, which is some 290 years.
  var wholeNanoseconds: Int64 {
    let (seconds, attoseconds) = self.components
    let (scaled, isTooLarge) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, isOver) = scaled.addingReportingOverflow(attoseconds / 1_000_000_000)
    return isTooLarge || isOver ? (seconds < 0 ? .min : .max) : sum
  }
}
