import ConfigurationTables
import JSONRPC
import Notations
import PositionProtocol
import Positioning
import ProgramArguments
import TestSupport
import Testing

@testable import ControlCommands

/// In which units and notations people read positions.
struct DisplayTests {
  private static func settings(
    _ words: [String] = [], _ environment: [String: String] = [:], file: String? = nil
  ) throws -> DisplaySettings {
    let arguments = try Arguments(words[...], of: LastCommand.description)
    return DisplaySettings(arguments, environment: environment) { path in
      file.map { .success(ConfigurationFile(path: path, contents: Array($0.utf8))) }
    }
  }

  @Test("An option precedes the environment, which precedes the file; each of the two settings by itself")
  func precedence() throws {
    let environment = ["HOME": "/home/ada", "POSITIONCTL_UNITS": "imperial"]
    let file = "[display]\nunits=nautical\ncoordinates=dms\n"
    #expect(try Self.settings().format == PositionFormat(units: .metric, notation: .decimal))
    #expect(
      try Self.settings([], ["HOME": "/home/ada"], file: file).format
        == PositionFormat(units: .nautical, notation: .dms))
    #expect(try Self.settings([], environment, file: file).format == PositionFormat(units: .imperial, notation: .dms))
    #expect(
      try Self.settings(["--units", "metric"], environment, file: file).format
        == PositionFormat(units: .metric, notation: .dms))
    #expect(
      try Self.settings(["--coordinates", "mgrs"], ["POSITIONCTL_COORDINATES": "geohash"], file: file).format.notation
        == .mgrs)
  }

  @Test("The file is in the user's folder for configuration, and without a home there is none")
  func path() {
    #expect(DisplaySettings.path(["XDG_CONFIG_HOME": "/x", "HOME": "/home/ada"]) == "/x/positionctl.conf")
    #expect(
      DisplaySettings.path(["XDG_CONFIG_HOME": "x", "HOME": "/home/ada"]) == "/home/ada/.config/positionctl.conf")
    #expect(DisplaySettings.path([:]) == nil)
  }

  @Test("A wrong line is reported with file and line, and the command goes on with what else is said")
  func wrongLines() throws {
    let file = "units=metric\n[display]\nunits=nautic\nunit=metric\ncoordinates=utm\n[dispay]\nx=1\n"
    let settings = try Self.settings([], ["XDG_CONFIG_HOME": "/x"], file: file)
    #expect(settings.format == PositionFormat(units: .metric, notation: .utm))
    #expect(
      settings.problems == [
        "/x/positionctl.conf:1: 'units' stands before the first section; put a section such as [display] above it; "
          + "the line is ignored",
        "/x/positionctl.conf:3: units: invalid value \"nautic\", expected one of metric, nautical, imperial; did you mean "
          + "\"nautical\"?; the line is ignored",
        "/x/positionctl.conf:4: unit is unknown; did you mean units?; the line is ignored",
        "/x/positionctl.conf:6: [dispay] is unknown; did you mean [display]?; the line is ignored",
      ])
    let environment = try Self.settings([], ["POSITIONCTL_UNITS": "miles", "POSITIONCTL_COORDINATES": ""])
    #expect(environment.format == PositionFormat(units: .metric, notation: .decimal))
    #expect(
      environment.problems == [
        "POSITIONCTL_UNITS: invalid value \"miles\", expected one of metric, nautical, imperial; it is ignored"
      ])
  }

  @Test("A command shows positions in the units and the notation, and JSON stays as the protocol has it")
  func commands() async throws {
    let daemon = try FakeDaemon { method, _ in
      method == "position.last"
        ? [.result(["fix": Samples.fix, "achievedAccuracy": "house", "availability": "available"])]
        : [.result(Samples.success)]
    }
    let setting = CommandRun.Setting(environment: ["POSITIONCTL_UNITS": "imperial", "POSITIONCTL_COORDINATES": "wrong"])
    let last = try await CommandRun.of(["last", "--coordinates=dm"], at: daemon.path, setting)
    #expect(
      last.output
        == "48°08.2292′N 11°34.5674′E ±36 ft (house), 3D, 9 satellites, 1788 ft, 2.7 mph, course 271°, 0.4 s ago\n")
    #expect(last.errors == "")
    let get = try await CommandRun.of(["get", "--units", "nautical"], at: daemon.path, setting)
    #expect(get.output == Samples.fixLine.replacing("1.2 m/s", with: "2.3 kn") + "\n")
    #expect(get.errors.contains("POSITIONCTL_COORDINATES: invalid value \"wrong\""))
    let json = try await CommandRun.of(["last", "--json", "--units", "imperial"], at: daemon.path, setting)
    #expect(json.output.contains("\"horizontalAccuracy\":11,"))
    #expect(json.errors == "")
  }

  @Test(
    "The place of a region is read in every notation",
    arguments: [
      "48.137154,11.576124", "48°08′13.75″N 11°34′34.05″E", "32U PU 91650 34754", "8FWH4HPG+VC", "32U 691650 5334754",
      "u281z7j7p",
    ])
  func region(place: String) throws {
    let words = ["home", "--circle", "\(place),492ft"]
    let arguments = try Arguments(words[...], of: RegionWatchCommand.description)
    let region = try RegionOptions.region(id: "home", arguments)
    guard case .circle(let center, let radius) = region.shape else { throw InvalidShape() }
    #expect(abs(center.latitude - 48.137154) < 0.0001 && abs(center.longitude - 11.576124) < 0.0001)
    #expect(abs(radius - 149.96) < 0.01)
  }

  @Test("The corners of a polygon are read in every notation, with semicolons if it has spaces")
  func polygon() throws {
    for corners in ["48,11 8FWH4HPG+VC 32UPU9165034754", "48 N, 11 E; 8FWH4HPG+VC; 32U PU 91650 34754"] {
      let arguments = try Arguments(["home", "--polygon", corners], of: RegionWatchCommand.description)
      guard case .polygon(let places) = try RegionOptions.region(id: "home", arguments).shape else {
        throw InvalidShape()
      }
      #expect(places.count == 3)
    }
  }

  private struct InvalidShape: Error {}

  @Test(
    "Without Unicode symbols are written in ASCII",
    arguments: [
      ("±11 m, course 271°, 0.4 s ago", "+/-11 m, course 271 deg, 0.4 s ago"),
      ("48°08′13.75″N 11°34′34.05″E", "48d08'13.75\"N 11d34'34.05\"E"), ("Zoë…", "Zo\\u{eb}..."), ("plain", "plain"),
    ])
  func ascii(text: String, written: String) {
    #expect(Line(text).written(isColored: false, isUnicode: false) == written)
    #expect(Line(text).written(isColored: false) == text)
  }

  @Test(
    "The locale says whether there is Unicode",
    arguments: [
      ([:], false), (["LANG": "C.UTF-8"], true), (["LANG": "de_DE.utf8@euro"], true), (["LANG": "de_DE@euro"], false),
      (["LANG": "C.UTF-8", "LC_ALL": "C"], false), (["LANG": "C", "LC_CTYPE": "en_US.UTF-8", "LC_ALL": ""], true),
    ] as [([String: String], Bool)])
  func locale(environment: [String: String], isUnicode: Bool) {
    #expect(environment.isUnicode == isUnicode)
  }
}
