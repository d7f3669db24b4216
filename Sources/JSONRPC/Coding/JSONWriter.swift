/// Writes one JSON text of one line. Members keep their order, and slashes are not escaped.
@usableFromInline
package struct JSONWriter: ~Copyable {
  private var text: ByteBuffer
  /// When the text is written, for members that are ages or times of the wall clock.
  @usableFromInline
  package let moment: CodingMoment
  /// Why the text is not valid JSON: it would contain a number that is not finite.
  package private(set) var failure: NoJSON?

  package init(moment: CodingMoment, reserving capacity: Int = 256) {
    self.moment = moment
    self.text = ByteBuffer(capacity: capacity)
  }

  /// The text so far.
  package var bytes: [UInt8] { self.text.bytes }

  // MARK: Structure

  package mutating func openObject() { self.text.append(UInt8(ascii: "{")) }
  package mutating func closeObject() { self.text.append(UInt8(ascii: "}")) }
  package mutating func openArray() { self.text.append(UInt8(ascii: "[")) }
  package mutating func closeArray() { self.text.append(UInt8(ascii: "]")) }

  /// Begins a member.
  ///
  /// - Parameter key: What `key(_:)` makes of the name.
  @usableFromInline
  package mutating func key(_ key: [UInt8]) {
    self.text.append(self.text.last == UInt8(ascii: "{") ? key.span.extracting(1...) : key.span)
  }

  package mutating func key(_ name: String) { self.key(JSONWriter.key(name)) }

  /// The text before a member's value: the comma, which an object's first member does without, the name in quotation
  /// marks, and the colon.
  @usableFromInline
  static func key(_ name: String) -> [UInt8] {
    var writer = JSONWriter(moment: .none, reserving: name.utf8.count + 4)
    writer.raw(",".utf8.span)
    writer.string(name)
    writer.raw(":".utf8.span)
    return writer.bytes
  }

  /// Begins an element of an array.
  package mutating func element() {
    if self.text.last != UInt8(ascii: "[") { self.text.append(UInt8(ascii: ",")) }
  }

  // MARK: Values

  /// A value that is JSON already.
  package mutating func raw(_ text: Span<UInt8>) { self.text.append(text) }

  package mutating func null() { self.text.append("null".utf8.span) }

  @usableFromInline
  package mutating func boolean(_ value: Bool) { self.text.append((value ? "true" : "false").utf8.span) }

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
    if !self.fewDigits(value, decimals: 3), !self.fewDigits(value, decimals: 9) { self.raw("\(value)".utf8.span) }
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
  package mutating func plainString(_ text: Span<UInt8>) {
    self.text.append(quoted: text)
  }

  @usableFromInline
  package mutating func string(_ value: String) {
    let text = value.utf8.span
    guard text.plainPrefix(from: 0) < text.count else { return self.text.append(quoted: text) }
    self.text.append(UInt8(ascii: "\""))
    for byte in value.utf8 { self.escaping(byte) }
    self.text.append(UInt8(ascii: "\""))
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

  private static let integersOfTen: [UInt64] = [
    1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000, 10_000_000_000,
    100_000_000_000, 1_000_000_000_000, 10_000_000_000_000, 100_000_000_000_000, 1_000_000_000_000_000,
    10_000_000_000_000_000, 100_000_000_000_000_000, 1_000_000_000_000_000_000, 10_000_000_000_000_000_000,
  ]

  /// Writes the number that the digits are without a decimal point, and no zeros at the end of its fraction.
  private mutating func decimal(_ digits: UInt64, decimals: Int, isNegative: Bool) {
    if isNegative { self.text.append(UInt8(ascii: "-")) }
    var (whole, fraction) = (digits, 0 as UInt64)
    if decimals > 0 { (whole, fraction) = digits.quotientAndRemainder(dividingBy: JSONWriter.integersOfTen[decimals]) }
    self.text.append(digits: JSONWriter.count(of: whole), of: whole)
    guard fraction > 0 else { return }
    self.text.append(UInt8(ascii: "."))
    self.text.append(digits: decimals, of: fraction)
    self.text.removeLast(all: UInt8(ascii: "0"))
  }

  /// How many decimal digits the number has.
  private static func count(of number: UInt64) -> Int {
    // 1233 / 4096 is the logarithm of 2 to the base of 10. For so many bits this is at most one too few.
    let least = ((64 - (number | 1).leadingZeroBitCount) * 1233) >> 12
    return least + (number | 1 >= JSONWriter.integersOfTen[least] ? 1 : 0)
  }

  private mutating func escaping(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"):
      self.text.append(UInt8(ascii: "\\"))
      self.text.append(byte)
    case 0x08: self.raw("\\b".utf8.span)
    case 0x09: self.raw("\\t".utf8.span)
    case 0x0A: self.raw("\\n".utf8.span)
    case 0x0C: self.raw("\\f".utf8.span)
    case 0x0D: self.raw("\\r".utf8.span)
    case 0..<0x10: self.raw("\\u000\(String(byte, radix: 16))".utf8.span)
    case 0x10..<0x20: self.raw("\\u00\(String(byte, radix: 16))".utf8.span)
    default: self.text.append(byte)
    }
  }
}

