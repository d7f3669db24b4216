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

/// Words, numbers and strings.
extension JSONScanner {
  mutating func scanWord(_ word: String) throws(Failure) {
    let start = self.position
    for letter in word.utf8 where !self.skip(letter) {
      self.position = start
      throw self.failure("a value")
    }
  }

  mutating func scanNumber() throws(Failure) {
    _ = self.skip(UInt8(ascii: "-"))
    if !self.skip(UInt8(ascii: "0")) { try self.scanDigits() }
    if self.skip(UInt8(ascii: ".")) { try self.scanDigits() }
    if self.skip(UInt8(ascii: "e")) || self.skip(UInt8(ascii: "E")) {
      if !self.skip(UInt8(ascii: "+")) { _ = self.skip(UInt8(ascii: "-")) }
      try self.scanDigits()
    }
  }

  private mutating func scanDigits() throws(Failure) {
    guard let first = self.next, JSONScanner.isDigit(first) else { throw self.failure("a digit") }
    while let byte = self.next, JSONScanner.isDigit(byte) { self.position += 1 }
  }

  static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

  /// Scans from the opening to the closing quotation mark. Returns whether the string has no escapes.
  mutating func scanString() throws(Failure) -> Bool {
    self.position += 1
    var isPlain = true
    self.skipPlain()
    while let byte = self.next {
      switch byte {
      case UInt8(ascii: "\""):
        self.position += 1
        return isPlain
      case UInt8(ascii: "\\"):
        isPlain = false
        try self.scanEscape()
      case 0..<0x20: throw self.failure("control characters to be escaped")
      case 0x20..<0x80: self.position += 1
      default: try self.scanMultibyte(first: byte)
      }
    }
    throw self.failure("the end of the string")
  }

  /// Skips ordinary ASCII, of which most strings consist.
  private mutating func skipPlain() { self.position = self.bytes.span.plainPrefix(from: self.position) }

  private mutating func scanEscape() throws(Failure) {
    self.position += 1
    switch self.next {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
      UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      self.position += 1
    case UInt8(ascii: "u"):
      switch try self.scanCodeUnit() {
      case 0xD800..<0xDC00:
        guard self.skip(UInt8(ascii: "\\")), self.next == UInt8(ascii: "u"),
          (0xDC00..<0xE000).contains(try self.scanCodeUnit())
        else { throw self.failure("the second half of a surrogate pair") }
      case 0xDC00..<0xE000: throw self.failure("the first half of a surrogate pair before this")
      default: break
      }
    default: throw self.failure("an escape of JSON")
    }
  }

  /// Scans `u` and its four digits.
  private mutating func scanCodeUnit() throws(Failure) -> Int {
    self.position += 1
    var unit = 0
    for _ in 0..<4 {
      guard let byte = self.next, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
        throw self.failure("four hexadecimal digits")
      }
      unit = unit << 4 | digit
      self.position += 1
    }
    return unit
  }

  /// Scans one character of two to four bytes. Rejects overlong forms, surrogates and invalid code points.
  private mutating func scanMultibyte(first: UInt8) throws(Failure) {
    let (following, second): (Int, ClosedRange<UInt8>)
    switch first {
    case 0xC2...0xDF: (following, second) = (1, 0x80...0xBF)
    case 0xE0: (following, second) = (2, 0xA0...0xBF)
    case 0xED: (following, second) = (2, 0x80...0x9F)
    case 0xE1...0xEF: (following, second) = (2, 0x80...0xBF)
    case 0xF0: (following, second) = (3, 0x90...0xBF)
    case 0xF1...0xF3: (following, second) = (3, 0x80...0xBF)
    case 0xF4: (following, second) = (3, 0x80...0x8F)
    default: throw self.failure("UTF-8")
    }
    for index in 1...following {
      let offset = self.position + index
      let allowed = index == 1 ? second : 0x80...0xBF
      guard offset < self.bytes.count, allowed.contains(self.bytes[offset]) else { throw self.failure("UTF-8") }
    }
    self.position += following + 1
  }
}

extension Span<UInt8> {
  /// Where the text from `start` on ends that stands in a JSON string as it is: ASCII without control characters,
  /// quotation marks and backslashes.
  ///
  /// It looks at eight bytes at a time, because messages consist mostly of such text.
  func plainPrefix(from start: Int) -> Int {
    unsafe self.withUnsafeBytes { bytes in
      var place = start
      while place + 8 <= bytes.count {
        let eight = unsafe UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self))
        let special = eight.specialBytes
        guard special == 0 else { return place + special.trailingZeroBitCount / 8 }
        place += 8
      }
      while place < bytes.count, unsafe bytes[place].isPlain { place += 1 }
      return place
    }
  }
}

extension UInt8 {
  fileprivate var isPlain: Bool {
    self >= 0x20 && self < 0x80 && self != UInt8(ascii: "\"") && self != UInt8(ascii: "\\")
  }
}

extension UInt64 {
  /// Of eight bytes, the highest bit of the first one that is not plain; higher ones have no meaning.
  ///
  /// Subtracting sets the highest bit of a byte that is smaller than what is subtracted. A byte that equals a character
  /// is zero, and so smaller than one, after an exclusive or with it.
  fileprivate var specialBytes: UInt64 {
    let control = self &- Self(inEachByte: 0x20)
    let quotationMark = (self ^ Self(inEachByte: UInt8(ascii: "\""))) &- Self(inEachByte: 1)
    let backslash = (self ^ Self(inEachByte: UInt8(ascii: "\\"))) &- Self(inEachByte: 1)
    return (self | control | quotationMark | backslash) & Self(inEachByte: 0x80)
  }

  private init(inEachByte byte: UInt8) { self = 0x0101_0101_0101_0101 &* UInt64(byte) }
}
