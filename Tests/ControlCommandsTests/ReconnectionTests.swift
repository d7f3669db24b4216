import EventLoop
import JSONRPC
import PositionClient
import PositionProtocol
import Positioning
import TestSupport
import Testing

@testable import ControlCommands

/// Long commands continue over a lost connection, and report it on standard error; single requests fail with it.
@Suite(.timeLimit(.minutes(TestDeadline.minutes)))
struct ReconnectionTests {
  private static func run(
    _ line: String, _ script: @escaping FakeDaemon.Script
  ) async throws -> (run: CommandRun, daemon: FakeDaemon) {
    let daemon = try FakeDaemon(script)
    return (try await CommandRun.of(line.split(separator: " ").map(String.init), at: daemon.path), daemon)
  }

  /// The text on standard error, without the durations.
  private static func words(_ run: CommandRun) -> [String] {
    run.errors.split(separator: "\n").map { line in
      let rest = line.split(separator: ";").last ?? ""
      return line.contains("reconnected to positiond after ") ? "\(self.again)\(rest)" : String(line)
    }
  }

  private static let lost = "positionctl: lost the connection to positiond (the daemon closed it); reconnecting"
  private static let again = "positionctl: reconnected to positiond;"

  private static let ended = FakeDaemon.Step.notify(
    "subscription.ended", ["subscription": 7, "reason": "expired"])

  private static let home = "region watch home --circle 48,11,150m"

  @Test("watch continues, requests the remaining updates, and prints no fix twice")
  func watch() async throws {
    let subscriptions = Parts<[FakeDaemon.Step]>(
      [
        .result(Samples.subscription), .notify("position.update", Samples.update(arrival: 1000)),
        .notify("position.update", Samples.update(arrival: 1001)), .close,
      ],
      [
        .result(Samples.subscription), .notify("position.update", Samples.update(arrival: 1001, isReplay: true)),
        .notify("position.update", Samples.update(arrival: 1005)),
      ])
    let (run, daemon) = try await Self.run("watch -n 3 --json") { method, _ in
      method == "position.subscribe" ? subscriptions.next() : [.result(Samples.subscription)]
    }
    #expect(run.code == 0)
    let lines = try run.output.split(separator: "\n").map {
      try JSONValue(parsing: Array($0.utf8))["fix"]?["arrival"]
    }
    #expect(lines == [1000, 1001, 1005])
    #expect(Self.words(run) == [Self.lost, Self.again + " fixes in between were missed"])
    #expect(await daemon.parameters(of: "position.subscribe", number: 2)?["maxUpdates"] == 2)
  }

