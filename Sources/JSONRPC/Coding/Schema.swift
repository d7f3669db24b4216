/// The values that a member may have: checked when read, and shown in the self-description.
public indirect enum Schema: Hashable, Sendable {
  case boolean
  case integer(minimum: Int?)
  case number(NumberRange)
  /// At most so many bytes of UTF-8.
  case string(maximumBytes: Int?)
  /// One of these strings.
  case choice([String])
  /// ISO 8601, UTC.
  case time
  /// A string or an integer, as a request's id is.
  case requestID
  case either(Schema, Schema)
  case array(Schema)
  case object([FieldDescription])
  /// An object with any members.
  case dictionary(Schema)
  /// An object that the self-description describes under a name.
  case reference(String)
  case any

  /// The accepted numbers, and their unit in the plural.
  public struct NumberRange: Hashable, Sendable {
    public enum Lower: Hashable, Sendable {
      case none
      case above(Double)
      case from(Double)
    }

    public var lower: Lower
    /// Inclusive.
    public var maximum: Double?
    public var unit: String?

    public init(_ lower: Lower, maximum: Double? = nil, unit: String? = nil) {
      self.lower = lower
      self.maximum = maximum
      self.unit = unit
    }

    package func contains(_ number: Double) -> Bool {
      if let maximum = self.maximum, number > maximum { return false }
      return switch self.lower {
      case .none: true
      case .above(let bound): number > bound
      case .from(let bound): number >= bound
      }
    }
  }
}

extension Schema {
  /// The expected value, as the end of a sentence that begins with "expected".
  public var expectation: String {
    switch self {
    case .boolean: "true or false"
    case .integer(nil): "an integer"
    case .integer(let minimum?): "an integer of at least \(minimum)"
    case .number(let range): range.expectation
    case .string(nil): "a string"
    case .string(let bytes?): "a string of at most \(bytes) bytes"
    case .choice(let choices): "one of \(choices.joined(separator: ", "))"
    case .time: "a time such as 2026-01-31T12:00:00.000Z"
    case .requestID: "a string or an integer"
    case .either(let first, let second): "\(first.expectation) or \(second.expectation)"
    case .array: "an array"
    case .object, .dictionary, .reference: "an object"
    case .any: "a value"
    }
  }
}

extension Schema.NumberRange {
  var expectation: String {
    let noun = self.unit.map { "\($0)" } ?? "a number"
    return switch (self.lower, self.maximum) {
    case (.none, nil): self.unit.map { "a number of \($0)" } ?? "a number"
    case (.none, let maximum?): "\(noun) up to \(JSONView.text(of: maximum))"
    case (.above(let bound), nil): "\(noun) greater than \(JSONView.text(of: bound))"
    case (.above(let bound), let maximum?):
      "\(noun) greater than \(JSONView.text(of: bound)) and up to \(JSONView.text(of: maximum))"
    case (.from(let bound), nil): "\(noun) of at least \(JSONView.text(of: bound))"
    case (.from(let bound), let maximum?): "\(noun) from \(JSONView.text(of: bound)) to \(JSONView.text(of: maximum))"
    }
  }
}
