import EventLoop
import Glibc
import JSONRPC
import PositionProtocol
import Positioning
import TestSupport
import Testing

@testable import ControlCommands

/// The commands for regions, against a fake daemon.
@Suite(.timeLimit(.minutes(TestDeadline.minutes)))
struct RegionTests {
  private static func run(
    _ words: [String], _ setting: CommandRun.Setting = .init(), _ script: @escaping FakeDaemon.Script
  ) async throws -> (run: CommandRun, daemon: FakeDaemon) {
    let daemon = try FakeDaemon(script)
    return (try await CommandRun.of(words, at: daemon.path, setting), daemon)
  }

  private static func words(_ line: String) -> [String] { line.split(separator: " ").map(String.init) }

  private static let circle = "--circle 48.137,-11.575,1.5km"

  /// Answers that the region is added, sends the first decision, which is always requested, and then events.
  private static func script(_ events: (String, String)...) -> FakeDaemon.Script {
    { method, params in
      guard method == "region.add", case .string(let id)? = params["id"] else { return [.result([:])] }
      return [.result(["state": "outside"])]
        + ([("exit", "outside")] + events).map { .notify("region.event", Samples.regionEvent(id, $0.0, $0.1)) }
    }
  }

  // MARK: Registrations

  @Test("region add --here makes a circle around a new fix, and adds none if that is not accurate enough")
  func here() async throws {
    for isFound in [true, false] {
      let daemon = try FakeDaemon { method, _ in
        switch method {
        case "position.get": [.result(isFound ? Samples.success : Samples.timedOut)]
        case "region.add": [.result(["state": "inside"])]
        default: []
        }
      }
      let words = ["region", "add", "car", "--here", "50m", "--durable", "tracker"]
      let run = try await CommandRun.of(words, at: daemon.path)
      #expect(run.code == (isFound ? 0 : 2))
      #expect(run.output == (isFound ? "added car; the device is inside\n" : ""))
      #expect(await daemon.parameters(of: "position.get")?["accuracy"] == 50)
      let circle: JSONValue = ["latitude": 48.137154, "longitude": 11.576124, "radius": 50]
      #expect(daemon.methods.contains("region.add") == isFound)
      if isFound { #expect(await daemon.parameters(of: "region.add")?["circle"] == circle) }
    }
  }

  @Test("region add registers the region under the name, with all options")
  func add() async throws {
    let options = "--notify enter,crossed --dwell 10min --latency 60 --expires 2h --initial always"
    let line = "region add home \(Self.circle) \(options) --durable tracker --wake tracker.service"
    let (run, daemon) = try await Self.run(Self.words(line)) { _, _ in
      [.result(["state": "inside", "warning": "it is small"])]
    }
    #expect(run.code == 0)
    #expect(run.output == "added home; the device is inside\n")
    #expect(run.errors == "positionctl: note: it is small\n")
    #expect(
      await daemon.parameters(of: "region.add") == [
        "id": "home", "circle": ["latitude": 48.137, "longitude": -11.575, "radius": 1500],
        "notify": ["enter", "dwell", "crossed"], "dwellTime": 600, "latency": 60, "expiresIn": 7200,
        "initial": "always", "durable": ["name": "tracker", "wake": "tracker.service"],
      ])
  }

  @Test(
    "region add reports a unit that does not exist, and only where systemd runs",
    arguments: [
      ("tracker.service", true, ["usr/lib/systemd/system/tracker.service"], false),
      ("trakcer.service", true, ["usr/lib/systemd/system/tracker.service"], true),
      ("tracker@home.service", true, ["etc/systemd/system/tracker@.service"], false),
      ("tracker@home.service", true, ["etc/systemd/system/tracker.service"], true),
      ("tracker.service", false, [], false),
    ] as [(String, Bool, [String], Bool)])
  func missingUnit(unit: String, systemdRuns: Bool, files: [String], isReported: Bool) async throws {
    let folder = try TemporaryFolder()
    for path in files + (systemdRuns ? ["run/systemd/system/network.target"] : []) {
      try Self.writeEmptyFile(path, in: folder)
    }
    var setting = CommandRun.Setting()
    setting.machine.root = folder.path
    let words = Self.words("region add home \(Self.circle) --durable tracker --wake \(unit)")
    let (run, _) = try await Self.run(words, setting) { _, _ in [.result(["state": "inside"])] }
    #expect(run.code == 0)
    let note = "positionctl: note: there is no unit \(unit); its events wait, and start nothing until it is installed\n"
    #expect(run.errors == (isReported ? note : ""))
  }

  /// With the folders that lead to it.
  private static func writeEmptyFile(_ path: String, in folder: TemporaryFolder) throws {
    var parent = folder.path
    for part in path.split(separator: "/").dropLast() {
      parent += "/\(part)"
      guard unsafe mkdir(parent, 0o700) == 0 || errno == EEXIST else { throw SystemError.last("make \(parent)") }
    }
    try writeFile("", to: folder.file(path))
  }

  @Test("A polygon is given by its corners")
  func polygon() async throws {
    let polygon = "48.1,11.5 48.2,11.5 48.1,11.6"
    let words = ["region", "add", "field", "--polygon", polygon, "--durable", "tracker", "--json"]
    let (run, daemon) = try await Self.run(words) { _, _ in [.result(["state": "unknown"])] }
    #expect(run.code == 0)
    #expect(run.output == "{\"state\":\"unknown\"}\n")
    let asked = await daemon.parameters(of: "region.add")
    #expect(asked?["polygon"] == [[48.1, 11.5], [48.2, 11.5], [48.1, 11.6]])
    #expect(asked?["notify"] == ["enter", "exit"])
  }