/// Bytes that are written one after the other.
///
/// An array that grows checks at every append whether it is shared, and a message has a hundred small parts. This buffer
/// has one owner, which the compiler ensures, so an append only checks the room and copies.
@safe
struct ByteBuffer: ~Copyable {
  private var start: UnsafeMutablePointer<UInt8>
  private var capacity: Int
  private(set) var count = 0

  /// - Parameter capacity: The room to begin with, at least 1.
  init(capacity: Int) {
    unsafe self.start = .allocate(capacity: capacity)
    self.capacity = capacity
  }

  deinit { unsafe self.start.deallocate() }

  var last: UInt8? { self.count == 0 ? nil : unsafe self.start[self.count - 1] }

  /// A copy of the bytes, with room for the line feed of a frame.
  var bytes: [UInt8] {
    unsafe [UInt8](unsafeUninitializedCapacity: self.count + 1) { copy, count in
      unsafe copy.baseAddress?.initialize(from: self.start, count: self.count)
      count = self.count
    }
  }

  mutating func append(_ byte: UInt8) {
    self.makeRoom(for: 1)
    unsafe self.start[self.count] = byte
    self.count += 1
  }

  mutating func append(_ text: Span<UInt8>) {
    self.makeRoom(for: text.count)
    unsafe text.withUnsafeBufferPointer { text in
      guard let source = text.baseAddress else { return }
      unsafe (self.start + self.count).initialize(from: source, count: text.count)
    }
    self.count += text.count
  }

  /// Appends a text in quotation marks.
  mutating func append(quoted text: Span<UInt8>) {
    self.makeRoom(for: text.count + 2)
    self.append(UInt8(ascii: "\""))
    self.append(text)
    self.append(UInt8(ascii: "\""))
  }

  /// Appends so many decimal digits of the number, which has no more; zeros come first.
  mutating func append(digits: Int, of number: UInt64) {
    self.makeRoom(for: digits)
    let first = unsafe self.start + self.count
    var (number, place) = (number, digits)
    // Two digits for each division.
    while place >= 2 {
      let rest = number / 100
      let pair = UInt8(truncatingIfNeeded: number &- rest &* 100)
      place -= 2
      unsafe first[place] = UInt8(ascii: "0") &+ pair / 10
      unsafe first[place + 1] = UInt8(ascii: "0") &+ pair % 10
      number = rest
    }
    if place == 1 { unsafe first.pointee = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: number) }
    self.count += digits
  }

  /// Removes all such bytes at the end.
  mutating func removeLast(all byte: UInt8) {
    while self.last == byte { self.count -= 1 }
  }

  private mutating func makeRoom(for more: Int) {
    if more > self.capacity - self.count { self.grow(by: more) }
  }

  @inline(never)
  private mutating func grow(by more: Int) {
    let capacity = max(2 * self.capacity, self.count + more)
    let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
    unsafe larger.moveInitialize(from: self.start, count: self.count)
    unsafe self.start.deallocate()
    unsafe self.start = larger
    self.capacity = capacity
  }
}
