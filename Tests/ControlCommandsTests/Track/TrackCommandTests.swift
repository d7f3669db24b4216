import EventLoop
import Glibc
import JSONRPC
import TestSupport
import Testing

@testable import ControlCommands

/// The whole command, against a daemon that the test plays.
@Suite(.timeLimit(.minutes(5)))
struct TrackCommandTests {
  private static let subscribed: [FakeDaemon.Step] = [.result(Samples.subscription)]

  /// A fix so many seconds after another.
  private static func update(_ seconds: Double) -> FakeDaemon.Step {
    guard case .object(var update) = Samples.update(), case .object(var fix)? = update["fix"] else { return .close }
    fix["arrival"] = .number(1000 + seconds)
    fix["latitude"] = .number(48 + seconds / 1e4)
    update["fix"] = .object(fix)
    return .notify("position.update", .object(update))
  }

  private static let lost = FakeDaemon.Step.notify(
    "position.update", ["subscription": 7, "state": "acquiring", "availability": "lost", "reason": "lost"])
  private static let expired = FakeDaemon.Step.notify(
    "subscription.ended", ["subscription": 7, "reason": "expired"])

  /// Runs `track --output NAME` in a folder, and tells what is in the folder then.
  private static func run(
    _ options: String = "", to name: String = "tour.gpx", _ setting: CommandRun.Setting = .init(),
    holding old: String? = nil, steps: [FakeDaemon.Step]
  ) async throws -> (run: CommandRun, text: String?, files: [String], daemon: FakeDaemon) {
    let folder = try TemporaryFolder()
    let path = folder.file(name)
    if let old { try write(old, to: path) }
    let daemon = try FakeDaemon { method, _ in method == "position.subscribe" ? steps : [] }
    var run = try await CommandRun.of(
      ["track", "--output", path] + options.split(separator: " ").map(String.init), at: daemon.path, setting)
    run.output = run.output.replacing("\(folder.path)/", with: "")
    run.errors = run.errors.replacing("\(folder.path)/", with: "")
    let files = try fileNames(in: folder.path)
    return (run, files.contains(name) ? try readFile(path) : nil, files, daemon)
  }

  @Test(
    "When the time is over the file is there, whole, and standard output says what is in it",
    arguments: TrackFormat.allCases)
  func duration(format: TrackFormat) async throws {
    let name = "tour.\(format.rawValue)"
    let result = try await Self.run(
      "--duration 1h --accuracy house --min-distance 5 --min-interval 2", to: name,
      steps: Self.subscribed + [Self.update(0), Self.update(10), Self.lost, Self.update(20), Self.expired])
    #expect(result.run.code == 0)
    #expect(result.run.output == "\(name): 3 fixes, 111 m in 20 s, 2 segments\n")
    #expect(result.run.errors == "")
    #expect(result.files == [name])
    let ends: [TrackFormat: String] = [.gpx: "</gpx>\n", .geojson: "]]]}}\n", .svg: "</svg>\n"]
    #expect(try #require(result.text).hasSuffix(try #require(ends[format])))
    #expect(
      await result.daemon.parameters(of: "position.subscribe") == [
        "accuracy": "house", "minDistance": 5, "minInterval": 2, "duration": 3600, "replay": "none",
      ])
    #expect(await result.daemon.parameters(of: "sky.subscribe") == ["minInterval": 2])
  }

  @Test("Ctrl-C and SIGTERM end a recording as its user wants it to end", arguments: [SIGINT, SIGTERM])
  func signals(signal: Int32) async throws {
    let setting = CommandRun.Setting(isErrorTerminal: true, signalWhenTold: (signal, "2 fixes"))
    let result = try await Self.run(to: "tour.gpx", setting, steps: Self.subscribed + [Self.update(0), Self.update(1)])
    #expect(result.run.code == 0)
    #expect(result.run.output == "tour.gpx: 2 fixes, 11 m in 1.0 s\n")
    #expect(result.run.errors.hasSuffix("\r\u{1b}[K2 fixes; 11 m; \u{B1}11 m; 1.0 s\r\u{1b}[K"))
    #expect(result.files == ["tour.gpx"])
  }

  @Test("Without a fix there is no file, what was there stays, and the exit code is 2")
  func noFix() async throws {
    let result = try await Self.run(holding: "old", steps: Self.subscribed + [Self.expired])
    #expect(result.run.code == 2)
    #expect(result.run.output == "")
    #expect(
      result.run.errors
        == "positionctl: no fix came, and no file was written; \"positionctl doctor\" looks for the cause\n")
    #expect(result.files == ["tour.gpx"] && result.text == "old")

    // Even where the daemon has not answered yet.
    let interrupted = try await Self.run(to: "tour.gpx", .init(pendingSignal: SIGINT), steps: [])
    #expect(interrupted.run.code == 2)
    #expect(interrupted.files == [])
  }

  @Test("A daemon that goes away takes nothing of the recording with it")
  func daemonGone() async throws {
    let result = try await Self.run(steps: Self.subscribed + [Self.update(0), Self.update(1), .close])
    #expect(result.run.code == 1)
    #expect(result.run.output == "tour.gpx: 2 fixes, 11 m in 1.0 s\n")
    #expect(result.run.errors.hasPrefix("positionctl: the connection to positiond ended"))
    #expect(result.text?.hasSuffix("</gpx>\n") ?? false)
  }

  @Test("Without permission it says so, and nothing else")
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

  @Test("--json tells the file and what is in it")
  func json() async throws {
    let result = try await Self.run(
      "--json", steps: Self.subscribed + [Self.update(0), Self.update(10), Self.expired])
    let report = try JSONText.decode(JSONValue.self, from: Array(result.run.output.utf8))
    #expect(report["fixes"] == 2 && report["segments"] == 1 && report["distance"] == 111.2)
    #expect(report["duration"] == 10)
    guard case .string(let file)? = report["file"] else {
      Issue.record("no file in \(report)")
      return
    }
    #expect(file.hasSuffix("tour.gpx"))
  }

  @Test(
    "A command line without a file that says what it is, is refused",
    arguments: [
      ("", "track: -o, --output FILE is missing"),
      ("-o -", "--output: \"-\" was given, expected a file's name that ends in .gpx, .geojson or .svg"),
      ("-o tour.kml", "--output: \"tour.kml\" was given, expected a file's name that ends in .gpx, .geojson or .svg"),
    ])
  func usage(options: String, message: String) async throws {
    let run = try await CommandRun.of(["track"] + options.split(separator: " ").map(String.init))
    #expect(run.code == 64)
    #expect(run.errors == "positionctl: \(message)\n")
  }
}

/// What is in a folder, hidden files too.
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

private func write(_ text: String, to path: String) throws {
  let number = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
  guard number >= 0 else { throw SystemError.last("make \(path)") }
  let file = try FileDescriptor(adopting: number)
  _ = try file.write(Array(text.utf8)[...])
  file.close()
}
