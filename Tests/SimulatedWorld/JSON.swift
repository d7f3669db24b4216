/// A value of JSON, as a client reads it: what the daemon sends is judged by a reader that is not the daemon's own.
package indirect enum JSON: Hashable, Sendable {
  case null
  case bool(Bool)
  case number(Double)
  case string(String)
  case array([JSON])
  case object([String: JSON])

  /// - Returns: `nil` if the text is not exactly one value.
  package init?(_ text: String) {
    var reader = JSONReader(text.utf8)
    guard let value = reader.value(), reader.isAtEnd else { return nil }
    self = value
  }

  /// A member of an object; `nil` if it is absent, or this is no object.
  package subscript(name: String) -> JSON? {
    guard case .object(let members) = self else { return nil }
    return members[name]
  }

  package var number: Double? {
    guard case .number(let number) = self else { return nil }
    return number
  }

  package var string: String? {
    guard case .string(let string) = self else { return nil }
    return string
  }

  package var bool: Bool? {
    guard case .bool(let bool) = self else { return nil }
    return bool
  }

  /// Of an authorization's state: whether the client may know the position.
  var isGranted: Bool { self.string == "always" || self.string == "whenInUse" }

  package var elements: [JSON] {
    guard case .array(let elements) = self else { return [] }
    return elements
  }
}

private struct JSONReader {
  private let bytes: [UInt8]
  private var place = 0

  init(_ bytes: String.UTF8View) { self.bytes = Array(bytes) }

  private var next: UInt8? { self.place < self.bytes.count ? self.bytes[self.place] : nil }

  var isAtEnd: Bool {
    mutating get {
      self.skipSpace()
      return self.next == nil
    }
  }

  private mutating func skipSpace() {
    while let next, next == 0x20 || next == 0x09 || next == 0x0A || next == 0x0D { self.place += 1 }
  }

  private mutating func take(_ byte: Unicode.Scalar) -> Bool {
    self.skipSpace()
    guard self.next == UInt8(ascii: byte) else { return false }
    self.place += 1
    return true
  }

  private mutating func word(_ word: String) -> Bool {
    guard self.bytes[self.place...].starts(with: word.utf8) else { return false }
    self.place += word.utf8.count
    return true
  }

  mutating func value() -> JSON? {
    self.skipSpace()
    switch self.next {
    case UInt8(ascii: "{"): return self.object()
    case UInt8(ascii: "["): return self.array()
    case UInt8(ascii: "\""): return self.string().map { .string($0) }
    case UInt8(ascii: "t"): return self.word("true") ? .bool(true) : nil
    case UInt8(ascii: "f"): return self.word("false") ? .bool(false) : nil
    case UInt8(ascii: "n"): return self.word("null") ? .null : nil
    case .some, nil: return self.number()
    }
  }

  private mutating func object() -> JSON? {
    var members: [String: JSON] = [:]
    guard self.take("{") else { return nil }
    if self.take("}") { return .object(members) }
    repeat {
      self.skipSpace()
      // A name that comes twice is an error.
      guard let name = self.string(), members[name] == nil, self.take(":"), let value = self.value() else { return nil }
      members[name] = value
    } while self.take(",")
    return self.take("}") ? .object(members) : nil
  }

  private mutating func array() -> JSON? {
    var elements: [JSON] = []
    guard self.take("[") else { return nil }
    if self.take("]") { return .array(elements) }
    repeat {
      guard let value = self.value() else { return nil }
      elements.append(value)
    } while self.take(",")
    return self.take("]") ? .array(elements) : nil
  }

  private mutating func number() -> JSON? {
    let first = self.place
    while let next, "+-.eE0123456789".utf8.contains(next) { self.place += 1 }
    return Double(String(decoding: self.bytes[first..<self.place], as: UTF8.self)).map { .number($0) }
  }

  private mutating func string() -> String? {
    guard self.take("\"") else { return nil }
    var text: [UInt8] = []
    while let byte = self.next {
      self.place += 1
      switch byte {
      case UInt8(ascii: "\""): return String(validating: text, as: UTF8.self)
      case UInt8(ascii: "\\"):
        guard let escaped = self.escaped() else { return nil }
        text += Array(String(escaped).utf8)
      case 0..<0x20: return nil
      case 0x20...: text.append(byte)
      default: return nil
      }
    }
    return nil
  }

  private mutating func escaped() -> Unicode.Scalar? {
    guard let byte = self.next else { return nil }
    self.place += 1
    switch byte {
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
    case UInt8(ascii: "u"):
      guard let high = self.unit() else { return nil }
      guard UTF16.isLeadSurrogate(high) else { return Unicode.Scalar(high) }
      guard self.word("\\u"), let low = self.unit() else { return nil }
      return String(validating: [high, low], as: UTF16.self)?.unicodeScalars.first
    default: return nil
    }
  }

  private mutating func unit() -> UInt16? {
    guard self.place + 4 <= self.bytes.count else { return nil }
    defer { self.place += 4 }
    return UInt16(String(decoding: self.bytes[self.place..<self.place + 4], as: UTF8.self), radix: 16)
  }
}