  @Test("A daemon that stops is reported as such, and the next one gets the request")
  func stopping() async throws {
    let subscriptions = Parts<[FakeDaemon.Step]>(
      [.result(Samples.subscription), .notify("session.closing", ["reason": "shuttingDown"]), .close],
      [.result(Samples.subscription), .notify("position.update", Samples.update()), Self.ended])
    let (run, _) = try await Self.run("watch") { _, _ in subscriptions.next() }
    #expect(run.code == 0)
    #expect(
      run.errors.hasPrefix("positionctl: lost the connection to positiond (the daemon is stopping); reconnecting\n"))
    #expect(run.output == "\(Samples.fixLine)\n")
  }

  @Test("heading and sky continue after a lost connection")
  func headingAndSky() async throws {
    let heading: JSONValue = [
      "subscription": 7, "state": "valid",
      "heading": ["trueHeading": 271, "source": "course", "arrival": 1000, "age": 0.4],
    ]
    let headings = Parts<[FakeDaemon.Step]>(
      [.result(Samples.subscription), .close],
      [
        .result(Samples.subscription), .notify("heading.update", heading),
        .notify("subscription.ended", ["subscription": 7, "reason": "unavailable"]),
      ])
    let (run, _) = try await Self.run("heading --watch") { _, _ in headings.next() }
    #expect(run.code == 1)
    #expect(run.output == "271° true (course), 0.4 s ago\n")
    #expect(
      Self.words(run) == [
        Self.lost, Self.again + " headings in between were missed", "positionctl: positiond ended it: unavailable",
      ])

    let skies = Parts<[FakeDaemon.Step]>(
      [.result(Samples.subscription), .close],
      [
        .result(Samples.subscription), .notify("sky.update", ["subscription": 7, "satellites": [], "age": 1]),
        Self.ended,
      ])
    let (sky, _) = try await Self.run("sky --watch") { method, _ in
      method == "sky.get" ? [.result(["satellites": [], "age": 0])] : skies.next()
    }
    #expect(sky.code == 0)
    #expect(sky.output.hasSuffix("The receiver sees no satellites.\n"))
    #expect(Self.words(sky).contains(Self.again + " updates in between were missed"))
  }

  @Test("region watch shows what was missed without a connection, and repeats nothing")
  func region() async throws {
    let additions = Parts<[(String, String)]>(
      [("exit", "outside"), ("enter", "inside")], [("exit", "outside"), ("enter", "inside")])
    let isFirst = Parts(true, false)
    let (run, daemon) = try await Self.run(Self.home + " -n 3") { _, params in
      guard case .string(let id)? = params["id"] else { return [.close] }
      let events = additions.next().map { FakeDaemon.Step.notify("region.event", Samples.regionEvent(id, $0.0, $0.1)) }
      return [.result(["state": "unknown"])] + events + (isFirst.next() ? [.close] : [])
    }
    #expect(run.code == 0)
    #expect(
      run.output.split(separator: "\n").map { $0.prefix(12) } == [
        "-- home: pos", "entered \"hom", "left \"home\" ", "entered \"hom",
      ])
    #expect(Self.words(run) == [Self.lost, Self.again + " changes in between are reported with the next fix"])
    #expect(daemon.methods.count { $0 == "region.add" } == 2)
  }

  @Test("durable attach continues, and sends pending acknowledgements on the new connection")
  func durable() async throws {
    let attachments = Parts<[FakeDaemon.Step]>(
      [
        .result(Samples.durable(lastEvent: 7)),
        .notify("region.event", Samples.regionEvent("home", "enter", "inside", durable: "tracker", eventID: 7)), .close,
      ],
      [
        .result(Samples.durable(lastEvent: 8)),
        .notify("region.event", Samples.regionEvent("home", "enter", "inside", durable: "tracker", eventID: 7)),
        .notify("region.event", Samples.regionEvent("home", "exit", "outside", durable: "tracker", eventID: 8)),
      ])
    let (run, daemon) = try await Self.run("durable attach tracker --since 6 --acknowledge -n 2 --json") { method, _ in
      method == "durable.attach" ? attachments.next() : [.result(["waiting": 0])]
    }
    #expect(run.code == 0)
    let lines = try run.output.split(separator: "\n").map {
      try JSONValue(parsing: Array($0.utf8))["eventId"]
    }
    #expect(lines == [7, 8])
    #expect(Self.words(run) == [Self.lost, Self.again + " events in between were kept and follow now"])
    #expect(await daemon.parameters(of: "durable.attach", number: 2) == ["name": "tracker"])
    // Each is acknowledged, the first on whichever connection was possible.
    var acknowledged: Set<JSONValue> = []
    for number in 1...daemon.methods.count(where: { $0 == "durable.acknowledge" }) {
      if let event = await daemon.parameters(of: "durable.acknowledge", number: number)?["event"] {
        acknowledged.insert(event)
      }
    }
    #expect(acknowledged == [7, 8])
  }

  @Test("An agent registers again")
  func agent() async throws {
    let registrations = Parts<[FakeDaemon.Step]>(
      [.result(["ok": true]), .close],
      [.result(["ok": true]), .ask(3, "agent.authorize", Samples.prompt())])
    let (run, daemon) = try await Self.run("agent --no --once") { method, _ in
      method == "agent.register" ? registrations.next() : [.result(Samples.authorization("always"))]
    }
    #expect(run.code == 0)
    #expect(Self.words(run) == [Self.lost, Self.again + " prompts in between were not shown here"])
    #expect(await daemon.answer()?["result"]?["decision"] == "deny")
  }

  @Test("Permission that is missing after a lost connection is waited for, and reported")
  func suspended() async throws {
    let subscriptions = Parts<[FakeDaemon.Step]>(
      [.result(Samples.subscription), .close],
      [
        .error(-32002, "A person said no"),
        .notify(
          "authorization.changed",
          Samples.changed(Samples.authorization("always"), from: Samples.authorization("denied"))),
      ],
      [.result(Samples.subscription), .notify("position.update", Samples.update()), Self.ended])
    let (run, _) = try await Self.run("watch") { _, _ in subscriptions.next() }
    #expect(run.code == 0)
    let waits = "positionctl: reconnected to positiond, but permission is gone; "
    #expect(run.errors.contains(waits + "waiting until it is granted again\n"))
    #expect(run.errors.hasSuffix("; fixes in between were missed\n"))
  }

  @Test("A single request fails with the connection", arguments: ["get", "status", "auth status", "durable list"])
  func once(line: String) async throws {
    let (run, daemon) = try await Self.run(line) { _, _ in [.close] }
    #expect(run.code == 1)
    #expect(run.errors.hasPrefix("positionctl: the connection to positiond ended: the daemon closed it\n"))
    #expect(daemon.methods.count { $0 == "session.hello" } == 1)
  }

  @Test(
    "A missing daemon at a command's start is an error at once", arguments: ["watch", "track -o /tmp/x.gpx"])
  func absent(line: String) async throws {
    let folder = try TemporaryFolder()
    let run = try await CommandRun.of(line.split(separator: " ").map(String.init), at: folder.file("none"))
    #expect(run.code == 1)
    #expect(run.errors.hasPrefix("positionctl: positiond is not running: nobody serves "))
  }
}
