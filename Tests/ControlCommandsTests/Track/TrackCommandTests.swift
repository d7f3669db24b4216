import EventLoop
import Glibc
import JSONRPC
import Synchronization
import TestSupport
import Testing

@testable import ControlCommands
@testable import Track

/// The whole command, against a fake daemon.
@Suite(.timeLimit(.minutes(TestDeadline.minutes)))
struct TrackCommandTests {
  private static let subscribed: [FakeDaemon.Step] = [.result(Samples.subscription)]

  /// A fix so many seconds after another.
  private static func update(_ seconds: Double) -> FakeDaemon.Step {
    .notify("position.update", Samples.update(latitude: 48 + seconds / 1e4, arrival: 1000 + seconds))
  }

  private static let lost = FakeDaemon.Step.notify(
    "position.update", ["subscription": 7, "state": "acquiring", "availability": "lost", "reason": "lost"])
  private static let expired = FakeDaemon.Step.notify(
    "subscription.ended", ["subscription": 7, "reason": "expired"])

  /// Runs `track --output NAME` in a folder, and returns what is in the folder then.
  private static func run(
    _ options: String = "", to name: String = "tour.gpx", _ setting: CommandRun.Setting = .init(),
    holding old: String? = nil, steps: [FakeDaemon.Step]
  ) async throws -> (run: CommandRun, text: String?, files: [String], daemon: FakeDaemon) {
    try await self.run(options, to: name, setting, holding: old) { steps }
  }

  /// The same with steps for each subscription.
  private static func run(
    _ options: String = "", to name: String = "tour.gpx", _ setting: CommandRun.Setting = .init(),
    holding old: String? = nil, steps: @escaping @Sendable () -> [FakeDaemon.Step]
  ) async throws -> (run: CommandRun, text: String?, files: [String], daemon: FakeDaemon) {
    let folder = try TemporaryFolder()
    let path = folder.file(name)
    if let old { try writeFile(old, to: path) }
    let daemon = try FakeDaemon { method, _ in method == "position.subscribe" ? steps() : [] }
    var run = try await CommandRun.of(
      ["track", "--output", path] + options.split(separator: " ").map(String.init), at: daemon.path, setting)
    run.output = run.output.replacing("\(folder.path)/", with: "")
    run.errors = run.errors.replacing("\(folder.path)/", with: "")
    let files = try fileNames(in: folder.path)
    return (run, files.contains(name) ? try readFile(path) : nil, files, daemon)
  }

