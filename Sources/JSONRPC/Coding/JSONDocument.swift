/// The position of one value or key in a text.
struct JSONNode: Sendable {
  enum Kind: UInt8, Sendable {
    case null, `true`, `false`, number
    /// A string without escapes.
    case plainString
    case escapedString
    /// Its elements follow.
    case array
    /// Its members follow: key and value in turn.
    case object
  }

  var kind: Kind
  /// Offsets in bytes, including quotation marks and brackets.
  var start: Int32
  var end: Int32
  /// The number of the node after this one and all that it contains.
  var next: Int32
}

/// A JSON text that was checked once, so that reading it cannot fail.
package final class JSONDocument: Sendable {
  let bytes: [UInt8]
  let nodes: [JSONNode]

  /// - Throws: `RPCError` -32700 with the position of the syntax error.
  package init(_ bytes: [UInt8]) throws(RPCError) {
    do throws(JSONScanner.Failure) {
      self.nodes = try JSONScanner.scan(bytes)
    } catch {
      throw .parseError(error, in: bytes)
    }
    self.bytes = bytes
  }

  package var root: JSONView { JSONView(document: self, node: 0) }

  /// An object without members, for absent parameters.
  static let empty = JSONDocument(object: Array("{}".utf8))

  private init(object bytes: [UInt8]) {
    self.bytes = bytes
    self.nodes = [JSONNode(kind: .object, start: 0, end: Int32(bytes.count), next: 1)]
  }
}

extension RPCError {
  static func parseError(_ failure: JSONScanner.Failure, in bytes: [UInt8]) -> RPCError {
    let before = bytes[..<failure.offset]
    let lineStart = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    return .parseError(
      offset: failure.offset, line: before.count { $0 == UInt8(ascii: "\n") } + 1,
      column: failure.offset - lineStart + 1, expected: failure.expected)
  }
}

/// One value of a checked text.
@usableFromInline
package struct JSONView: Sendable {
  let document: JSONDocument
  let node: Int

  /// The kind of the value, and the value itself if that is cheap.
  enum Scalar {
    case null
    case boolean(Bool)
    case integer(Int)
    /// Finite.
    case number(Double)
    /// A number that is out of range, such as 1e999.
    case outOfRange
    case string
    case array
    case object
  }

  var kind: JSONNode.Kind { self.document.nodes[self.node].kind }

  @usableFromInline
  package var isNull: Bool { self.kind == .null }
  package var isObject: Bool { self.kind == .object }
  package var isArray: Bool { self.kind == .array }

  var scalar: Scalar {
    switch self.kind {
    case .null: .null
    case .true: .boolean(true)
    case .false: .boolean(false)
    case .number: self.number
    case .plainString, .escapedString: .string
    case .array: .array
    case .object: .object
    }
  }

  /// The string; `nil` for other kinds.
  @usableFromInline
  package var string: String? {
    let node = self.document.nodes[self.node]
    switch node.kind {
    case .plainString:
      return String(decoding: self.document.bytes[Int(node.start) + 1..<Int(node.end) - 1], as: UTF8.self)
    case .escapedString:
      return String(decoding: self.document.unescaped(Int(node.start) + 1..<Int(node.end) - 1), as: UTF8.self)
    case .null, .true, .false, .number, .array, .object: return nil
    }
  }

  /// Whether it is the text of these bytes.
  @usableFromInline
  package func spells(_ text: Span<UInt8>) -> Bool { self.document.isText(text, at: self.node) }

  /// True or false; `nil` for anything else.
  package var boolean: Bool? {
    switch self.kind {
    case .true: true
    case .false: false
    case .null, .number, .plainString, .escapedString, .array, .object: nil
    }
  }

  /// A number without a fraction that an `Int` holds; `nil` for anything else.
  package var integer: Int? {
    if case .integer(let integer) = self.scalar { integer } else { nil }
  }

  /// Any number that a `Double` holds; `nil` for anything else.
  package var double: Double? {
    switch self.scalar {
    case .integer(let integer): Double(integer)
    case .number(let number): number
    case .null, .boolean, .outOfRange, .string, .array, .object: nil
    }
  }

  /// The value's bytes.
  var bytes: ArraySlice<UInt8> {
    let node = self.document.nodes[self.node]
    return self.document.bytes[Int(node.start)..<Int(node.end)]
  }
}

// MARK: Objects and arrays

extension JSONView {
  /// The elements of an array in order; none for other kinds.
  package var elements: Elements {
    Elements(document: self.document, position: self.node + 1, end: self.isArray ? self.end : self.node + 1)
  }

  /// The members of an object in the order of the text; none for other kinds.
  var members: Members {
    Members(document: self.document, position: self.node + 1, end: self.isObject ? self.end : self.node + 1)
  }

  /// The first member with the name; `nil` if there is none, or this is not an object.
  package subscript(name: String) -> JSONView? { self.member(name.utf8.span) }

  /// The first member with the name, which is bytes already.
  subscript(name: [UInt8]) -> JSONView? { self.member(name.span) }

  private func member(_ name: Span<UInt8>) -> JSONView? {
    guard self.isObject else { return nil }
    var (key, end) = (self.node + 1, self.end)
    while key < end {
      if self.document.isText(name, at: key) {
        return JSONView(document: self.document, node: key + 1)
      }
      key = Int(self.document.nodes[key + 1].next)
    }
    return nil
  }

  private var end: Int { Int(self.document.nodes[self.node].next) }

  package struct Elements: Sequence, IteratorProtocol {
    let document: JSONDocument
    var position: Int
    let end: Int

    package mutating func next() -> JSONView? {
      guard self.position < self.end else { return nil }
      defer { self.position = Int(self.document.nodes[self.position].next) }
      return JSONView(document: self.document, node: self.position)
    }
  }

