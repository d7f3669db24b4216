import EventLoop
import Glibc
import JSONRPC
import Positioning
import ReceiverSimulator
import TestSupport
import Testing

/// `positionctl track` with a receiver that drives in a circle at 10 m/s.
@Suite(.timeLimit(.minutes(TestDeadline.minutes))) struct TrackTests {
  private static let speed = 10.0

  private static func fixture() throws -> IntegrationFixture {
    var settings = IntegrationFixture.Settings()
    settings.receiver.period = .milliseconds(200)
    settings.receiver.errors.noise = 1
    return try IntegrationFixture(settings)
  }

  @Test func `a drive is recorded in every format, with its length`() async throws {
    try await withLoop { loop in
      let fixture = try Self.fixture()
      let formats = ["gpx", "geojson", "svg"]
      let runs = try formats.map { format in
        try Self.track(fixture, ["-o", "\(fixture.folder)/drive.\(format)", "--duration", "20", "--json"], on: loop)
      }
      for (format, run) in zip(formats, runs) {
        #expect(try run.waitForExit() == 0, "\(run.output)")
        let report = try JSONValue(parsing: Array(run.output.utf8))
        let driven = try #require(report["duration"]?.double) * Self.speed
        #expect(driven > 100, "\(run.output)")
        #expect(abs(try #require(report["distance"]?.double) - driven) < 0.05 * driven, "\(run.output)")
        try Self.check("drive.\(format)", format: format, in: fixture, on: loop)
      }

      let text = String(decoding: try File.read("\(fixture.folder)/drive.gpx"), as: UTF8.self)
      let track = try Track(gpx: text, name: "drive.gpx")
      let first = try #require(track.waypoints.first)
      let last = try #require(track.waypoints.last)
      let steps = zip(track.waypoints, track.waypoints.dropFirst())
      let length = steps.map { $0.coordinate.path(to: $1.coordinate).distance }.reduce(0, +)
      let driven = (last.elapsed - first.elapsed).seconds * Self.speed
      #expect(abs(length - driven) < 0.05 * driven, "\(length) m of \(driven) m")
      // The times are those of the receiver's epochs.
      let beats = track.waypoints.map { ($0.elapsed - first.elapsed).seconds / 0.2 }
      #expect(beats.allSatisfy { abs($0 - $0.rounded()) < 0.001 }, "\(beats)")
    }
  }

  /// Reads the file with a program that shares no code with ours.
  private static func check(
    _ name: String, format: String, in fixture: IntegrationFixture, on loop: EventLoop, atLeast count: Int = 10
  ) throws {
    let script =
      switch format {
      case "geojson":
        """
        import json
        feature, = json.load(open("\(name)"))["features"]
        assert feature["geometry"]["type"] == "MultiLineString"
        line, = feature["geometry"]["coordinates"]
        assert len(line) > \(count) and len(feature["properties"]["coordinateProperties"]["times"][0]) == len(line)
        """
      case "gpx":
        """
        import xml.etree.ElementTree as tree
        gpx = tree.parse("\(name)").getroot()
        points = gpx.findall(".//{http://www.topografix.com/GPX/1/1}trkpt")
        assert gpx.get("version") == "1.1" and len(points) > \(count)
        """
      default:
        """
        import xml.etree.ElementTree as tree
        svg = tree.parse("\(name)").getroot()
        lines = svg.findall(".//{http://www.w3.org/2000/svg}polyline")
        assert svg.tag == "{http://www.w3.org/2000/svg}svg" and len(lines) == 2
        """
      }
    let run = try RunningProgram("/bin/sh", ["-c", "cd '\(fixture.folder)' && python3 -c '\(script)'"], on: loop)
    #expect(try run.waitForExit() == 0, "\(run.output)")
  }

  @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
  func `a signal ends a recording with a complete file`(signal: Int32) async throws {
    try await withLoop { loop in
      let fixture = try Self.fixture()
      let run = try Self.track(fixture, ["-o", "\(fixture.folder)/drive.gpx"], on: loop)
      try Self.waitForFixes(8, of: fixture)
      run.send(signal)
      #expect(try run.waitForExit() == 0, "\(run.output)")
      #expect(run.output.contains("drive.gpx: "))
      let text = String(decoding: try File.read("\(fixture.folder)/drive.gpx"), as: UTF8.self)
      #expect(try Track(gpx: text, name: "drive.gpx").waypoints.count > 2)
      #expect(text.hasSuffix("</gpx>\n"))
    }
  }

  @Test func `a full disk is reported, and the existing file stays`() async throws {
    try await withLoop { loop in
      let fixture = try Self.fixture()
      let path = "\(fixture.folder)/drive.gpx"
      try File.write(Array("the old one".utf8), to: path)
      // A file of more than one block is too large for this process, like on a full disk.
      let program = Programs.path("positionctl")
      let run = try RunningProgram(
        "/bin/sh",
        [
          "-c",
          "trap '' XFSZ; ulimit -f 1; exec '\(program)' --socket '\(fixture.socket)' track -o '\(path)' --overwrite --duration 10",
        ], on: loop)
      #expect(try run.waitForExit() == 1, "\(run.output)")
      #expect(run.output.contains("cannot write \(path): File too large"), "\(run.output)")
      #expect(try File.read(path) == Array("the old one".utf8))
      let listing = try RunningProgram("/bin/sh", ["-c", "ls -A '\(fixture.folder)'"], on: loop)
      #expect(try listing.waitForExit() == 0)
      #expect(!listing.output.contains(".part"), "\(listing.output)")
    }
  }

  @Test func `a recording continues over a restart of the daemon, in a new segment`() async throws {
    try await withLoop { loop in
      let fixture = try Self.fixture()
      let path = "\(fixture.folder)/drive.gpx"
      let run = try Self.track(fixture, ["-o", path], on: loop)
      try Self.waitForFixes(5, of: fixture)
      try fixture.onLoop { $0.killDaemon() }
      try run.waitToSay("lost the connection to positiond (")
      try fixture.onLoop { try $0.startDaemon() }
      try run.waitToSay("reconnected to positiond after ")
      try Self.waitForFixes(5, of: fixture)
      run.send(SIGINT)
      #expect(try run.waitForExit() == 0, "\(run.output)")
      #expect(run.output.contains(", 2 segments"), "\(run.output)")
      let text = String(decoding: try File.read(path), as: UTF8.self)
      #expect(text.split(separator: "<trkseg>").count == 3)
      try Self.check("drive.gpx", format: "gpx", in: fixture, on: loop, atLeast: 6)
    }
  }

  @Test(arguments: ["gpx", "geojson", "svg"])
  func `a recording that is killed leaves a complete file`(format: String) async throws {
    try await withLoop { loop in
      let fixture = try Self.fixture()
      let path = "\(fixture.folder)/drive.\(format)"
      let run = try Self.track(fixture, ["-o", path], on: loop)
      // The first of these is saved at once; the others follow at the format's intervals.
      try Self.waitForFixes(5, of: fixture)
      run.send(SIGKILL)
      _ = try run.waitForExit()
      let reading =
        format == "geojson"
        ? "import json; assert json.load(open('\(path)'))['features']"
        : "import xml.etree.ElementTree as tree; tree.parse('\(path)')"
      let reader = try RunningProgram("/usr/bin/env", ["python3", "-c", reading], on: loop)
      #expect(try reader.waitForExit() == 0, "\(reader.output)")
    }
  }

  private static func track(_ fixture: IntegrationFixture, _ options: [String], on loop: EventLoop) throws
    -> RunningProgram
  {
    try RunningProgram(Programs.path("positionctl"), ["--socket", fixture.socket, "track"] + options, on: loop)
  }

  /// Waits until a subscription beside that of the recording, made after it, has had so many fixes.
  private static func waitForFixes(_ count: Int, of fixture: IntegrationFixture) throws {
    _ = try fixture.waitForStatus("the recording") { ($0["subscriptions"]?.double ?? 0) >= 2 }
    var received = try ReceivedUpdates(fixture, ["replay": "none"])
    for _ in 0..<count { try received.read(until: "a fix") { $0.fix != nil } }
  }
}