  @Test(
    "After its duration the file is complete, and standard output describes it",
    arguments: TrackFormat.allCases)
  func duration(format: TrackFormat) async throws {
    let name = "tour.\(format.rawValue)"
    let result = try await Self.run(
      "--duration 1h --accuracy house --min-distance 5 --min-interval 2", to: name,
      steps: Self.subscribed + [Self.update(0), Self.update(10), Self.lost, Self.update(20), Self.expired])
    #expect(result.run.code == 0)
    #expect(
      result.run.output == """
        \(name): 3 fixes, 111 m in 20 s, 2 segments
          moving   10 s, 11.1 m/s on average, 11.1 m/s at most
          at rest  0.0 s
          climb    0 m up, 0 m down
          gaps     1, 10 s without a fix

        """)
    #expect(result.run.errors == "")
    #expect(result.files == [name])
    let ends: [TrackFormat: String] = [
      .gpx: "</gpx>\n", .geojson: "]]]}}\n]}\n", .kml: "</kml>\n", .csv: ",2\r\n", .svg: "</svg>\n",
    ]
    #expect(try #require(result.text).hasSuffix(try #require(ends[format])))
    #expect(
      await result.daemon.parameters(of: "position.subscribe") == [
        "accuracy": "house", "minDistance": 5, "minInterval": 2, "duration": 3600, "replay": "none",
      ])
    #expect(await result.daemon.parameters(of: "sky.subscribe") == ["minInterval": 1, "passive": true])
  }

  @Test(
    "Ctrl-C, SIGTERM and a closed terminal end a recording normally",
    arguments: [SIGINT, SIGTERM, SIGHUP])
  func signals(signal: Int32) async throws {
    let setting = CommandRun.Setting(isErrorTerminal: true, signalAfterOutput: (signal, "2 fixes"))
    let result = try await Self.run(to: "tour.gpx", setting, steps: Self.subscribed + [Self.update(0), Self.update(1)])
    #expect(result.run.code == 0)
    #expect(result.run.output.hasPrefix("tour.gpx: 2 fixes, 0 m in 1.0 s\n"))
    #expect(result.run.errors.hasSuffix("\r\u{1b}[J2 fixes; 0 m; \u{B1}11 m; 1.0 s\r\r\u{1b}[J"))
    #expect(result.files == ["tour.gpx"])
  }

  @Test("Without a fix no file is written, an existing one stays, and the exit code is 2")
  func noFix() async throws {
    let result = try await Self.run("--overwrite", holding: "old", steps: Self.subscribed + [Self.expired])
    #expect(result.run.code == 2)
    #expect(result.run.output == "")
    #expect(
      result.run.errors
        == "positionctl: no fix came, so no file was written; run \"positionctl doctor\" to find the cause\n")
    #expect(result.files == ["tour.gpx"] && result.text == "old")

    // Also if the daemon has not greeted yet; then it ends like any command.
    let folder = try TemporaryFolder()
    let silent = try FakeDaemon(hello: nil) { _, _ in [] }
    let interrupted = try await CommandRun.of(
      ["track", "-o", folder.file("tour.gpx")], at: silent.path, .init(pendingSignal: SIGINT))
    #expect(interrupted.code == 130)
    #expect(try fileNames(in: folder.path) == [])
  }

  @Test("A recording continues after the daemon's end, in a new segment")
  func daemonGone() async throws {
    let recordings = Parts<[FakeDaemon.Step]>(
      Self.subscribed + [
        Self.update(0), Self.update(1), .notify("session.closing", ["reason": "shuttingDown"]), .close,
      ],
      Self.subscribed + [Self.update(5), Self.update(6), Self.expired])
    let result = try await Self.run("--duration 1h") { recordings.next() }
    #expect(result.run.code == 0)
    #expect(result.run.output.hasPrefix("tour.gpx: 4 fixes, 0 m in 6.0 s, 2 segments\n"))
    let lines = result.run.errors.split(separator: "\n")
    try #require(lines.count == 2, "\(result.run.errors)")
    #expect(lines[0] == "positionctl: lost the connection to positiond (the daemon is stopping); reconnecting")
    #expect(lines[1].hasPrefix("positionctl: reconnected to positiond after "))
    #expect(lines[1].hasSuffix(" s; the track in between is missing; a new segment begins"))
    #expect(result.text?.hasSuffix("</gpx>\n") ?? false)
    // The rest of the hour is requested.
    let left = await result.daemon.parameters(of: "position.subscribe", number: 2)?["duration"]
    guard case .number(let seconds)? = left else {
      Issue.record("\(String(describing: left))")
      return
    }
    #expect(seconds < 3600 && seconds > 3000)
  }

  @Test("An existing file is left alone, unless --overwrite is given")
  func overwrite() async throws {
    let steps = Self.subscribed + [Self.update(0), Self.expired]
    let refused = try await Self.run(holding: "old", steps: steps)
    #expect(refused.run.code == 1)
    #expect(
      refused.run.errors
        == "positionctl: tour.gpx exists; choose another name, or replace it with --overwrite\n")
    #expect(refused.text == "old" && refused.files == ["tour.gpx"])
    #expect(refused.daemon.methods == [])
    let replaced = try await Self.run("--overwrite", holding: "old", steps: steps)
    #expect(replaced.run.code == 0)
    #expect(replaced.text?.hasSuffix("</gpx>\n") ?? false)
  }

  @Test("A file that another program creates meanwhile is left alone, and ends the recording")
  func takenMeanwhile() async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("tour.gpx")
    let daemon = try FakeDaemon { method, _ in
      guard method == "position.subscribe" else { return [] }
      do { try writeFile("another's", to: path) } catch { return [.close] }
      return Self.subscribed + [Self.update(0), Self.update(1)]
    }
    let run = try await CommandRun.of(["track", "-o", path], at: daemon.path)
    #expect(run.code == 1)
    #expect(run.errors == "positionctl: cannot write \(path): File exists\n")
    #expect(try readFile(path) == "another's")
    #expect(try fileNames(in: folder.path) == ["tour.gpx"])
  }

  @Test("The file exists from the first fix on, complete, while the recording runs", arguments: TrackFormat.allCases)
  func growing(format: TrackFormat) async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("tour.\(format.rawValue)")
    let seen = Mutex("")
    let daemon = try FakeDaemon { method, _ in
      switch method {
      case "position.subscribe": return Self.subscribed + [Self.update(0)] + (1...120).map { Self.update(Double($0)) }
      default: return []
      }
    }
    // Checked on the command's own thread, once it has all the fixes: at that moment it might be killed.
    let setting = CommandRun.Setting(
      isErrorTerminal: true, signalAfterOutput: (SIGTERM, "121 fixes"),
      afterOutput: { seen.withLock { seen in do { seen = try readFile(path) } catch { seen = "\(error)" } } })
    let run = try await CommandRun.of(["track", "-o", path], at: daemon.path, setting)
    #expect(run.code == 0)
    let ends: [TrackFormat: String] = [
      .gpx: "</gpx>\n", .geojson: "\n]}\n", .kml: "</kml>\n", .csv: ",1\r\n", .svg: "</svg>\n",
    ]
    let text = seen.withLock { $0 }
    #expect(text.hasSuffix(try #require(ends[format])), "\(text.suffix(100))")
    switch format {
    // The first at once, the next hundred together.
    case .gpx: #expect(text.split(separator: "<trkpt ").count == 1 + 101)
    case .kml: #expect(text.split(separator: "<gx:Track>").count == 1 + 2)
    case .csv: #expect(text.split(separator: "\r\n").count == 1 + 101)
    case .geojson:
      let features = try JSONValue(parsing: Array(text.utf8))["features"]
      guard case .array(let pieces)? = features else {
        Issue.record("\(text)")
        return
      }
      #expect(pieces.map { $0["properties"]?["fixes"] } == [1, 100])
    case .svg: #expect(text.contains("1 fix,"))
    }
  }

  @Test("Without permission it reports that, and nothing else")
  func denied() async throws {
    let result = try await Self.run(steps: [.error(-32002, "A rule says no")])
    #expect(result.run.code == 3)
    #expect(!result.run.errors.contains("no fix"))
    #expect(result.files == [])
  }

  @Test("A recording that cannot be written is refused before it begins", arguments: ["none/tour.gpx", "folder.gpx"])
  func unwritable(name: String) async throws {
    let folder = try TemporaryFolder()
    #expect(unsafe mkdir(folder.file("folder.gpx"), 0o700) == 0)
    let daemon = try FakeDaemon { _, _ in Self.subscribed }
    let run = try await CommandRun.of(["track", "-o", folder.file(name)], at: daemon.path)
    #expect(run.code == 1)
    let why = name == "folder.gpx" ? "Is a directory" : "No such file or directory"
    #expect(run.errors == "positionctl: cannot write \(folder.file(name)): \(why)\n")
    #expect(daemon.methods == [])
    #expect(try fileNames(in: folder.path) == ["folder.gpx"])
  }

  @Test("--json prints the file and a summary of its contents")
  func json() async throws {
    let result = try await Self.run(
      "--json", steps: Self.subscribed + [Self.update(0), Self.update(10), Self.expired])
    let report = try JSONValue(parsing: Array(result.run.output.utf8))
    #expect(report["fixes"] == 2 && report["segments"] == 1 && report["distance"] == 111.2)
    #expect(report["duration"] == 10 && report["moving"] == 10 && report["resting"] == 0 && report["gaps"] == 0)
    #expect(report["averageSpeed"] == 11.12 && report["largestSpeed"] == 11.12 && report["climb"] == 0)
    guard case .string(let file)? = report["file"] else {
      Issue.record("no file in \(report)")
      return
    }
    #expect(file.hasSuffix("tour.gpx"))
  }

  @Test("With parts each has a file, which begins with the last fix of the one before, and all are summed up")
  func parts() async throws {
    let updates = (0...9).map { Self.update(Double($0) * 10) }
    let result = try await Self.run("--split 40s", to: "tour.csv", steps: Self.subscribed + updates + [Self.expired])
    #expect(result.run.code == 0, "\(result.run.errors)")
    #expect(result.files == ["tour-001.csv", "tour-002.csv", "tour-003.csv"])
    let lines = result.run.output.split(separator: "\n").filter { !$0.hasPrefix(" ") }
    #expect(
      lines == [
        "tour-001.csv: 5 fixes, 445 m in 40 s", "tour-002.csv: 5 fixes, 445 m in 40 s",
        "tour-003.csv: 2 fixes, 111 m in 10 s", "3 files: 10 fixes, 1.00 km in 90 s",
      ])
    let exact = try await Self.run(
      "--split 10s --json", to: "tour.csv", steps: Self.subscribed + updates.prefix(3) + [Self.expired])
    #expect(exact.files == ["tour-001.csv", "tour-002.csv"])
    let reports = try exact.run.output.split(separator: "\n").map { try JSONValue(parsing: Array($0.utf8)) }
    #expect(
      reports.map { $0["parts"] } == [nil, nil, 2] && reports.map { $0["fixes"] } == [2, 2, 3], "\(exact.run.output)")
  }

  @Test("A part leaves the files alone that are there, but not with --overwrite")
  func partsBesideOthers() async throws {
    let steps = Self.subscribed + (0...2).map { Self.update(Double($0) * 10) } + [Self.expired]
    for (options, files) in [
      ("--split 10s", ["tour-001.csv", "tour-002.csv", "tour-003.csv"]),
      ("--split 10s --overwrite", ["tour-001.csv", "tour-002.csv"]),
    ] {
      let folder = try TemporaryFolder()
      try writeFile("old", to: folder.file("tour-002.csv"))
      let daemon = try FakeDaemon { method, _ in method == "position.subscribe" ? steps : [] }
      let run = try await CommandRun.of(
        ["track", "-o", folder.file("tour.csv")] + options.split(separator: " ").map(String.init), at: daemon.path)
      #expect(run.code == 0)
      #expect(try fileNames(in: folder.path) == files)
      #expect((try readFile(folder.file("tour-002.csv")) == "old") == (files.count == 3))
    }
    let refused = try await Self.run("--split 10s", to: "a.csv", holding: nil, steps: steps)
    #expect(refused.run.code == 0)
  }

  @Test("With --waypoints the regions of all durable names are in the file, while it grows and at its end")
  func waypoints() async throws {
    let folder = try TemporaryFolder()
    let daemon = try FakeDaemon { method, params in
      switch method {
      case "durable.list": return [.result(["names": [Samples.durable("tracker")]])]
      case "region.list": return [.result(["regions": [Samples.watchedRegion("home", "inside")]])]
      case "position.subscribe": return Self.subscribed + [Self.update(0), Self.expired]
      default: return []
      }
    }
    let path = folder.file("tour.gpx")
    let run = try await CommandRun.of(["track", "-o", path, "--waypoints"], at: daemon.path)
    #expect(run.code == 0, "\(run.errors)")
    let place = "<wpt lat=\"48.13700000\" lon=\"11.57500000\"><name>home</name>"
    #expect(try readFile(path).contains("\(place)<desc>150 m around 48.137000 N, 11.575000 E, of tracker</desc>"))
    let none = try FakeDaemon { method, _ in
      switch method {
      case "durable.list": [.result(["names": []])]
      case "position.subscribe": Self.subscribed + [Self.update(0), Self.expired]
      default: []
      }
    }
    let bare = try await CommandRun.of(["track", "-o", path, "--waypoints", "--overwrite"], at: none.path)
    #expect(bare.code == 0 && bare.errors == "positionctl: note: no durable name of yours has a region\n")
  }

  @Test(
    "--summary says of a file what was said of its recording, in the person's units",
    arguments: ["gpx", "kml", "csv", "geojson"])
  func summary(format: String) async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("tour.\(format)")
    let steps = Self.subscribed + [Self.update(0), Self.update(10), Self.lost, Self.update(20), Self.expired]
    let daemon = try FakeDaemon { method, _ in method == "position.subscribe" ? steps : [] }
    let recorded = try await CommandRun.of(["track", "-o", path], at: daemon.path)
    let summary = try await CommandRun.of(["track", "--summary", path])
    #expect(summary.code == 0, "\(summary.errors)")
    #expect(summary.output == recorded.output)
    let imperial = try await CommandRun.of(["track", "--summary", path, "--units", "imperial"])
    #expect(imperial.output.contains(": 3 fixes, 365 ft in 20 s, 2 segments\n"), "\(imperial.output)")
    #expect(imperial.output.contains("24.9 mph on average"), "\(imperial.output)")
    let json = try await CommandRun.of(["track", "--summary", path, "--json", "--split", "5s"])
    let parts = try json.output.split(separator: "\n").map { try JSONValue(parsing: Array($0.utf8)) }
    #expect(parts.map { $0["part"] } == [1, 2, nil] && parts.map { $0["fixes"] } == [2, 2, 3], "\(json.output)")
    #expect(parts.last?["parts"] == 2)
  }

  @Test("A file without a track, without times or that is missing is reported")
  func noSummary() async throws {
    let folder = try TemporaryFolder()
    let cases: [(name: String, text: String?, words: String)] = [
      ("none.gpx", nil, "cannot open"), ("a.gpx", "", "a.gpx: it has no track"),
      ("b.gpx", "<gpx><trk><trkseg><trkpt lat='1' lon='2'/></trkseg></trk></gpx>", "b.gpx: it has no times"),
      ("c.geojson", "{", "c.geojson: it is no JSON"), ("d.csv", "a,b\n", "names no column time"),
    ]
    for (name, text, words) in cases {
      if let text { try writeFile(text, to: folder.file(name)) }
      let run = try await CommandRun.of(["track", "--summary", folder.file(name)])
      #expect(run.code == 1 && run.output == "" && run.errors.contains(words), "\(name): \(run.errors)")
    }
  }

  @Test(
    "A command line without a file of a known format is refused",
    arguments: [
      ("", "track: missing -o, --output FILE"),
      (
        "-o -",
        "track: --output: invalid value \"-\", expected a file's name that ends in .gpx, .geojson, .kml, .csv or .svg"
      ),
      (
        "-o tour.tcx",
        "track: --output: invalid value \"tour.tcx\", expected a file's name that ends in .gpx, .geojson, .kml, .csv or .svg"
      ),
      (
        "--summary tour.svg",
        "track: --summary: invalid value \"tour.svg\", expected a file's name that ends in .gpx, .geojson, .kml or .csv"
      ),
      (
        "--summary a.gpx --accuracy room",
        "track: --summary records nothing, so it cannot be combined with --accuracy"
      ), ("-o a.csv --waypoints", "track: a .csv has no waypoints; .gpx, .kml and .geojson have"),
      (
        "-o a.csv --split 30",
        "track: --split: invalid value \"30\", expected a time from 1 s such as 30min, a distance from 10 m such as 1km, or stop"
      ),
    ])
  func usage(options: String, message: String) async throws {
    let run = try await CommandRun.of(["track"] + options.split(separator: " ").map(String.init))
    #expect(run.code == 64)
    #expect(run.errors == "positionctl: \(message)\n")
  }
}

/// The files in a folder, with hidden ones.
private func fileNames(in folder: String) throws -> [String] {
  guard let stream = unsafe opendir(folder) else { throw SystemError.last("open \(folder)") }
  defer { unsafe closedir(stream) }
  var names: [String] = []
  while let entry = unsafe readdir(stream) {
    let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
      unsafe pointer.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
    }
    if name != ".", name != ".." { names.append(name) }
  }
  return names.sorted()
}
