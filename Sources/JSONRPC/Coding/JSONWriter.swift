/// Writes one JSON text of one line. Members keep their order, and slashes are not escaped.
@usableFromInline
package struct JSONWriter: Sendable {
  package private(set) var bytes: [UInt8] = []
  /// When the text is written, for members that are ages or times of the wall clock.
  @usableFromInline
  package let moment: CodingMoment
  /// Why the text is not valid JSON: it would contain a number that is not finite.
  package private(set) var failure: NoJSON?

  package init(moment: CodingMoment, reserving capacity: Int = 256) {
    self.moment = moment
    self.bytes.reserveCapacity(capacity)
  }

  // MARK: Structure

  package mutating func openObject() { self.bytes.append(UInt8(ascii: "{")) }
  package mutating func closeObject() { self.bytes.append(UInt8(ascii: "}")) }
  package mutating func openArray() { self.bytes.append(UInt8(ascii: "[")) }
  package mutating func closeArray() { self.bytes.append(UInt8(ascii: "]")) }

  /// Begins a member.
  ///
  /// - Parameter key: What `key(_:)` makes of the name.
  @usableFromInline
  package mutating func key(_ key: [UInt8]) {
    self.append(self.bytes.last == UInt8(ascii: "{") ? key.span.extracting(1...) : key.span)
  }

  package mutating func key(_ name: String) { self.key(JSONWriter.key(name)) }

  /// The text before a member's value: the comma, which an object's first member does without, the name in quotation
  /// marks, and the colon.
  @usableFromInline
  static func key(_ name: String) -> [UInt8] {
    var writer = JSONWriter(moment: .none, reserving: name.utf8.count + 4)
    writer.raw(",".utf8)
    writer.string(name)
    writer.raw(":".utf8)
    return writer.bytes
  }

  /// Begins an element of an array.
  package mutating func element() {
    if self.bytes.last != UInt8(ascii: "[") { self.bytes.append(UInt8(ascii: ",")) }
  }

  /// Copies the bytes at once. The general `append(contentsOf:)` first asks their collection what it is.
  private mutating func append(_ text: Span<UInt8>) {
    unsafe text.withUnsafeBufferPointer { unsafe self.bytes.append(contentsOf: $0) }
  }

  // MARK: Values

  /// A value that is JSON already.
  package mutating func raw(_ text: some Sequence<UInt8>) { self.bytes.append(contentsOf: text) }

  package mutating func null() { self.append("null".utf8.span) }

  @usableFromInline
  package mutating func boolean(_ value: Bool) { self.append((value ? "true" : "false").utf8.span) }

  @usableFromInline
  package mutating func integer(_ value: Int) {
    self.decimal(UInt64(value.magnitude), decimals: 0, isNegative: value < 0)
  }

  /// A number of thousandths, without zeros at the end of the fraction.
  package mutating func thousandths(_ value: Int64) {
    self.decimal(value.magnitude, decimals: 3, isNegative: value < 0)
  }

  /// The shortest text that identifies exactly this number.
  package mutating func number(_ value: Double) {
    guard value.isFinite else { return self.fail("a number that is not finite") }
    if let integer = Int(exactly: value), integer.magnitude < 1 << 53 { return self.integer(integer) }
    // Most were rounded to one of these.
    if !self.fewDigits(value, decimals: 3), !self.fewDigits(value, decimals: 9) { self.raw("\(value)".utf8) }
  }

  /// Writes the number if it is one of at most 15 digits, of which so many are decimals; whether it is.
  ///
  /// Two texts of at most 15 digits are never the same `Double`, so such a text is the shortest.
  private mutating func fewDigits(_ value: Double, decimals: Int) -> Bool {
    let (power, magnitude) = (JSONWriter.powersOfTen[decimals], value.magnitude)
    let scaled = (magnitude * power).rounded()
    // A smaller number has an exponent.
    guard magnitude >= 0.001, scaled < 1e15, scaled / power == magnitude else { return false }
    self.decimal(UInt64(scaled), decimals: decimals, isNegative: value < 0)
    return true
  }

  /// Rounded to so many decimals, to omit meaningless digits.
  package mutating func number(_ value: Double, decimals: Int) {
    let scaled = (value * JSONWriter.powersOfTen[decimals]).rounded()
    // A scaled number without a fraction has nothing to round.
    guard scaled.magnitude < 1e15 else { return self.number(value) }
    self.decimal(UInt64(scaled.magnitude), decimals: decimals, isNegative: scaled < 0)
  }

  /// A string of bytes that need no escapes.
  package mutating func plainString(_ text: [UInt8]) {
    self.bytes.append(UInt8(ascii: "\""))
    self.append(text.span)
    self.bytes.append(UInt8(ascii: "\""))
  }

  @usableFromInline
  package mutating func string(_ value: String) {
    self.bytes.append(UInt8(ascii: "\""))
    let text = value.utf8.span
    if JSONWriter.isPlain(text) {
      self.append(text)
    } else {
      for byte in value.utf8 { self.escaping(byte) }
    }
    self.bytes.append(UInt8(ascii: "\""))
  }

  // MARK: Errors

  /// A value that cannot be written as JSON.
  package struct NoJSON: Error, CustomStringConvertible {
    package let description: String
  }

  package mutating func fail(_ description: String) {
    if self.failure == nil { self.failure = NoJSON(description: description) }
    self.null()
  }

  // MARK: Digits

  static let powersOfTen: [Double] = [
    1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
  ]

  /// Writes the number that the digits are without a decimal point, and no zeros at the end of its fraction.
  private mutating func decimal(_ digits: UInt64, decimals: Int, isNegative: Bool) {
    var (digits, decimals) = (digits, decimals)
    while decimals > 0, digits.isMultiple(of: 10) { (digits, decimals) = (digits / 10, decimals - 1) }
    // From the last digit to the first: 20 digits, a point and a sign at most.
    var text = InlineArray<24, UInt8>(repeating: UInt8(ascii: "0"))
    var start = text.count
    if decimals > 0 {
      start = JSONWriter.digits(decimals, of: &digits, before: start, in: &text) - 1
      text[start] = UInt8(ascii: ".")
    }
    repeat { start = JSONWriter.digits(1, of: &digits, before: start, in: &text) } while digits > 0
    if isNegative {
      start -= 1
      text[start] = UInt8(ascii: "-")
    }
    self.append(text.span.extracting(start...))
  }

  /// Takes the last digits of a number; returns the place of the first of them.
  private static func digits(
    _ count: Int, of number: inout UInt64, before end: Int, in text: inout InlineArray<24, UInt8>
  ) -> Int {
    for place in (end - count..<end).reversed() {
      text[place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number % 10)
      number /= 10
    }
    return end - count
  }

  private static func isPlain(_ text: Span<UInt8>) -> Bool {
    for place in text.indices where JSONWriter.isEscaped(text[place]) { return false }
    return true
  }

  private static func isEscaped(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
  }

  private mutating func escaping(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): self.raw([UInt8(ascii: "\\"), byte])
    case 0x08: self.raw("\\b".utf8)
    case 0x09: self.raw("\\t".utf8)
    case 0x0A: self.raw("\\n".utf8)
    case 0x0C: self.raw("\\f".utf8)
    case 0x0D: self.raw("\\r".utf8)
    case 0..<0x10: self.raw("\\u000\(String(byte, radix: 16))".utf8)
    case 0x10..<0x20: self.raw("\\u00\(String(byte, radix: 16))".utf8)
    default: self.bytes.append(byte)
    }
  }
}
