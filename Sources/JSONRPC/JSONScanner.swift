/// Checks that bytes are one JSON text (RFC 8259) before anything is decoded.
///
/// The decoder passes over trailing commas and bad escapes in what nobody asks it for, cannot tell where a text goes
/// wrong, and needs time that grows with the square of the depth. This looks at every byte once, keeps its own stack
/// and stops at `maximumDepth`, so whatever it passes is cheap to decode.
struct JSONScanner {
  struct Failure: Error, Hashable {
    /// Bytes from 0.
    var offset: Int
    var expected: String
  }

  static let maximumDepth = 64

  private enum Container { case array, object }

  let bytes: [UInt8]
  var position = 0
  private var containers: [Container] = []
  /// Commas between the elements or members of the outermost container.
  private var outermostCommas = 0

  private init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// - Returns: how many elements the text has if it is an array that is not empty.
  @discardableResult
  static func check(_ bytes: [UInt8]) throws(Failure) -> Int {
    var scanner = JSONScanner(bytes)
    try scanner.scanText()
    return scanner.outermostCommas + 1
  }

  var next: UInt8? { self.position < self.bytes.count ? self.bytes[self.position] : nil }

  func failure(_ expected: String) -> Failure { Failure(offset: self.position, expected: expected) }

  private mutating func scanText() throws(Failure) {
    repeat {
      self.skipSpace()
      try self.scanValueStart()
    } while try self.scanSeparators()
    self.skipSpace()
    guard self.next == nil else { throw self.failure("the end of the text") }
  }

  /// Scans a scalar, an empty container, or the start of a container up to where its first value stands.
  private mutating func scanValueStart() throws(Failure) {
    while true {
      switch self.next {
      case UInt8(ascii: "["):
        try self.open(.array)
        if self.skip(UInt8(ascii: "]")) { return self.close() }
      case UInt8(ascii: "{"):
        try self.open(.object)
        if self.skip(UInt8(ascii: "}")) { return self.close() }
        try self.scanKey()
      case UInt8(ascii: "\""): return try self.scanString()
      case UInt8(ascii: "t"): return try self.scanWord("true")
      case UInt8(ascii: "f"): return try self.scanWord("false")
      case UInt8(ascii: "n"): return try self.scanWord("null")
      case let byte? where JSONScanner.startsNumber(byte): return try self.scanNumber()
      default: throw self.failure("a value")
      }
    }
  }

  /// Scans what follows a value, closing containers; whether another value follows.
  private mutating func scanSeparators() throws(Failure) -> Bool {
    while let container = self.containers.last {
      self.skipSpace()
      if self.containers.count == 1, self.next == UInt8(ascii: ",") { self.outermostCommas += 1 }
      switch container {
      case .array:
        if self.skip(UInt8(ascii: ",")) { return true }
        guard self.skip(UInt8(ascii: "]")) else { throw self.failure("\",\" or \"]\"") }
      case .object:
        if self.skip(UInt8(ascii: ",")) {
          try self.scanKey()
          return true
        }
        guard self.skip(UInt8(ascii: "}")) else { throw self.failure("\",\" or \"}\"") }
      }
      self.close()
    }
    return false
  }

  private static func startsNumber(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "-") || self.isDigit(byte) }

  private mutating func open(_ container: Container) throws(Failure) {
    guard self.containers.count < JSONScanner.maximumDepth else {
      throw self.failure("at most \(JSONScanner.maximumDepth) levels of nesting")
    }
    self.containers.append(container)
    self.position += 1
    self.skipSpace()
  }

  private mutating func close() { self.containers.removeLast() }

  mutating func skip(_ byte: UInt8) -> Bool {
    guard self.next == byte else { return false }
    self.position += 1
    return true
  }

  mutating func skipSpace() {
    while let byte = self.next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { self.position += 1 }
  }

  private mutating func scanKey() throws(Failure) {
    self.skipSpace()
    guard self.next == UInt8(ascii: "\"") else { throw self.failure("a key in quotation marks") }
    try self.scanString()
    self.skipSpace()
    guard self.skip(UInt8(ascii: ":")) else { throw self.failure("\":\"") }
    self.skipSpace()
  }
}
