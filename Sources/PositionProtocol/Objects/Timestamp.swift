public import FoundationEssentials
public import Positioning

/// A time as the wire has it: ISO 8601, UTC, milliseconds.
public struct Timestamp: Hashable, Sendable {
  /// A whole number of milliseconds.
  public let date: Date

  /// - Parameter date: Is rounded to the nearest millisecond.
  public init(_ date: Date) {
    self.date = Date(timeIntervalSince1970: (date.timeIntervalSince1970 * 1000).rounded() / 1000)
  }

  /// The wall clock's time of a moment, by what the wall clock shows now.
  public init(of instant: Instant, now: Instant, date: Date) {
    self.init(date.addingTimeInterval(-(now - instant).seconds))
  }

  private static let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
  private static let styleOfWholeSeconds = Date.ISO8601FormatStyle()
}

extension Timestamp: CustomStringConvertible {
  public var description: String {
    // The style cuts where it should round, and a binary fraction may lie a little below its millisecond.
    self.date.addingTimeInterval(0.0005).formatted(Timestamp.style)
  }
}

extension Timestamp: Codable {
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    do {
      self.init(try Date(text, strategy: text.contains(".") ? Timestamp.style : Timestamp.styleOfWholeSeconds))
    } catch {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "expected a time such as 2026-01-31T12:00:00.000Z")
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(self.description)
  }
}
