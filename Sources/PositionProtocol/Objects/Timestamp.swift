public import FoundationEssentials
public import JSONRPC
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

extension Timestamp {
  /// 1970, where none was read yet.
  static let epoch = Timestamp(Date(timeIntervalSince1970: 0))
}

extension Timestamp: WireValue {
  public static let codec: Codec<Timestamp> = Codec(
    .time, write: { $1.string($0.description) },
    read: { (view: JSONView, _: ReadingContext) throws(CodingFailure) -> Timestamp in
      guard let text = view.string, let time = Timestamp(text) else {
        throw .found("\(view)", expected: Schema.time.expectation)
      }
      return time
    })

  /// Reads ISO 8601, UTC; `nil` where the text is none.
  package init?(_ text: String) {
    do {
      self.init(try Date(text, strategy: text.contains(".") ? Timestamp.style : Timestamp.styleOfWholeSeconds))
    } catch {
      return nil
    }
  }
}
