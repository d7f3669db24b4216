/// What a client names a request by; the reply carries it back.
///
/// A reply to a request whose id could not be read carries `null`, which is an absent `RequestID` here.
public enum RequestID: Hashable, Sendable {
  case string(String)
  case integer(Int)
}

extension RequestID {
  /// A longer string is no id: a server keeps every id until its request is answered.
  package static let maximumBytes = 256

  var isTooLong: Bool {
    switch self {
    case .string(let string): string.utf8.count > RequestID.maximumBytes
    case .integer: false
    }
  }
}

extension RequestID: Codable {
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    do {
      self = .string(try container.decode(String.self))
    } catch DecodingError.typeMismatch {
      self = .integer(try container.decode(Int.self))
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .string(let string): try container.encode(string)
    case .integer(let integer): try container.encode(integer)
    }
  }
}

extension RequestID: CustomStringConvertible {
  /// The id for people: a string in quotation marks, cut where it is long.
  public var description: String {
    switch self {
    case .string(let string): string.quoted
    case .integer(let integer): "\(integer)"
    }
  }
}

extension RequestID: ExpressibleByIntegerLiteral, ExpressibleByStringLiteral {
  public init(integerLiteral value: Int) { self = .integer(value) }
  public init(stringLiteral value: String) { self = .string(value) }
}
