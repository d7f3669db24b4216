import JSONRPC
import Notations
import PositionProtocol
import Positioning
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

/// Parameters of regions with a notation of their own.
extension ValueKind where Value == JSONValue {
  static let circle = ValueKind(
    placeholder: "PLACE,RADIUS",
    expectation: "a place in any notation and metres, such as 48.137,11.575,150m or \(PlaceReader.examples[1]),150m"
  ) { (text: String) throws(UsageError) -> JSONValue? in
    guard let comma = text.lastIndex(of: ","), let radius = Quantity.meters(text[text.index(after: comma)...].trimmed),
      let place = try Self.place(text[..<comma])
    else { return nil }
    return ["latitude": .number(place.latitude), "longitude": .number(place.longitude), "radius": .number(radius)]
  }

  static let polygon = ValueKind(
    placeholder: "PLACE...",
    expectation: "corners with spaces between them, such as \"48.1,11.5 48.2,11.5 48.1,11.6\", or with semicolons in "
      + "notations that have spaces themselves"
  ) { (text: String) throws(UsageError) -> JSONValue? in
    let corners = text.split(separator: text.contains(";") ? ";" : " ")
    var places: [JSONValue] = []
    for corner in corners {
      guard let place = try Self.place(corner) else { return nil }
      places.append([.number(place.latitude), .number(place.longitude)])
    }
    return places.isEmpty ? nil : .array(places)
  }

  /// Decimal degrees are read here, because the daemon says what is wrong with those that are out of range.
  private static func place(_ text: Substring) throws(UsageError) -> (latitude: Double, longitude: Double)? {
    let degrees = text.split(separator: ",", omittingEmptySubsequences: false).map { Quantity.signedDegrees($0) }
    if degrees.count == 2, let latitude = degrees[0], let longitude = degrees[1] { return (latitude, longitude) }
    do throws(UnclearPlace) {
      return try PlaceReader.place(String(text)).map { ($0.latitude, $0.longitude) }
    } catch {
      throw UsageError(error.message)
    }
  }

  static let events = ValueKind(
    placeholder: "EVENT,...", expectation: "one or more of enter, exit, dwell and crossed, with commas between them"
  ) { text in
    let words = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    let known: [RegionEventKind] = [.enter, .exit, .dwell, .crossed]
    let isKnown = words.allSatisfy { word in known.contains { $0.rawValue == word } }
    return isKnown ? .array(words.map { .string($0) }) : nil
  }
}

extension ValueKind where Value == Int {
  static let event = ValueKind(placeholder: "EVENT", expectation: "an event's number, such as 1234") { text in
    Int(text).flatMap { $0 >= 0 ? $0 : nil }
  }
}

extension ValueKind where Value == Duration {
  /// An interval or a duration, with the daemon's minimum.
  static let period = ValueKind(placeholder: "SECONDS", expectation: "seconds from 0.1, such as 30 or 5min") {
    Quantity.seconds($0).flatMap { $0 >= 0.1 ? Duration(wireSeconds: $0) : nil }
  }
}

extension ValueKind where Value == Int {
  static let count = ValueKind(placeholder: "COUNT", expectation: "a whole number from 1") { text in
    Int(text).flatMap { $0 >= 1 ? $0 : nil }
  }
}

/// Reads numbers with a unit, as people write them.
enum Quantity {
  /// Metres, from `25`, `25m`, `1.5km`, `80ft`, `100yd`, `2mi` or `0.5nmi`; `nil` for any other text.
  static func meters(_ text: String) -> Double? {
    self.read(
      text,
      units: [
        ("nmi", UnitSystem.metersPerNauticalMile), ("mi", UnitSystem.metersPerMile), ("yd", UnitSystem.metersPerYard),
        ("ft", UnitSystem.metersPerFoot), ("km", 1000), ("m", 1),
      ])
  }

  /// Seconds, from `30`, `30s`, `500ms`, `5min` or `2h`, up to the daemon's limit of 1e9; `nil` for any other text.
  static func seconds(_ text: String) -> Double? {
    self.read(text, units: [("ms", 0.001), ("min", 60), ("s", 1), ("h", 3600)]).flatMap { $0 <= 1e9 ? $0 : nil }
  }

  /// A number without a unit, such as `5` or `0.5`; `nil` for any other text.
  static func number(_ text: String) -> Double? { self.read(text, units: []) }

  /// Degrees, from `5` or `5°`; `nil` for any other text.
  static func degrees(_ text: String) -> Double? {
    self.read(text, units: [("°", 1)])
  }

  /// Degrees of a coordinate, such as `48.137`, `-0.5` or `+11.5`; `nil` for any other text.
  static func signedDegrees(_ text: Substring) -> Double? {
    let isNegative = text.hasPrefix("-")
    let digits = isNegative || text.hasPrefix("+") ? text.dropFirst() : text
    return self.read(String(digits), units: []).map { isNegative ? -$0 : $0 }
  }

  /// - Parameter units: A unit that ends in another one must precede it.
  private static func read(_ text: String, units: [(suffix: String, factor: Double)]) -> Double? {
    let unit = units.first { text.hasSuffix($0.suffix) }
    let digits = text.dropLast(unit?.suffix.count ?? 0)
    // Double's own parser also accepts "nan", "0x1p3" and "1e3", which are errors here.
    guard digits.allSatisfy({ $0.isASCII && ($0.isNumber || $0 == ".") }), let number = Double(digits) else {
      return nil
    }
    let value = number * (unit?.factor ?? 1)
    return value.isFinite ? value : nil
  }
}

extension Substring {
  /// Without blanks at either end.
  fileprivate var trimmed: String {
    String(self.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }
}
