import JSONRPC
import ProgramArguments

/// The notation of a parameter's value, by its schema in the table.
extension ValueKind where Value == JSONValue {
  /// `nil` for a flag.
  init?(_ schema: Schema, of parameter: String) {
    switch schema {
    case .boolean: return nil
    case .integer(let minimum):
      self.init(placeholder: "COUNT", expectation: "a whole number" + (minimum.map { " from \($0)" } ?? "")) { text in
        Int(text).flatMap { $0 >= minimum ?? .min ? .integer($0) : nil }
      }
    case .number(let range): self = .number(range)
    case .choice(let words):
      let expectation = "one of \(words.joined(separator: ", "))"
      self.init(placeholder: parameter.lastWord, expectation: expectation, names: words) { text in
        words.contains(text) ? .string(text) : nil
      }
    case .either(.choice(let words), .number(let range)): self = .accuracy(words, range)
    case .object(let fields): self = .list(fields)
    default:
      self.init(placeholder: parameter.lastWord, expectation: schema.expectation) { text in
        do throws(RPCError) { return try JSONValue(parsing: Array(text.utf8)) } catch { return .string(text) }
      }
    }
  }

  private static func number(_ range: Schema.NumberRange) -> ValueKind {
    let unit = QuantityUnit(range)
    return ValueKind(
      placeholder: unit.placeholder, expectation: "\(unit.noun)\(range.bounds), such as \(unit.examples)"
    ) { text in unit.read(text).flatMap { range.contains($0) ? .number($0) : nil } }
  }

  /// A level, or a number.
  private static func accuracy(_ words: [String], _ range: Schema.NumberRange) -> ValueKind {
    let unit = QuantityUnit(range)
    return ValueKind(
      placeholder: "LEVEL|\(unit.placeholder)",
      expectation: "one of \(words.joined(separator: ", ")), or \(unit.noun) such as 25 or 25m", names: words
    ) { text in
      if words.contains(text) { return .string(text) }
      return unit.read(text).flatMap { range.contains($0) ? .number($0) : nil }
    }
  }

  /// An object as its members' values, separated by commas. All but the first are optional.
  private static func list(_ fields: [FieldDescription]) -> ValueKind {
    let kinds = fields.compactMap { field in
      ValueKind(field.schema, of: field.name).map { (name: field.name, kind: $0, example: field.example) }
    }
    let examples = String(decoding: JSONValue.array(kinds.map(\.example)).encoded(), as: UTF8.self)
    return ValueKind(
      placeholder: kinds.map(\.kind.placeholder).nested,
      expectation: "\(kinds.map(\.name.spaced).nested), such as \(examples.dropFirst().dropLast())"
    ) { text in
      let parts = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      guard parts.count <= kinds.count else { return nil }
      var members: [String: JSONValue] = [:]
      for (part, member) in zip(parts, kinds) {
        do throws(UsageError) { members[member.name] = try member.kind.value(of: part, option: "") } catch {
          return nil
        }
      }
      return .object(members)
    }
  }
}

/// The unit in which a number is written.
private struct QuantityUnit {
  let placeholder: String
  let noun: String
  let examples: String
  let read: @Sendable (String) -> Double?

  init(_ range: Schema.NumberRange) {
    self.noun = range.unit ?? "a number"
    switch range.unit {
    case "metres": (self.placeholder, self.examples, self.read) = ("METRES", "25 or 1.5km", Quantity.meters)
    case "seconds": (self.placeholder, self.examples, self.read) = ("SECONDS", "30 or 5min", Quantity.seconds)
    case "degrees": (self.placeholder, self.examples, self.read) = ("DEGREES", "5", Quantity.degrees)
    default: (self.placeholder, self.examples, self.read) = ("NUMBER", "5", Quantity.number)
    }
  }
}

extension Schema.NumberRange {
  /// The range in the unit. The maximum of seconds is left out, because nobody needs it.
  fileprivate var bounds: String {
    switch (self.lower, self.unit == "seconds" ? nil : self.maximum) {
    case (.none, nil), (.from(0), nil): ""
    case (.none, let maximum?): " up to \(maximum.plain)"
    case (.above(let bound), nil): " greater than \(bound.plain)"
    case (.above(let bound), let maximum?): " greater than \(bound.plain), up to \(maximum.plain)"
    case (.from(let bound), nil): " from \(bound.plain)"
    case (.from(let bound), let maximum?): " from \(bound.plain) to \(maximum.plain)"
    }
  }
}

extension [String] {
  /// The second and later values in brackets, since they are optional: `SECONDS[,METRES[,METRES]]`.
  fileprivate var nested: String {
    self.joined(separator: "[,") + String(repeating: "]", count: Swift.max(0, self.count - 1))
  }
}

extension String {
  /// The last word of `significantDistance` as a placeholder, `DISTANCE`.
  fileprivate var lastWord: String { self.spaced.split(separator: " ").last.map { $0.uppercased() } ?? "VALUE" }
}
