/// Checks that bytes are one JSON text (RFC 8259), and records the position of each value.
///
/// It reads each byte once, does not recurse and stops at `maximumDepth`, so its time depends only on the length of the
/// text. A text that passes needs no second check: readers find complete values in it.
struct JSONScanner {
  struct Failure: Error, Hashable {
    /// In bytes from 0.
    var offset: Int
    var expected: String
  }

  static let maximumDepth = 64

  let bytes: [UInt8]
  var position = 0
  /// The positions of values and keys in the order of the text.
  private(set) var nodes: [JSONNode] = []
  /// The number of the innermost open container; `nil` outside of all.
  private var container: Int32?
  private var depth = 0

  private init(_ bytes: [UInt8]) {
    self.bytes = bytes
    self.nodes.reserveCapacity(min(32, bytes.count / 4))
  }

  static func scan(_ bytes: [UInt8]) throws(Failure) -> [JSONNode] {
    var scanner = JSONScanner(bytes)
    try scanner.scanText()
    return scanner.nodes
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

  /// Scans a scalar, an empty container, or the start of a container up to its first value.
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
      case UInt8(ascii: "\""): return try self.noteString()
      case UInt8(ascii: "t"): return try self.noteWord("true", .true)
      case UInt8(ascii: "f"): return try self.noteWord("false", .false)
      case UInt8(ascii: "n"): return try self.noteWord("null", .null)
      case let byte? where JSONScanner.startsNumber(byte):
        let start = self.position
        try self.scanNumber()
        return self.note(.number, from: start)
      default: throw self.failure("a value")
      }
    }
  }

  private mutating func noteString() throws(Failure) {
    let start = self.position
    let isPlain = try self.scanString()
    self.note(isPlain ? .plainString : .escapedString, from: start)
  }

  private mutating func noteWord(_ word: String, _ kind: JSONNode.Kind) throws(Failure) {
    let start = self.position
    try self.scanWord(word)
    self.note(kind, from: start)
  }

  private mutating func note(_ kind: JSONNode.Kind, from start: Int) {
    self.nodes.append(
      JSONNode(kind: kind, start: Int32(start), end: Int32(self.position), next: Int32(self.nodes.count + 1)))
  }

  /// Scans what follows a value, and closes containers. Returns whether another value follows.
  private mutating func scanSeparators() throws(Failure) -> Bool {
    while let container = self.container {
      self.skipSpace()
      if case .array = self.nodes[Int(container)].kind {
        if self.skip(UInt8(ascii: ",")) { return true }
        guard self.skip(UInt8(ascii: "]")) else { throw self.failure("\",\" or \"]\"") }
      } else {
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

  private mutating func open(_ kind: JSONNode.Kind) throws(Failure) {
    guard self.depth < JSONScanner.maximumDepth else {
      throw self.failure("at most \(JSONScanner.maximumDepth) levels of nesting")
    }
    // Until the container is closed, the number is that of the surrounding container, because the next value is not
    // known yet.
    let around = self.container ?? -1
    self.container = Int32(self.nodes.count)
    self.depth += 1
    self.nodes.append(JSONNode(kind: kind, start: Int32(self.position), end: 0, next: around))
    self.position += 1
    self.skipSpace()
  }

  private mutating func close() {
    guard let container = self.container.map(Int.init) else { preconditionFailure("no container is open") }
    let around = self.nodes[container].next
    self.container = around < 0 ? nil : around
    self.depth -= 1
    self.nodes[container].end = Int32(self.position)
    self.nodes[container].next = Int32(self.nodes.count)
  }

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
    try self.noteString()
    self.skipSpace()
    guard self.skip(UInt8(ascii: ":")) else { throw self.failure("\":\"") }
    self.skipSpace()
  }
}
