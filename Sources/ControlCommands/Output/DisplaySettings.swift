import ConfigurationTables
import Notations
import Printable
import ProgramArguments

/// How a person wants to read positions: by the options, else by the environment, else by a file of the person's own, else
/// in metres and decimal degrees.
///
/// What is wrong in the environment or in the file is reported, and does not keep a command from running.
struct DisplaySettings {
  static let units = Option("units", UnitSystem.kind, "for people: metric, nautical or imperial units")
  static let coordinates = Option(
    "coordinates", CoordinateNotation.kind, "for people: the notation of places, such as dms")

  static let options: [any CommandOption] = [Self.units, Self.coordinates]

  /// The variables of the environment.
  static let (unitsVariable, coordinatesVariable) = ("POSITIONCTL_UNITS", "POSITIONCTL_COORDINATES")
  /// The file, in the user's folder for configuration.
  static let file = "positionctl.conf"

  private(set) var format = PositionFormat()
  /// What was wrong, for people.
  private(set) var problems: [String] = []

  /// - Parameter file: Reads the person's file, if options and environment leave anything open.
  init(
    _ arguments: Arguments, environment: [String: String],
    file: (_ path: String) -> Result<ConfigurationFile, ConfigurationError>?
  ) {
    var units = arguments[Self.units]
    var notation = arguments[Self.coordinates]
    if units == nil { units = self.read(Self.unitsVariable, of: environment, UnitSystem.kind) }
    if notation == nil { notation = self.read(Self.coordinatesVariable, of: environment, CoordinateNotation.kind) }
    if units == nil || notation == nil, let path = Self.path(environment), let read = file(path) {
      let found = self.read(read)
      (units, notation) = (units ?? found.units, notation ?? found.notation)
    }
    self.format = PositionFormat(units: units ?? .metric, notation: notation ?? .decimal)
  }

  /// `$XDG_CONFIG_HOME/positionctl.conf`, else `~/.config/positionctl.conf`; `nil`: there is no home.
  static func path(_ environment: [String: String]) -> String? {
    // The specification ignores relative paths.
    if let folder = environment["XDG_CONFIG_HOME"], folder.hasPrefix("/") { return "\(folder)/\(self.file)" }
    guard let home = environment["HOME"], home.hasPrefix("/") else { return nil }
    return "\(home)/.config/\(self.file)"
  }

  private mutating func read<Value>(
    _ variable: String, of environment: [String: String], _ kind: ValueKind<Value>
  ) -> Value? {
    guard let text = environment[variable], !text.isEmpty else { return nil }
    do throws(UsageError) {
      return try kind.value(of: text, option: variable)
    } catch {
      self.problems.append("\(error.message); it is ignored")
      return nil
    }
  }

  private mutating func read(
    _ file: Result<ConfigurationFile, ConfigurationError>
  ) -> (units: UnitSystem?, notation: CoordinateNotation?) {
    var found: (units: UnitSystem?, notation: CoordinateNotation?) = (nil, nil)
    switch file {
    case .failure(let error): self.problems.append("\(error); it is ignored")
    case .success(let file):
      let reader = ConfigurationReader(file, example: Self.section)
      var errors = reader.errors
      for section in reader.sections where "\(section.title)" != Self.section {
        errors.append(
          ConfigurationError(
            file: file.path, line: section.line, message: Self.unknown("[\(section.title)]", ["[\(Self.section)]"])))
      }
      for entry in reader.entries where "\(entry.section)" == Self.section {
        do throws(UsageError) {
          switch entry.key {
          case Self.units.name: found.units = try UnitSystem.kind.value(of: entry.value, option: entry.key)
          case Self.coordinates.name:
            found.notation = try CoordinateNotation.kind.value(of: entry.value, option: entry.key)
          default: throw UsageError(Self.unknown(entry.key, Self.options.map(\.name)))
          }
        } catch {
          errors.append(ConfigurationError(file: file.path, line: entry.line, message: error.message))
        }
      }
      self.problems += errors.sorted { ($0.line ?? 0) < ($1.line ?? 0) }.map { "\($0); the line is ignored" }
    }
    return found
  }

  private static let section = "display"

  private static func unknown(_ word: String, _ known: [String]) -> String {
    let meant = Spelling.nearest(to: word, among: known)
    return "\(word) is unknown; " + (meant.map { "did you mean \($0)?" } ?? "known: \(known.joined(separator: ", "))")
  }
}

extension UnitSystem {
  static let kind = ValueKind<UnitSystem>.choice("UNITS")
}

extension CoordinateNotation {
  static let kind = ValueKind<CoordinateNotation>.choice("NOTATION")
}
