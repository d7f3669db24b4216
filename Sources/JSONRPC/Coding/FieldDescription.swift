/// The description of one member of an object on the wire: a parameter, or a part of a result.
public struct FieldDescription: Hashable, Sendable {
  public enum Presence: Hashable, Sendable {
    case required
    /// Absent means unknown or not applicable.
    case optional
    /// Absent means this value.
    case defaulted(JSONValue)
  }

  public var name: String
  public var schema: Schema
  public var presence: Presence
  /// One sentence, with the unit.
  public var description: String
  /// A value in its form on the wire.
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

/// The description of a request's result.
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
