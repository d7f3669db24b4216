import CSystemd
import EventLoop
import Glibc

/// A message of libsystemd, for the time in which its owner keeps it.
@safe struct BusMessage {
  let raw: OpaquePointer?

  init(_ raw: OpaquePointer?) { unsafe self.raw = unsafe raw }
}

/// A value of a D-Bus message, of the types that this package reads and writes.
package indirect enum BusValue: Hashable, Sendable {
  case byte(UInt8)
  case boolean(Bool)
  case int32(Int32)
  case uint32(UInt32)
  case uint64(UInt64)
  case double(Double)
  case string(String)
  case objectPath(String)
  case variant(BusValue)
  case structure([BusValue])
  /// `as`
  case strings([String])
  /// An array of any other type but dictionaries; all elements have the type `of`.
  case array(of: String, [BusValue])
  /// `a{sv}`: the values of the variants by their names.
  case properties([String: BusValue])

  /// The type in D-Bus notation.
  package var signature: String {
    switch self {
    case .byte: "y"
    case .boolean: "b"
    case .int32: "i"
    case .uint32: "u"
    case .uint64: "t"
    case .double: "d"
    case .string: "s"
    case .objectPath: "o"
    case .variant: "v"
    case .structure(let members): "(\(members.map(\.signature).joined()))"
    case .strings: "as"
    case .array(let type, _): "a\(type)"
    case .properties: "a{sv}"
    }
  }

  /// The text of a string, and nothing else.
  package var text: String? { if case .string(let text) = self { text } else { nil } }
}

// MARK: Writing

extension BusValue {
  func append(to message: BusMessage) throws(SystemError) {
    switch self {
    case .byte(var number): try unsafe Self.append(&number, "y", to: message)
    case .boolean(let flag):
      var number: Int32 = flag ? 1 : 0
      try unsafe Self.append(&number, "b", to: message)
    case .int32(var number): try unsafe Self.append(&number, "i", to: message)
    case .uint32(var number): try unsafe Self.append(&number, "u", to: message)
    case .uint64(var number): try unsafe Self.append(&number, "t", to: message)
    case .double(var number): try unsafe Self.append(&number, "d", to: message)
    case .string(let text): try Self.append(text, "s", to: message)
    case .objectPath(let path): try Self.append(path, "o", to: message)
    case .variant(let value): try Self.enclose("v", value.signature, in: message, [value])
    case .structure(let members): try Self.enclose("r", members.map(\.signature).joined(), in: message, members)
    case .strings(let texts): try Self.enclose("a", "s", in: message, texts.map { .string($0) })
    case .array(let type, let elements): try Self.enclose("a", type, in: message, elements)
    case .properties(let values):
      try Self.open("a", "{sv}", in: message)
      for (name, value) in values.sorted(by: { $0.key < $1.key }) {
        try Self.enclose("e", "sv", in: message, [.string(name), .variant(value)])
      }
      try Self.close(in: message)
    }
  }

  private static let writing = "write a message for the bus"

  private static func code(_ type: String) -> CChar { CChar(bitPattern: type.utf8.first ?? 0) }

  private static func append(_ value: UnsafeRawPointer, _ type: String, to message: BusMessage) throws(SystemError) {
    try SystemError.checkNegative(unsafe sd_bus_message_append_basic(message.raw, self.code(type), value), self.writing)
  }

  private static func append(_ text: String, _ type: String, to message: BusMessage) throws(SystemError) {
    try SystemError.checkNegative(unsafe sd_bus_message_append_basic(message.raw, self.code(type), text), self.writing)
  }

  private static func open(_ type: String, _ contents: String, in message: BusMessage) throws(SystemError) {
    try SystemError.checkNegative(
      unsafe sd_bus_message_open_container(message.raw, self.code(type), contents), self.writing)
  }

  private static func close(in message: BusMessage) throws(SystemError) {
    try SystemError.checkNegative(unsafe sd_bus_message_close_container(message.raw), self.writing)
  }

  private static func enclose(
    _ type: String, _ contents: String, in message: BusMessage, _ values: [BusValue]
  ) throws(SystemError) {
    try self.open(type, contents, in: message)
    for value in values { try value.append(to: message) }
    try self.close(in: message)
  }
}

// MARK: Reading

