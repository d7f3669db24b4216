/// A JSON value without what is inside it: enough to check a parameter, at a cost that its size does not raise.
enum ShallowValue: Hashable {
  case null
  case boolean(Bool)
  case integer(Int)
  case number(Double)
  case string(String)
  case array
  case object
}

extension ShallowValue: Decodable {
  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let string = try ShallowValue.unlessMismatched({ try container.decode(String.self) }) {
      self = .string(string)
    } else if let boolean = try ShallowValue.unlessMismatched({ try container.decode(Bool.self) }) {
      self = .boolean(boolean)
    } else if let integer = try ShallowValue.unlessMismatched({ try container.decode(Int.self) }) {
      self = .integer(integer)
    } else if let number = try ShallowValue.unlessMismatched({ try container.decode(Double.self) }) {
      self = .number(number)
    } else if try ShallowValue.unlessMismatched({ try decoder.unkeyedContainer() }) != nil {
      self = .array
    } else {
      _ = try decoder.container(keyedBy: AnyKey.self)
      self = .object
    }
  }

  /// What `decode` gives, `nil` where the value is of another type.
  ///
  /// The decoder throws errors of types of its own where a number does not fit, so every error means "of another
  /// type" here; a value that is of none makes the last attempt throw.
  private static func unlessMismatched<Value>(_ decode: () throws -> Value) throws -> Value? {
    do { return try decode() } catch { return nil }
  }
}

extension ShallowValue: CustomStringConvertible {
  /// The value as an error message tells it; long strings are cut.
  var description: String {
    switch self {
    case .null: "null"
    case .boolean(let boolean): "\(boolean)"
    case .integer(let integer): "\(integer)"
    case .number(let number): "\(number)"
    case .string(let string): string.quoted
    case .array: "an array"
    case .object: "an object"
    }
  }
}

extension String {
  /// In quotation marks, cut to a length that an error message can carry.
  package var quoted: String {
    "\"\(self.shortened)\""
  }

  /// Cut if it is longer than any name; by scalars, since one character may have any number of them.
  var shortened: String {
    self.utf8.count <= 64 ? self : "\(String(String.UnicodeScalarView(self.unicodeScalars.prefix(40))))..."
  }
}

/// Any key of an object.
struct AnyKey: CodingKey {
  var stringValue: String
  var intValue: Int? { nil }

  init(_ string: String) { self.stringValue = string }
  init(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { return nil }
}
