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
