/// What a value on the wire may be; checked on the way in, and told in the self-description.
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
  /// An object whose members are not known beforehand.
  case dictionary(Schema)
  /// An object that the self-description describes under a name.
  case reference(String)
  case any

  /// The numbers that serve, and their unit in the plural.
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

    func contains(_ number: Double) -> Bool {
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
  /// What is expected, in words that follow "expected".
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

  /// Whether the value serves, as far as it can be told without looking into arrays and objects.
  func accepts(_ value: ShallowValue) -> Bool {
    switch self {
    case .boolean: if case .boolean = value { true } else { false }
    case .integer(let minimum): if case .integer(let integer) = value { integer >= minimum ?? .min } else { false }
    case .number(let range):
      switch value {
      case .integer(let integer): range.contains(Double(integer))
      case .number(let number): range.contains(number)
      case .null, .boolean, .string, .array, .object: false
      }
    case .string(let bytes): if case .string(let string) = value { string.utf8.count <= bytes ?? .max } else { false }
    case .choice(let choices): if case .string(let string) = value { choices.contains(string) } else { false }
    case .time: if case .string = value { true } else { false }
    case .requestID:
      switch value {
      case .string, .integer: true
      case .null, .boolean, .number, .array, .object: false
      }
    case .either(let first, let second): first.accepts(value) || second.accepts(value)
    case .array: value == .array
    case .object, .dictionary, .reference: value == .object
    case .any: true
    }
  }
}

extension Schema {
  /// Whether it is a word where a word is expected, one of a later version perhaps.
  func isWord(_ value: ShallowValue) -> Bool {
    if case (.choice, .string) = (self, value) { true } else { false }
  }
}

extension Schema.NumberRange {
  var expectation: String {
    let noun = self.unit.map { "\($0)" } ?? "a number"
    return switch (self.lower, self.maximum) {
    case (.none, nil): self.unit.map { "a number of \($0)" } ?? "a number"
    case (.none, let maximum?): "\(noun) up to \(JSONText.number(maximum))"
    case (.above(let bound), nil): "\(noun) greater than \(JSONText.number(bound))"
    case (.above(let bound), let maximum?):
      "\(noun) greater than \(JSONText.number(bound)) and up to \(JSONText.number(maximum))"
    case (.from(let bound), nil): "\(noun) of at least \(JSONText.number(bound))"
    case (.from(let bound), let maximum?): "\(noun) from \(JSONText.number(bound)) to \(JSONText.number(maximum))"
    }
  }
}
