import JSONRPC
import Positioning

extension Codec where Value == Double {
  /// Any number, in full precision.
  ///
  /// JSON has no infinity and no NaN. Neither can come from a client or from gpsd; if one did, it would be written as a
  /// string, so that everything else can still be stored.
  static var number: Codec {
    let schema = JSONRPC.Schema.number(JSONRPC.Schema.NumberRange(.none))
    return Codec(
      schema,
      write: { number, writer in
        if number.isFinite { writer.number(number) } else { writer.string(number.word) }
      },
      read: { (view: JSONView, _: ReadingContext) throws(CodingFailure) -> Double in
        if let number = view.double { return number }
        switch view.string {
        case "inf": return .infinity
        case "-inf": return -.infinity
        case "nan": return .nan
        default: throw .found("\(view)", expected: schema.expectation)
        }
      })
  }
}

extension Double {
  fileprivate var word: String { self.isNaN ? "nan" : self < 0 ? "-inf" : "inf" }
}

extension Codec where Value == Int {
  /// Any integer.
  static var integer: Codec { .integer(minimum: nil) }
}

extension Codec where Value == Instant {
  /// Nanoseconds since the boot of the row's clock, as the kernel's clock counts them.
  static var moment: Codec {
    Codec<Int64>.integer(minimum: nil).map(to: { Instant(nanoseconds: $0) }, from: { $0.nanoseconds })
  }
}

extension Instant {
  init(nanoseconds: Int64) { self.init(sinceBoot: .nanoseconds(nanoseconds)) }

  /// Rounded down, and clamped to the range of some 290 years.
  var nanoseconds: Int64 { self.sinceBoot.wholeNanoseconds }
}

extension Duration {
  var wholeNanoseconds: Int64 {
    let (seconds, attoseconds) = self.components
    let (scaled, isTooLarge) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, isOver) = scaled.addingReportingOverflow(attoseconds / 1_000_000_000)
    return isTooLarge || isOver ? (seconds < 0 ? .min : .max) : sum
  }
}

extension Codec where Value == Duration {
  /// Seconds and attoseconds: exactly the requested duration.
  static var duration: Codec {
    Codec<[Int64]>.array(of: .integer(minimum: nil)).converting { (parts) throws(CodingFailure) -> Duration in
      // No client can request a longer one, and a moment plus this does not overflow.
      guard parts.count == 2, parts[0].magnitude <= 10_000_000_000 else {
        throw CodingFailure(.described("a time that is too long, or none"))
      }
      return Duration(secondsComponent: parts[0], attosecondsComponent: parts[1])
    } from: { duration in
      [duration.components.seconds, duration.components.attoseconds]
    }
  }
}

extension Codec where Value == ClosedRange<Instant> {
  static var span: Codec {
    Span.record.codec.map(
      to: { min($0.from, $0.to)...$0.to }, from: { Span(from: $0.lowerBound, to: $0.upperBound) })
  }
}

private struct Span: Record {
  var from: Instant
  var to: Instant

  static let record = ObjectCodec<Span>(blank: Span(from: .blank, to: .blank)) {
    Field.required("from", \.from, .moment)
    Field.required("to", \.to, .moment)
  }
}

extension Instant {
  /// The moment of a table's empty value.
  static let blank = Instant(nanoseconds: 0)
}
