import JSONRPC
import Notations
import PositionProtocol
import Positioning
import Printable
import ProgramArguments

/// How fixes are written for other programs: the values that a script wants, or a notation of another standard.
enum FixNotation: Hashable, Sendable {
  /// These members of the fix, as on the wire, with this between them.
  case members([String], separator: Character)
  /// RFC 5870, such as `geo:48.137154,11.575382,565.9;u=3.1`.
  case geoURI
  /// RFC 7946: one collection of all fixes.
  case geoJSON
  /// The place alone, in a notation for people.
  case place(CoordinateNotation)

  /// Whether its symbols can be replaced.
  var isForPeople: Bool { if case .place = self { true } else { false } }

  static let option = Option(
    "format", FixNotation.kind,
    "print fixes only: geo, geojson, a notation such as mgrs, or members of the fix such as "
      + "\"latitude longitude\"")

  private static let members = Fix.wire.descriptions.map(\.name)

  private static let kind = ValueKind<FixNotation>(
    placeholder: "FORMAT",
    expectation:
      "geo, geojson, a notation such as mgrs, or members of a fix such as \"latitude longitude\"",
    names: ["geo", "geojson"] + CoordinateNotation.allCases.map(\.rawValue) + members
  ) { (text: String) throws(UsageError) -> FixNotation? in
    if text == "geo" { return .geoURI }
    if text == "geojson" { return .geoJSON }
    if let notation = CoordinateNotation(rawValue: text) { return .place(notation) }
    let separator: Character = text.contains(",") ? "," : " "
    let names = text.split { $0 == "," || $0 == " " }.map(String.init)
    // A single wrong word gets the error that also proposes the notations.
    guard names.count > 1 || names.allSatisfy({ members.contains($0) }) else { return nil }
    for name in names where !members.contains(name) {
      let meant = Spelling.nearest(to: name, among: members).map { "; did you mean \"\($0)\"?" } ?? ""
      throw UsageError("a fix has no member \"\(name)\"\(meant)")
    }
    return names.isEmpty ? nil : .members(names, separator: separator)
  }

  /// The notation of a command line; `nil` if none was given.
  static func given(in arguments: Arguments) throws(UsageError) -> FixNotation? {
    guard let notation = arguments[self.option] else { return nil }
    if arguments.has(CommonOptions.json) {
      throw UsageError("--format and --json cannot be combined")
    }
    return notation
  }
}

/// The lines of one output in a notation.
struct FixWriter {
  private let notation: FixNotation
  private var count = 0

  init(_ notation: FixNotation) { self.notation = notation }

  /// What comes before the first fix.
  var beginning: [String] { self.notation == .geoJSON ? [#"{"type":"FeatureCollection","features":["#] : [] }
  /// What comes after the last fix.
  var end: [String] { self.notation == .geoJSON ? ["]}"] : [] }

  mutating func line(_ fix: Fix, at moment: CodingMoment) -> String {
    defer { self.count += 1 }
    switch self.notation {
    case .members(let names, let separator): return Self.values(of: names, in: fix, separator, at: moment)
    case .geoURI: return Self.geoURI(fix, at: moment)
    case .place(let notation): return PositionFormat(notation: notation).place(fix)
    case .geoJSON: return (self.count > 0 ? "," : "") + JSONFormat.line(Self.feature(fix, at: moment))
    }
  }

  /// The fix as on the wire.
  private static func members(of fix: Fix, at moment: CodingMoment) -> [String: JSONValue] {
    let line = JSONFormat.line(fix, moment: moment)
    guard case .object(let members)? = try? JSONValue(parsing: Array(line.utf8)) else {
      preconditionFailure("A fix is written as \(line)")
    }
    return members
  }

  private static func text(_ value: JSONValue) -> String {
    if case .string(let text) = value { text } else { JSONFormat.line(value) }
  }

  /// What is unknown is a dash between blanks, which a shell would skip otherwise, and nothing between commas.
  private static func values(
    of names: [String], in fix: Fix, _ separator: Character, at moment: CodingMoment
  ) -> String {
    let members = self.members(of: fix, at: moment)
    let unknown = separator == "," ? "" : "-"
    return names.map { members[$0].map(self.text) ?? unknown }.joined(separator: String(separator))
  }

  /// The altitude of these notations is that above the ellipsoid.
  private static func coordinates(_ members: [String: JSONValue], _ names: [String]) -> [JSONValue] {
    (names + ["ellipsoidalAltitude"]).compactMap { members[$0] }
  }

  private static func geoURI(_ fix: Fix, at moment: CodingMoment) -> String {
    let members = self.members(of: fix, at: moment)
    let place = self.coordinates(members, ["latitude", "longitude"]).map(self.text).joined(separator: ",")
    return "geo:\(place)" + (members["horizontalAccuracy"].map { ";u=\(self.text($0))" } ?? "")
  }

  private static func feature(_ fix: Fix, at moment: CodingMoment) -> JSONValue {
    let members = self.members(of: fix, at: moment)
    let coordinates = self.coordinates(members, ["longitude", "latitude"])
    let properties = members.filter { $0.key != "latitude" && $0.key != "longitude" }
    return [
      "type": "Feature", "geometry": ["type": "Point", "coordinates": .array(coordinates)],
      "properties": .object(properties),
    ]
  }
}

extension Conversation {
  /// Prints lines whatever the form of other results; if the output can take no more, the command ends.
  func write(_ lines: [String], in notation: FixNotation) {
    self.context.process.print(lines.map { Line($0) }, isForPrograms: !notation.isForPeople)
    self.endIfUnread()
  }

  /// Prints the only fix of a command, if there is one, in a notation.
  func write(_ fix: Fix?, in notation: FixNotation) {
    var writer = FixWriter(notation)
    self.write(
      writer.beginning + (fix.map { [writer.line($0, at: self.context.moment)] } ?? []) + writer.end, in: notation)
  }
}