  @Test("region remove removes a region, and reports that there is none")
  func remove() async throws {
    let line = Self.words("region remove home --durable tracker")
    let (run, daemon) = try await Self.run(line) { _, _ in [.result(["state": "inside"])] }
    #expect(run.code == 0)
    #expect(run.output == "removed home\n")
    #expect(await daemon.parameters(of: "region.remove") == ["id": "home", "durable": ["name": "tracker"]])
    let (missing, _) = try await Self.run(line) { _, _ in [.error(-32008, "Not found: region home")] }
    #expect(missing.code == 1)
    #expect(missing.errors == "positionctl: Not found: region home\n")
  }

  @Test("region list lists the regions of every name, in as many requests as needed")
  func list() async throws {
    let script: FakeDaemon.Script = { method, params in
      guard method == "region.list" else {
        return [.result(["names": [Samples.durable("other"), Samples.durable("tracker")]])]
      }
      switch (params["durable"]?["name"], params["after"]) {
      case ("other", _): return [.result(["regions": []])]
      case (_, nil): return [.result(["regions": [Samples.watchedRegion("home", "inside")], "omitted": 1])]
      default: return [.result(["regions": [Samples.watchedRegion("work\u{1b}", "unknown")]])]
      }
    }
    let (run, _) = try await Self.run(["region", "list"], .init(), script)
    #expect(run.code == 0)
    #expect(
      run.output == """
        tracker home: inside; 150 m around 48.137000 N, 11.575000 E; reports enter, exit
        tracker work\\u{1b}: position not known yet; 150 m around 48.137000 N, 11.575000 E; reports enter, exit

        """)
    let (json, daemon) = try await Self.run(Self.words("region list --durable tracker --json"), .init(), script)
    let lines = try json.output.split(separator: "\n").map { try JSONValue(parsing: Array($0.utf8)) }
    #expect(lines.map { $0["id"] } == ["home", "work\u{1b}"])
    #expect(lines.allSatisfy { $0["durable"] == "tracker" })
    #expect(!daemon.methods.contains("durable.list"))
  }

  // MARK: Events

  @Test("region watch prints events of the region, up to the requested number")
  func watch() async throws {
    let script = Self.script(("enter", "inside"), ("exit", "outside"), ("enter", "inside"))
    let (run, daemon) = try await Self.run(Self.words("region watch home \(Self.circle) -n 2"), .init(), script)
    #expect(run.code == 0)
    #expect(
      run.output.split(separator: "\n").map { $0.prefix(58) } == [
        "-- home: outside", "entered \"home\" (97 % sure): 48.137154 N, 11.576124 E ±11 m",
        "left \"home\" (3 % sure): 48.137154 N, 11.576124 E ±11 m, 3D",
      ])
    #expect(await daemon.parameters(of: "region.add")?["durable"] == nil)
    let (json, _) = try await Self.run(Self.words("region watch home \(Self.circle) -n 2 --json"), .init(), script)
    let lines = try json.output.split(separator: "\n").map { try JSONValue(parsing: Array($0.utf8)) }
    #expect(lines == [Samples.regionEvent("home", "enter", "inside"), Samples.regionEvent("home", "exit", "outside")])
  }

  @Test("region watch ends when its region does")
  func expired() async throws {
    let (run, _) = try await Self.run(
      Self.words("region watch home \(Self.circle)"), .init(), Self.script(("expired", "outside")))
    #expect(run.code == 0)
    #expect(run.output.contains("\"home\" expired"))
  }

  @Test("region watch exits 2 at its timeout without any event, and 0 with one")
  func duration() async throws {
    let line = Self.words("region watch home \(Self.circle) --duration 0.2")
    let (run, _) = try await Self.run(line, .init(), Self.script())
    #expect(run.code == 2)
    #expect(run.errors == "positionctl: no event in this time\n")
    let (more, _) = try await Self.run(line, .init(), Self.script(("enter", "inside")))
    #expect(more.code == 0)
  }

  @Test("A region that is refused ends region watch")
  func refused() async throws {
    let (run, _) = try await Self.run(Self.words("region watch home \(Self.circle)")) { _, _ in
      [.error(-32007, "Limit exceeded: max-regions-per-user")]
    }
    #expect(run.code == 1)
    #expect(run.errors == "positionctl: Limit exceeded: max-regions-per-user\n")
  }

  @Test("With a name region watch prints the events of its regions or of one, and acknowledges nothing")
  func watchDurable() async throws {
    let script: FakeDaemon.Script = { _, _ in
      [
        .result(Samples.durable(lastEvent: 8)),
        .notify("visit.update", ["durable": "tracker", "eventId": 6, "visit": Samples.visit]),
        .notify("region.event", Samples.regionEvent("home", "enter", "inside", durable: "tracker", eventID: 7)),
        .notify("region.event", Samples.regionEvent("work", "exit", "outside", durable: "tracker", eventID: 8)),
        .notify("subscription.ended", ["durable": "tracker", "reason": "replaced"]),
      ]
    }
    let (run, daemon) = try await Self.run(Self.words("region watch --durable tracker"), .init(), script)
    #expect(run.code == 1)
    #expect(run.output.split(separator: "\n").map { $0.prefix(17) } == ["#7 entered \"home\"", "#8 left \"work\" (3"])
    #expect(run.errors == "positionctl: another program attached to this name\n")
    #expect(await daemon.parameters(of: "durable.attach") == ["name": "tracker"])
    #expect(!daemon.methods.contains("durable.acknowledge"))
    let (one, _) = try await Self.run(Self.words("region watch work --durable tracker -n 1"), .init(), script)
    #expect(one.code == 0)
    #expect(one.output.hasPrefix("#8 left \"work\""))
  }
}
