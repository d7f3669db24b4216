import EventLoop
import Glibc
import JSONRPC
import Positioning
import ReceiverSimulator
import TestSupport
import Testing

/// `positionctl track` behind a receiver that drives in a circle at 10 m/s.
@Suite(.timeLimit(.minutes(TestDeadline.minutes))) struct TrackTests {
  private static let speed = 10.0

  private static func stage() throws -> Stage {
    var play = Stage.Play()
    play.receiver.period = .milliseconds(200)
    play.receiver.errors.noise = 1
    return try Stage(play)
  }

  @Test func `a drive is recorded in every format, and is as long as it was`() async throws {
    try await withLoop { loop in
      let stage = try Self.stage()
      let formats = ["gpx", "geojson", "svg"]
      let runs = try formats.map { format in
        try Self.track(stage, ["-o", "\(stage.folder)/drive.\(format)", "--duration", "20", "--json"], on: loop)
      }
      for (format, run) in zip(formats, runs) {
        #expect(try run.waitForExit() == 0, "\(run.output)")
        let report = try JSONValue(parsing: Array(run.output.utf8))
        let driven = try #require(report["duration"]?.double) * Self.speed
        #expect(driven > 100, "\(run.output)")
        #expect(abs(try #require(report["distance"]?.double) - driven) < 0.05 * driven, "\(run.output)")
        try Self.check("drive.\(format)", format: format, in: stage, on: loop)
      }

      let text = String(decoding: try File.read("\(stage.folder)/drive.gpx"), as: UTF8.self)
      let track = try Track(gpx: text, name: "drive.gpx")
      let first = try #require(track.waypoints.first)
      let last = try #require(track.waypoints.last)
      let steps = zip(track.waypoints, track.waypoints.dropFirst())
      let length = steps.map { $0.coordinate.path(to: $1.coordinate).distance }.reduce(0, +)
      let driven = (last.elapsed - first.elapsed).seconds * Self.speed
      #expect(abs(length - driven) < 0.05 * driven, "\(length) m of \(driven) m")
      // The times are the receiver's own, of its epochs.
      let beats = track.waypoints.map { ($0.elapsed - first.elapsed).seconds / 0.2 }
      #expect(beats.allSatisfy { abs($0 - $0.rounded()) < 0.001 }, "\(beats)")
    }
  }

  /// Reads the file with a program that shares no code with ours.
  private static func check(
    _ name: String, format: String, in stage: Stage, on loop: EventLoop, atLeast count: Int = 10
  ) throws {
    let script =
      switch format {
      case "geojson":
        """
        import json
        feature = json.load(open("\(name)"))
        assert feature["geometry"]["type"] == "LineString"
        line = feature["geometry"]["coordinates"]
        assert len(line) > \(count) and len(feature["properties"]["coordinateProperties"]["times"]) == len(line)
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
    let run = try RunningProgram("/bin/sh", ["-c", "cd '\(stage.folder)' && python3 -c '\(script)'"], on: loop)
    #expect(try run.waitForExit() == 0, "\(run.output)")
  }

  @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
  func `a signal ends a recording with a whole file`(signal: Int32) async throws {
    try await withLoop { loop in
      let stage = try Self.stage()
      let run = try Self.track(stage, ["-o", "\(stage.folder)/drive.gpx"], on: loop)
      try Self.waitForFixes(8, of: stage)
      run.send(signal)
      #expect(try run.waitForExit() == 0, "\(run.output)")
      #expect(run.output.contains("drive.gpx: "))
      let text = String(decoding: try File.read("\(stage.folder)/drive.gpx"), as: UTF8.self)
      #expect(try Track(gpx: text, name: "drive.gpx").waypoints.count > 2)
      #expect(text.hasSuffix("</gpx>\n"))
    }
  }

  @Test func `a full disk is told, and what was there stays`() async throws {
    try await withLoop { loop in
      let stage = try Self.stage()
      let path = "\(stage.folder)/drive.gpx"
      try File.write(Array("the old one".utf8), to: path)
      // A file of more than one block is too large for this process, as it would be for a full disk.
      let program = Programs.path("positionctl")
      let run = try RunningProgram(
        "/bin/sh",
        [
          "-c",
          "trap '' XFSZ; ulimit -f 1; exec '\(program)' --socket '\(stage.socket)' track -o '\(path)' --overwrite --duration 10",
        ], on: loop)
      #expect(try run.waitForExit() == 1, "\(run.output)")
      #expect(run.output.contains("cannot write \(path): File too large"), "\(run.output)")
      #expect(try File.read(path) == Array("the old one".utf8))
      let listing = try RunningProgram("/bin/sh", ["-c", "ls -A '\(stage.folder)'"], on: loop)
      #expect(try listing.waitForExit() == 0)
      #expect(!listing.output.contains(".part"), "\(listing.output)")
    }
  }

  @Test func `a recording goes on over a restart of the daemon, in a new segment`() async throws {
    try await withLoop { loop in
      let stage = try Self.stage()
      let path = "\(stage.folder)/drive.gpx"
      let run = try Self.track(stage, ["-o", path], on: loop)
      try Self.waitForFixes(5, of: stage)
      try stage.onLoop { $0.killDaemon() }
      try run.waitToSay("lost the connection to positiond (")
      try stage.onLoop { try $0.startDaemon() }
      try run.waitToSay("reconnected to positiond after ")
      try Self.waitForFixes(5, of: stage)
      run.send(SIGINT)
      #expect(try run.waitForExit() == 0, "\(run.output)")
      #expect(run.output.contains(", 2 segments"), "\(run.output)")
      let text = String(decoding: try File.read(path), as: UTF8.self)
      #expect(text.split(separator: "<trkseg>").count == 3)
      try Self.check("drive.gpx", format: "gpx", in: stage, on: loop, atLeast: 6)
    }
  }

  @Test(arguments: ["gpx", "geojson", "svg"])
  func `a recording that is killed leaves a whole file`(format: String) async throws {
    try await withLoop { loop in
      let stage = try Self.stage()
      let path = "\(stage.folder)/drive.\(format)"
      let run = try Self.track(stage, ["-o", path], on: loop)
      // Of these the first is saved at once; the others follow in the rhythm of the format.
      try Self.waitForFixes(5, of: stage)
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

  private static func track(_ stage: Stage, _ options: [String], on loop: EventLoop) throws -> RunningProgram {
    try RunningProgram(Programs.path("positionctl"), ["--socket", stage.socket, "track"] + options, on: loop)
  }

  /// Waits until a subscription beside that of the recording, made after it, has had so many fixes.
  private static func waitForFixes(_ count: Int, of stage: Stage) throws {
    _ = try stage.waitForStatus("the recording") { ($0["subscriptions"]?.double ?? 0) >= 2 }
    var told = try Told(stage, ["replay": "none"])
    for _ in 0..<count { try told.read(until: "a fix") { $0.fix != nil } }
  }
}
