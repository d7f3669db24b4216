import JSONRPC

/// A user of the system.
public enum UserParameter: Hashable, Sendable {
  /// A name, or a number as text if no user has that name.
  case name(String)
  case number(UInt32)
}

/// On the wire a name is text, and a number an integer.
extension UserParameter {
  /// Longer than the user names of any system.
  private static let schema = Schema.either(.string(maximumBytes: 256), .integer(minimum: 0))

  static let codec: Codec<UserParameter> = Codec(
    schema,
    write: { user, writer in
      switch user {
      case .name(let name): writer.string(name)
      case .number(let number): writer.integer(Int(number))
      }
    },
    read: { (view: JSONView, _: ReadingContext) throws(CodingFailure) -> UserParameter in
      if let name = view.string, name.utf8.count <= 256 { return .name(name) }
      guard let integer = view.integer, integer >= 0 else {
        throw .found("\(view)", expected: UserParameter.schema.expectation)
      }
      guard let number = UInt32(exactly: integer) else {
        throw CodingFailure(.described("expected a number that a user can have"))
      }
      return .number(number)
    })
}
