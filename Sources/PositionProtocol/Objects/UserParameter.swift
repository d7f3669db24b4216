import JSONRPC

/// Which user of the system is meant.
public enum UserParameter: Hashable, Sendable {
  /// A name; or a number as text, where no user has it as a name.
  case name(String)
  case number(UInt32)
}

/// On the wire a name is text, and a number an integer.
extension UserParameter: Codable {
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    do {
      self = .name(try container.decode(String.self))
    } catch DecodingError.typeMismatch {
      guard let number = UInt32(exactly: try container.decode(Int.self)) else {
        throw DecodingError.dataCorruptedError(
          in: container, debugDescription: "expected a number that a user can have")
      }
      self = .number(number)
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .name(let name): try container.encode(name)
    case .number(let number): try container.encode(number)
    }
  }
}

extension Schema {
  /// A user's name, which no system has longer, or number.
  static let user = Schema.either(.string(maximumBytes: 256), .integer(minimum: 0))
}