extension BusValue {
  /// All values of a message that came in; `nil` if one has a type that is not among these, is deeper or longer than is
  /// read, or if there are more.
  ///
  /// A message may have 32 MiB, and many levels.
  static func all(of message: BusMessage) -> [BusValue]? {
    var left = Self.most
    return Self.rest(of: message, depth: 0, &left)
  }

  private static let deepest = 8
  /// How many values a message may have, with those inside others.
  private static let most = 1024
  /// The bytes of the longest text.
  package static let longestText = 4096

  private static func rest(of message: BusMessage, depth: Int, _ left: inout Int) -> [BusValue]? {
    var values: [BusValue] = []
    while unsafe sd_bus_message_at_end(message.raw, 0) == 0 {
      left -= 1
      guard depth < Self.deepest, left >= 0, let value = Self.next(of: message, depth: depth, &left) else { return nil }
      values.append(value)
    }
    return values
  }

  private static func next(of message: BusMessage, depth: Int, _ left: inout Int) -> BusValue? {
    var type: CChar = 0
    var contents: UnsafePointer<CChar>?
    guard unsafe sd_bus_message_peek_type(message.raw, &type, &contents) > 0 else { return nil }
    let inner = unsafe contents.map { unsafe String(cString: $0) } ?? ""
    switch String(UnicodeScalar(UInt8(bitPattern: type))) {
    case "y":
      var number: UInt8 = 0
      return unsafe sd_bus_message_read_basic(message.raw, type, &number) > 0 ? .byte(number) : nil
    case "b":
      var number: Int32 = 0
      return unsafe sd_bus_message_read_basic(message.raw, type, &number) > 0 ? .boolean(number != 0) : nil
    case "i":
      var number: Int32 = 0
      return unsafe sd_bus_message_read_basic(message.raw, type, &number) > 0 ? .int32(number) : nil
    case "u":
      var number: UInt32 = 0
      return unsafe sd_bus_message_read_basic(message.raw, type, &number) > 0 ? .uint32(number) : nil
    case "t":
      var number: UInt64 = 0
      return unsafe sd_bus_message_read_basic(message.raw, type, &number) > 0 ? .uint64(number) : nil
    case "d":
      var number = 0.0
      return unsafe sd_bus_message_read_basic(message.raw, type, &number) > 0 ? .double(number) : nil
    case "s": return Self.text(of: message, type).map { .string($0) }
    case "o": return Self.text(of: message, type).map { .objectPath($0) }
    case "v": return Self.inside(message, type, inner, depth: depth, &left)?.first.map { .variant($0) }
    case "r": return Self.inside(message, type, inner, depth: depth, &left).map { .structure($0) }
    case "a" where inner == "s":
      return Self.inside(message, type, inner, depth: depth, &left).map { .strings($0.compactMap(\.text)) }
    case "a" where inner == "{sv}":
      guard let entries = Self.inside(message, type, inner, depth: depth, &left) else { return nil }
      var values: [String: BusValue] = [:]
      for case .structure(let entry) in entries {
        if case .string(let name) = entry[0], case .variant(let value) = entry[1] { values[name] = value }
      }
      return .properties(values)
    case "a" where !inner.hasPrefix("{"):
      return Self.inside(message, type, inner, depth: depth, &left).map { .array(of: inner, $0) }
    case "e": return Self.inside(message, type, inner, depth: depth, &left).map { .structure($0) }
    default: return nil
    }
  }

  private static func text(of message: BusMessage, _ type: CChar) -> String? {
    var text: UnsafePointer<CChar>?
    guard unsafe sd_bus_message_read_basic(message.raw, type, &text) > 0 else { return nil }
    guard let text = unsafe text, unsafe strnlen(text, Self.longestText + 1) <= Self.longestText else { return nil }
    return unsafe String(cString: text)
  }

  private static func inside(
    _ message: BusMessage, _ type: CChar, _ contents: String, depth: Int, _ left: inout Int
  ) -> [BusValue]? {
    guard unsafe sd_bus_message_enter_container(message.raw, type, contents) > 0,
      let values = Self.rest(of: message, depth: depth + 1, &left),
      unsafe sd_bus_message_exit_container(message.raw) >= 0
    else { return nil }
    return values
  }
}
