/// What one member of an object on the wire is: a parameter, or a part of a result.
public struct FieldDescription: Hashable, Sendable {
  public enum Presence: Hashable, Sendable {
    case required
    /// Absent means unknown, or that it does not apply.
    case optional
    /// Absent means the value.
    case defaulted(JSONValue)
  }

  public var name: String
  public var schema: Schema
  public var presence: Presence
  /// One sentence, with the unit.
  public var description: String
  /// A value as it stands on the wire.
  public var example: JSONValue

  public init(
    _ name: String, _ schema: Schema, _ presence: Presence = .required, example: JSONValue, _ description: String
  ) {
    self.name = name
    self.schema = schema
    self.presence = presence
    self.description = description
    self.example = example
  }

  public var isRequired: Bool { self.presence == .required }
}

/// What a request is answered with.
public struct ResultDescription: Hashable, Sendable {
  public var name: String
  public var schema: Schema
  public var description: String

  public init(_ name: String, _ schema: Schema, _ description: String) {
    self.name = name
    self.schema = schema
    self.description = description
  }
}