  struct Members: Sequence, IteratorProtocol {
    let document: JSONDocument
    var position: Int
    let end: Int

    mutating func next() -> (key: JSONView, value: JSONView)? {
      guard self.position < self.end else { return nil }
      let (key, value) = (self.position, self.position + 1)
      self.position = Int(self.document.nodes[value].next)
      return (JSONView(document: self.document, node: key), JSONView(document: self.document, node: value))
    }
  }
}

extension JSONDocument {
  /// Whether the node is a string with this text.
  fileprivate func isText(_ text: Span<UInt8>, at number: Int) -> Bool {
    let node = self.nodes[number]
    let (start, end) = (Int(node.start) + 1, Int(node.end) - 1)
    switch node.kind {
    case .plainString:
      guard end - start == text.count else { return false }
      let bytes = self.bytes
      return bytes.span.extracting(start..<end).hasSameBytes(as: text)
    case .escapedString:
      let unescaped = self.unescaped(start..<end)
      return unescaped.span.hasSameBytes(as: text)
    case .null, .true, .false, .number, .array, .object: return false
    }
  }

  /// The unescaped bytes of a checked string.
  func unescaped(_ range: Range<Int>) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(range.count)
    var position = range.lowerBound
    while position < range.upperBound {
      let byte = self.bytes[position]
      position += 1
      guard byte == UInt8(ascii: "\\") else {
        text.append(byte)
        continue
      }
      let escape = self.bytes[position]
      position += 1
      switch escape {
      case UInt8(ascii: "b"): text.append(0x08)
      case UInt8(ascii: "f"): text.append(0x0C)
      case UInt8(ascii: "n"): text.append(0x0A)
      case UInt8(ascii: "r"): text.append(0x0D)
      case UInt8(ascii: "t"): text.append(0x09)
      case UInt8(ascii: "u"):
        var scalar = self.codeUnit(position)
        position += 4
        if (0xD800..<0xDC00).contains(scalar) {
          // The scanner has checked that the second half follows.
          scalar = 0x10000 + (scalar - 0xD800) << 10 + (self.codeUnit(position + 2) - 0xDC00)
          position += 6
        }
        if let scalar = Unicode.Scalar(scalar) {
          text.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
        }
      default: text.append(escape)
      }
    }
    return text
  }

  private func codeUnit(_ position: Int) -> UInt32 {
    self.bytes[position..<position + 4].reduce(0) { unit, byte in
      unit << 4 | UInt32(Character(Unicode.Scalar(byte)).hexDigitValue ?? 0)
    }
  }
}

extension Span<UInt8> {
  fileprivate func hasSameBytes(as other: Span<UInt8>) -> Bool {
    guard self.count == other.count else { return false }
    for place in self.indices where self[place] != other[place] { return false }
    return true
  }
}

extension JSONView {
  /// The number, as an integer if an `Int` holds it, in whatever form it is written.
  var number: Scalar {
    let bytes = self.bytes
    var decimal = Decimal()
    for byte in bytes where !decimal.take(byte) { return JSONView.number(slowly: bytes) }
    if let number = decimal.exact { return number }
    return JSONView.number(slowly: bytes)
  }

  /// Reads any number, correctly rounded.
  private static func number(slowly bytes: ArraySlice<UInt8>) -> Scalar {
    let text = String(decoding: bytes, as: UTF8.self)
    if let integer = Int(text) { return .integer(integer) }
    guard let number = Double(text), number.isFinite else { return .outOfRange }
    return Int(exactly: number).map { .integer($0) } ?? .number(number)
  }

  /// A number of few digits without an exponent; nearly all numbers are.
  private struct Decimal {
    private var isNegative = false
    private var digits: UInt64 = 0
    private var count = 0
    private var decimals: Int?

    /// Takes the next byte; false if it is one of the other numbers.
    mutating func take(_ byte: UInt8) -> Bool {
      switch byte {
      case UInt8(ascii: "-"): self.isNegative = true
      case UInt8(ascii: "."): self.decimals = 0
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        guard self.count < 15 else { return false }
        self.digits = self.digits * 10 + UInt64(byte - UInt8(ascii: "0"))
        self.count += 1
        self.decimals? += 1
      default: return false
      }
      return true
    }

    /// Both parts are exact as `Double`s, so their quotient is rounded once, as it should be.
    var exact: Scalar? {
      guard let decimals else { return .integer(self.isNegative ? -Int(self.digits) : Int(self.digits)) }
      let magnitude = Double(self.digits) / JSONWriter.powersOfTen[decimals]
      let number = self.isNegative ? -magnitude : magnitude
      return Int(exactly: number).map { .integer($0) } ?? .number(number)
    }
  }
}

extension JSONView: CustomStringConvertible {
  /// The value as an error message shows it; long strings are cut.
  @usableFromInline
  package var description: String {
    switch self.scalar {
    case .null: "null"
    case .boolean(let boolean): "\(boolean)"
    case .integer(let integer): "\(integer)"
    case .number(let number): "\(number)"
    case .outOfRange: "a number out of range"
    case .string: (self.string ?? "").quoted
    case .array: "an array"
    case .object: "an object"
    }
  }
}

extension JSONView {
  /// A number as in documents: without an exponent or a zero fraction, if possible.
  static func text(of number: Double) -> String { Int(exactly: number).map { "\($0)" } ?? "\(number)" }
}

extension String {
  /// In quotation marks, shortened to fit into an error message.
  package var quoted: String {
    "\"\(self.shortened)\""
  }

  /// Shortened if it is longer than any name. It counts scalars, since one character may consist of any number of them.
  var shortened: String {
    self.utf8.count <= 64 ? self : "\(String(String.UnicodeScalarView(self.unicodeScalars.prefix(40))))..."
  }
}
