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

extension Codec where Value == [Double] {
  /// Numbers of 8 bytes each, little-endian, in base 64 (RFC 4648): reading them at the start is many times as fast as
  /// reading decimal numbers.
  static var packedNumbers: Codec {
    Codec<String>.string.converting { (text) throws(CodingFailure) -> [Double] in
      guard let bytes = Base64.decoded(text), bytes.count.isMultiple(of: 8) else {
        throw CodingFailure(.described("numbers that are not whole"))
      }
      return stride(from: 0, to: bytes.count, by: 8).map { start in
        var pattern: UInt64 = 0
        for place in 0..<8 { pattern |= UInt64(bytes[start + place]) << (8 * UInt64(place)) }
        return Double(bitPattern: pattern)
      }
    } from: { numbers in
      var bytes: [UInt8] = []
      bytes.reserveCapacity(8 * numbers.count)
      for number in numbers {
        for place in 0..<8 { bytes.append(UInt8(truncatingIfNeeded: number.bitPattern >> (8 * UInt64(place)))) }
      }
      return Base64.encoded(bytes)
    }
  }
}

/// Bytes as text: four characters for each three bytes.
enum Base64 {
  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
  private static let padding = UInt8(ascii: "=")
  /// The value of each character; 64 for one that is not in the alphabet.
  private static let values: [UInt8] = {
    var values = [UInt8](repeating: 64, count: 256)
    for (value, character) in Self.alphabet.enumerated() { values[Int(character)] = UInt8(value) }
    return values
  }()

  static func encoded(_ bytes: [UInt8]) -> String {
    let alphabet = Self.alphabet
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let count = min(3, bytes.count - start)
      var group = UInt32(bytes[start]) << 16
      if count > 1 { group |= UInt32(bytes[start + 1]) << 8 }
      if count > 2 { group |= UInt32(bytes[start + 2]) }
      text.append(alphabet[Int(group >> 18)])
      text.append(alphabet[Int(group >> 12 & 63)])
      text.append(count > 1 ? alphabet[Int(group >> 6 & 63)] : Self.padding)
      text.append(count > 2 ? alphabet[Int(group & 63)] : Self.padding)
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// `nil` if the text has another character, or is incomplete.
  static func decoded(_ text: String) -> [UInt8]? {
    let values = Self.values
    let characters = Array(text.utf8)
    guard characters.count.isMultiple(of: 4) else { return nil }
    let count = characters.count - characters.suffix(2).count { $0 == Self.padding }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(characters.count / 4 * 3)
    var group: UInt32 = 0
    var bits = 0
    for character in characters[..<count] {
      let value = values[Int(character)]
      guard value < 64 else { return nil }
      group = group << 6 | UInt32(value)
      bits += 6
      guard bits >= 8 else { continue }
      bits -= 8
      bytes.append(UInt8(truncatingIfNeeded: group >> UInt32(bits)))
    }
    return bytes
  }
}
