import Glibc
import JSONRPC
import PositionProtocol
import Positioning
import Synchronization
import TestSupport
import Testing

@testable import ControlCommands

/// Whole commands against a fake daemon.
@Suite(.timeLimit(.minutes(TestDeadline.minutes)))
struct CommandTests {
  private static func run(
    _ line: String, _ setting: CommandRun.Setting = .init(), _ script: @escaping FakeDaemon.Script
  ) async throws -> (run: CommandRun, daemon: FakeDaemon) {
    let daemon = try FakeDaemon(script)
    let run = try await CommandRun.of(line.split(separator: " ").map(String.init), at: daemon.path, setting)
    return (run, daemon)
  }

  @Test("get prints the fix, and sends its options")
  func get() async throws {
    let line = "get --accuracy house --accept 50m --max-age 10 --timeout 20 --activity automotive"
    let (run, daemon) = try await Self.run(line) { _, _ in [.result(Samples.success)] }
    #expect(run.code == 0)
    #expect(run.output == Samples.fixLine + "\n")
    #expect(run.errors == "")
    #expect(
      await daemon.parameters(of: "position.get") == [
        "accuracy": "house", "acceptableAccuracy": 50, "maxAge": 10, "timeout": 20, "activity": "automotive",
      ])
    #expect(
      await daemon.parameters(of: "session.hello") == ["name": "positionctl", "purpose": "the command get"])
  }

  @Test("get --json prints the result as on the wire")
  func getJSON() async throws {
    let (run, _) = try await Self.run("get --json") { _, _ in [.result(Samples.success)] }
    #expect(run.code == 0)
    #expect(try JSONValue(parsing: Array(run.output.utf8)) == Samples.success)
    #expect(run.output.count { $0 == "\n" } == 1)
  }

  @Test("get exits 2 at the timeout, and prints why")
  func getTimedOut() async throws {
    let (run, _) = try await Self.run("get") { _, _ in [.result(Samples.timedOut)] }
    #expect(run.code == 2)
    #expect(run.output == "")
    #expect(
      run.errors == """
        positionctl: no fix within 30 s: searching, no fix yet; 4 satellites seen, 0 used
        positionctl: what to do: give the receiver a free view of the sky; after a long time off it needs minutes: --timeout 5min

        """)
  }

  @Test(
    "A receiver without an accuracy is answered with the setting that helps, at the timeout and after a fix that is accepted",
    arguments: [(Samples.timedOut, 2), (Samples.success.with(["satisfied": false]), 0)] as [(JSONValue, Int32)])
  func noAccuracy(result: JSONValue, code: Int32) async throws {
    let diagnostics: JSONValue = ["availability": "available", "power": "on", "problem": "noAccuracy"]
    let (run, _) = try await Self.run("get") { _, _ in [.result(result.with(["diagnostics": diagnostics]))] }
    #expect(run.code == code)
    #expect(run.errors.contains("what to do: set assumed-accuracy= in [receiver] of positiond.conf"), "\(run.errors)")
  }

  @Test(
    "On a terminal get waits on for a cold receiver, as long as its starts have taken",
    arguments: [(80.0, "3 min"), (20, "2 min"), (3000, "15 min"), (nil, "5 min")] as [(Double?, String)])
  func coldStart(longest: Double?, words: String) async throws {
    let setting = CommandRun.Setting(isOutputTerminal: true, isErrorTerminal: true)
    let asked = Atomic(0)
    let status = Self.status(longestColdStart: longest)
    let (run, daemon) = try await Self.run("get --accuracy house", setting) { method, _ in
      guard method == "position.get" else { return method == "status.get" ? [.result(status)] : [] }
      return [.result(asked.add(1, ordering: .relaxed).oldValue == 0 ? Samples.timedOut : Samples.success)]
    }
    #expect(run.code == 0)
    #expect(run.output == Samples.fixLine + "\n")
    #expect(
      run.errors.contains(
        "positionctl: no fix within 30 s: searching, no fix yet; 4 satellites seen, 0 used; waiting up to \(words) more, "
          + "until Ctrl-C\n"), "\(run.errors)")
    #expect(await daemon.parameters(of: "position.get")?["accuracy"] == "house")
  }

  /// A status with this longest cold start, in seconds.
  private static func status(longestColdStart: Double?) -> JSONValue {
    let cold = longestColdStart.map { ["mean": .number($0), "most": .number($0), "count": 1] as JSONValue }
    guard case .object(var power)? = Samples.status["power"] else { return Samples.status }
    power["timeToFirstFix"] = .object(cold.map { ["cold": $0] } ?? [:])
    return Samples.status.with(["power": .object(power)])
  }

  @Test(
    "get does not wait on where nobody sees it, where a timeout was given, or where waiting does not help",
    arguments: [
      ("get", false, "searching"), ("get --timeout 30", true, "searching"), ("get", true, "gpsdDown"),
    ])
  func noLongerWait(line: String, isTerminal: Bool, availability: String) async throws {
    let setting = CommandRun.Setting(isOutputTerminal: isTerminal, isErrorTerminal: true)
    let result = Samples.timedOut.with(["diagnostics": ["availability": .string(availability), "power": "on"]])
    let (run, daemon) = try await Self.run(line, setting) { _, _ in [.result(result)] }
    #expect(run.code == 2)
    #expect(daemon.methods.count { $0 == "position.get" } == 1)
  }

  @Test(
    "A fix at the timeout is compared with the demand in numbers",
    arguments: [
      (9.8, "get --accuracy room", "best 9.8 m, wanted 5 m; try --accept 50m"),
      (5.4, "get --accuracy room", "best 5.4 m, wanted 5 m; try --accept 10m"),
      (250, "get --accept 200m", "best 250 m, wanted 200 m; try --accept 500m"),
      (9000, "get", "best 9000 m, wanted 100 m"), (nil, "get", "accuracy unknown, wanted 100 m"),
      // The fix is too old, for example.
      (3, "get", "searching, no fix yet; 4 satellites seen, 0 used"),
    ] as [(Double?, String, String)])
  func shortfall(accuracy: Double?, line: String, words: String) async throws {
    var fix = Samples.fix
    fix = fix.with(["horizontalAccuracy": accuracy.map { .number($0) } ?? .null])
    let result = Samples.timedOut.with(["fix": fix])
    let (run, _) = try await Self.run(line) { _, _ in [.result(result)] }
    #expect(run.code == 2)
    #expect(run.errors.hasPrefix("positionctl: no fix was accurate enough within 30 s: \(words)\n"), "\(run.errors)")
  }

  @Test("A fix that is acceptable but not as desired is marked")
  func accepted() async throws {
    let result = Samples.success.with(["satisfied": false, "elapsed": 30])
    let (run, _) = try await Self.run("get --accuracy room --accept 50m") { _, _ in [.result(result)] }
    #expect(run.code == 0)
    #expect(run.errors == "positionctl: no better fix within 30 s: best 11 m, wanted 5 m\n")
  }

  @Test(
    "A parameter that the daemon refuses is named with its expected value",
    arguments: [
      ("\"ben\"", "invalid user: \"ben\", expected somebody"),
      ("a value that does not fit", "invalid user: expected somebody"),
    ])
  func invalidParameter(found: String, words: String) async throws {
    let data: JSONValue = ["path": "user", "found": .string(found), "expected": "somebody"]
    let (run, _) = try await Self.run("auth grant ben") { _, _ in [.error(-32602, "Invalid params", data: data)] }
    #expect(run.code == 1)
    #expect(run.errors == "positionctl: \(words)\n")
  }

  @Test("The first line of the status says that positions are turned off", arguments: ["status", "status --why", ""])
  func turnedOff(line: String) async throws {
    let (run, _) = try await Self.run(line) { method, _ in
      guard method == "authorization.get" else { return [.result(Samples.status)] }
      return [.result(["state": "disabled", "precision": "precise", "remedy": "positionctl auth enable"])]
    }
    #expect(run.code == 0)
    #expect(
      run.output.split(separator: "\n").first
        == "Positions are turned off for everybody; to turn them on: positionctl auth enable")
  }

  @Test("A search that rests is not said to have the receiver on")
  func resting() async throws {
    let diagnostics: JSONValue = ["availability": "searching", "power": "released"]
    let (run, _) = try await Self.run("get") { _, _ in [.result(Samples.timedOut.with(["diagnostics": diagnostics]))] }
    #expect(
      run.errors.hasPrefix(
        "positionctl: no fix within 30 s: searching, no fix yet; the receiver rests until the next attempt\n"),
      "\(run.errors)")
  }

  @Test("get exits 3 without permission, and shows the remedy with escaped foreign text")
  func getWithoutPermission() async throws {
    let (run, _) = try await Self.run("get") { _, _ in
      [.error(-32004, "No rule\u{1b}[2J", data: ["remedy": "adduser ada position, and a new login"])]
    }
    #expect(run.code == 3)
    #expect(run.output == "")
    #expect(
      run.errors == """
        positionctl: no permission: No rule\\u{1b}[2J
        positionctl: what to do: an administrator runs one of these, of which the second needs a new login:
            sudo positionctl auth grant ada
            sudo adduser ada position

        """)
  }

  @Test(
    "With --json an error is JSON on standard error, with the remedy",
    arguments: [
      (
        "get --json", [.error(-32004, "No rule", data: ["remedy": "adduser ada position, and a new login"])],
        ["code": -32004, "name": "notDetermined", "message": "no permission: No rule"]
      ),
      (
        "call x --json", [.error(-32601, "Method not found: x")],
        ["code": -32601, "name": "methodNotFound", "message": "Method not found: x"]
      ),
      ("status --json", [.close], ["name": "connectionLost"]),
      ("get --json --accuracy h", [], ["name": "usage"]),
    ] as [(String, [FakeDaemon.Step], JSONValue)])
  func errorsAsJSON(line: String, answers: [FakeDaemon.Step], expected: JSONValue) async throws {
    let (run, _) = try await Self.run(line) { _, _ in answers }
    #expect(run.code != 0 && run.output == "")
    #expect(run.errors.count { $0 == "\n" } == 1)
    let written = try JSONValue(parsing: Array(run.errors.utf8))
    guard case .object(let members)? = written["error"], case .object(let wanted) = expected else {
      Issue.record("not an error: \(run.errors)")
      return
    }
    for (name, value) in wanted { #expect(members[name] == value, "\(run.errors)") }
    #expect((members["remedy"] != nil) == (members["name"] == "notDetermined" || members["name"] == "connectionLost"))
  }

  @Test("A denial names the rule that decided, and when a person did")
  func refusal() async throws {
    let (run, _) = try await Self.run("watch") { _, _ in
      [
        .error(
          -32002, "Restricted: the position is not for this client",
          data: ["rule": "no-maps\u{9b}", "remedy": "an administrator changes it"])
      ]
    }
    #expect(run.code == 3)
    #expect(
      run.errors == """
        positionctl: no permission: Restricted: the position is not for this client
        positionctl: decided by rule no-maps\\u{9b}
        positionctl: what to do: an administrator changes it

        """)
    let (denied, _) = try await Self.run("get") { _, _ in
      [.error(-32001, "Denied", data: ["decision": "2026-01-31T12:00:00.000Z"])]
    }
    #expect(denied.code == 3)
    #expect(
      denied.errors == "positionctl: no permission: Denied\npositionctl: decided at 2026-01-31T12:00:00.000Z\n")
  }

  @Test("While a person is asked, get reports that", arguments: [false, true])
  func prompted(isTerminal: Bool) async throws {
    let setting = CommandRun.Setting(isErrorTerminal: isTerminal)
    let prompt: JSONValue = ["level": "whenInUse", "precision": "precise", "expiresIn": 120]
    let (run, _) = try await Self.run("get", setting) { _, _ in
      [.notify("authorization.prompted", prompt), .result(Samples.success)]
    }
    #expect(run.code == 0)
    #expect(
      run.errors
        == "positionctl: waiting up to 2 min for a person to allow or deny this\n")
  }

  @Test("On a terminal get shows the progress while it waits, and clears it")
  func liveLine() async throws {
    var setting = CommandRun.Setting()
    setting.isErrorTerminal = true
    // The answer waits for the second subscription, which is made only for the progress line.
    let (run, daemon) = try await Self.run("get --timeout 20", setting) { method, _ in
      switch method {
      case "sky.subscribe":
        let sky = JSONFormat.line(Samples.sky).dropFirst()
        return [
          .result(["subscription": 1, "state": "delivering", "availability": "searching"]),
          .raw("{\"jsonrpc\":\"2.0\",\"method\":\"sky.update\",\"params\":{\"subscription\":1,\(sky)}\n"),
        ]
      case "position.subscribe":
        return [
          .result(Samples.subscription), .notify("position.update", Samples.update()),
          .raw(#"{"jsonrpc":"2.0","id":2,"result":\#(JSONFormat.line(Samples.success))}"# + "\n"),
        ]
      default: return []
      }
    }
    #expect(run.code == 0)
    #expect(run.output == Samples.fixLine + "\n")
    #expect(run.errors.hasPrefix("\r\u{1b}[Jwaiting for the receiver; 20 s left"))
    // One or more seconds may have passed.
    #expect(run.errors.contains(/\r\u{1b}\[J4 satellites seen, 2 used; [12]?[0-9] s left/))
    #expect(run.errors.contains(/\r\u{1b}\[J4 satellites seen, 2 used; ±11 m so far; [12]?[0-9] s left/))
    #expect(run.errors.hasSuffix("\r\r\u{1b}[J"))
    #expect(await daemon.parameters(of: "position.subscribe")?["mode"] == "passive")
  }

  @Test("An answer that comes at once draws nothing on a terminal", arguments: ["xterm", "dumb"])
  func noLiveLine(terminal: String) async throws {
    let setting = CommandRun.Setting(isErrorTerminal: true, environment: ["TERM": terminal])
    let (run, daemon) = try await Self.run("get", setting) { _, _ in [.result(Samples.success)] }
    #expect(run.errors == "")
    #expect(!daemon.methods.contains("sky.subscribe"))
  }

  @Test("last never subscribes or requests more, and exits 1 if there was no fix")
  func last() async throws {
    let (run, daemon) = try await Self.run("last") { _, _ in
      [.result(["fix": Samples.fix, "achievedAccuracy": "house", "availability": "poweredDown"])]
    }
    #expect(run.code == 0)
    #expect(run.output == Samples.fixLine + "\n")
    #expect(daemon.methods.prefix(2) == ["session.hello", "position.last"])

    let (none, _) = try await Self.run("last") { _, _ in [.result(["availability": "poweredDown"])] }
    #expect(none.code == 1)
    #expect(none.errors == "positionctl: no fix yet: the receiver is not in use\n")
  }

  @Test(
    "--format prints the fix for other programs",
    arguments: [
      ("geo", "geo:48.137154,11.576124;u=11\n"), ("mgrs", "32U PU 9165 3475\n"), ("pluscode", "8FWH4HPG+VC\n"),
      ("dms", "48°08′13.75″N 11°34′34.05″E\n"),
      ("latitude,longitude,verticalAccuracy,mode", "48.137154,11.576124,,3d\n"),
    ])
  func format(notation: String, output: String) async throws {
    let (run, _) = try await Self.run("get --format \(notation)") { _, _ in [.result(Samples.success)] }
    #expect(run.output == output)
    #expect(run.code == 0)
    let (last, _) = try await Self.run("last --format \(notation)") { _, _ in
      [.result(["fix": Samples.fix, "availability": "poweredDown"])]
    }
    #expect(last.output == output)
    let (none, _) = try await Self.run("get --format \(notation)") { _, _ in [.result(Samples.timedOut)] }
    #expect(none.output == "")
    #expect(none.code == 2)
  }

  @Test("get --format with names and blanks prints the values between blanks, and a dash for an unknown one")
  func formatForRead() async throws {
    let daemon = try FakeDaemon { _, _ in [.result(Samples.success)] }
    let run = try await CommandRun.of(["get", "--format", "latitude verticalAccuracy mode"], at: daemon.path)
    #expect(run.output == "48.137154 - 3d\n")
  }

  @Test("watch --format geojson prints one collection, and events elsewhere")
  func watchGeoJSON() async throws {
    let (run, _) = try await Self.run("watch -n 2 --format geojson") { _, _ in
      [
        .result(["subscription": 7, "state": "acquiring", "availability": "searching"]),
        .notify("position.update", Samples.update(latitude: 1)),
        .notify("position.update", Samples.update(latitude: 2)),
        .notify("subscription.ended", ["subscription": 7, "reason": "expired"]),
      ]
    }
    #expect(run.code == 0)
    #expect(run.errors == "positionctl: searching: searching, no fix yet\n")
    let collection = try JSONValue(parsing: Array(run.output.utf8))
    #expect(collection["type"] == "FeatureCollection")
    guard case .array(let features)? = collection["features"] else { throw RPCError(code: .internalError, message: "") }
    #expect(
      features.map { $0["geometry"] } == [
        ["type": "Point", "coordinates": [11.576124, 1]], ["type": "Point", "coordinates": [11.576124, 2]],
      ])
    #expect(features.map { $0["type"] } == ["Feature", "Feature"])
    #expect(features.first?["properties"]?["horizontalAccuracy"] == 11)
    #expect(features.first?["properties"]?["latitude"] == nil)
  }

  @Test("A collection of GeoJSON is complete although permission is denied")
  func deniedGeoJSON() async throws {
    let (run, _) = try await Self.run("watch --format geojson") { _, _ in [.error(-32002, "A rule says no")] }
    #expect(run.code == 3)
    #expect(try JSONValue(parsing: Array(run.output.utf8)) == ["type": "FeatureCollection", "features": []])
  }

  @Test("Without a command the status is printed, and where the commands are listed")
  func alone() async throws {
    let (run, daemon) = try await Self.run("") { _, _ in [.result(Samples.status)] }
    #expect(run.code == 0)
    #expect(run.output.hasPrefix("positiond   0.1.0, up for 25 h\n"))
    #expect(run.errors == "positionctl: \"positionctl help\" lists the commands\n")
    #expect(daemon.methods.prefix(3) == ["session.hello", "authorization.get", "status.get"])
    let (json, _) = try await Self.run("--json") { _, _ in [.result(Samples.status)] }
    #expect(try JSONValue(parsing: Array(json.output.utf8))["version"] == "0.1.0")
    #expect(json.errors == "")
  }

  @Test("watch prints updates in order until the subscription has ended")
  func watch() async throws {
    let (run, daemon) = try await Self.run("watch -n 2 --min-distance 25") { _, _ in
      [
        .result(["subscription": 7, "state": "acquiring", "availability": "searching"]),
        .notify("position.update", Samples.update(latitude: 1)),
        .notify("position.update", Samples.update(latitude: 2)),
        .notify("subscription.ended", ["subscription": 7, "reason": "expired"]),
      ]
    }
    #expect(run.code == 0)
    #expect(
      run.output.split(separator: "\n").map { $0.prefix(14) } == ["-- searching: ", "1.000000 N, 11", "2.000000 N, 11"])
    #expect(await daemon.parameters(of: "position.subscribe") == ["maxUpdates": 2, "minDistance": 25])
  }

  @Test(
    "watch exits 2 at its timeout without a fix, and 1 if the device cannot have one",
    arguments: [("expired", 2), ("unavailable", 1)])
  func watchWithoutFix(reason: String, code: Int32) async throws {
    let (run, _) = try await Self.run("watch --duration 5") { _, _ in
      [.result(Samples.subscription), .notify("subscription.ended", ["subscription": 7, "reason": .string(reason)])]
    }
    #expect(run.code == code)
    #expect(run.errors != "")
  }

  @Test("watch ends without a message when its reader is gone")
  func brokenPipe() async throws {
    let setting = CommandRun.Setting(outputBreaksAfter: 1)
    let (run, _) = try await Self.run("watch", setting) { _, _ in
      [.result(Samples.subscription), .notify("position.update", Samples.update())]
    }
    #expect(run.code == 0)
    #expect(run.errors == "")
  }

  @Test(
    "Ctrl-C and SIGTERM end a command cleanly, with the shell's exit codes",
    arguments: [(SIGINT, 130), (SIGTERM, 143)] as [(Int32, Int32)])
  func signals(signal: Int32, code: Int32) async throws {
    let setting = CommandRun.Setting(pendingSignal: signal)
    let (run, daemon) = try await Self.run("watch", setting) { _, _ in [.result(Samples.subscription)] }
    #expect(run.code == code)
    #expect(run.errors == "")
    #expect(await daemon.parameters(of: "(closed)") != nil)
  }

  @Test("sky draws a picture on a terminal, and prints only the table into a pipe")
  func sky() async throws {
    let script: FakeDaemon.Script = { _, _ in
      do {
        return [.result(try JSONValue(parsing: Sky.codec.encode(Samples.sky, moment: Samples.moment)))]
      } catch {
        return [.close]
      }
    }
    let table = SkyTable.lines(Samples.sky, now: Samples.moment.now).written
    let (piped, _) = try await Self.run("sky", .init(), script)
    #expect(piped.code == 0)
    #expect(piped.output.split(separator: "\n").map(String.init) == table)
    let setting = CommandRun.Setting(isOutputTerminal: true, environment: ["NO_COLOR": "1"])
    let (drawn, _) = try await Self.run("sky", setting, script)
    #expect(
      drawn.output.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
        == SkyScreen(columns: 80, rows: 24, isCut: false, isUnicode: true).lines(Samples.sky, now: Samples.moment.now)
        .written)
    let (colored, _) = try await Self.run("sky", .init(isOutputTerminal: true), script)
    #expect(colored.output.contains("\u{1b}[32mG05"))
  }

  @Test("time prints the receiver's time, this machine's, and what chrony says; without a fix what is known")
  func time() async throws {
    let moment = Samples.moment
    let reading = ReceiverTime.Reading(
      time: Timestamp(since1970: moment.since1970 - .milliseconds(750)), arrival: moment.now - .milliseconds(500))
    let clock = ClockFigure(
      reference: "GPS", isReferenceClock: true, error: .microseconds(35), drift: 1e-6, correction: .milliseconds(252),
      updated: moment.now - .seconds(12), asked: moment.now)
    func printed(_ time: ReceiverTime) async throws -> String {
      let json = try JSONValue(parsing: ReceiverTime.codec.encode(time, moment: moment))
      return try await Self.run("time") { _, _ in [.result(json)] }.run.output
    }
    let whole = try await printed(ReceiverTime(reading: reading, clock: clock))
    #expect(whole.contains("Difference  -0.250 s, and up to 2 s more"), "\(whole)")
    #expect(whole.contains("chrony follows GPS, a clock of this machine, and is right to 0.035 ms"), "\(whole)")
    #expect(whole.contains("it has yet to correct 252.000 ms"), "\(whole)")
    let none = try await printed(ReceiverTime())
    #expect(none.contains("No time from the receiver") && none.contains("chrony does not answer"), "\(none)")
  }

  @Test("status and status --why print the status")
  func status() async throws {
    let (run, _) = try await Self.run("status") { _, _ in [.result(Samples.status)] }
    #expect(run.code == 0)
    #expect(run.output.hasPrefix("positiond   0.1.0, up for 25 h\nReceiver    /dev/ttyACM0 (u-blox); "))
    let (why, _) = try await Self.run("status --why") { _, _ in [.result(Samples.status)] }
    #expect(why.output.hasPrefix("Who needs the receiver (* sets accuracy and rate):\n* ada, process 42"))
    let (json, _) = try await Self.run("status --why --json") { _, _ in [.result(Samples.status)] }
    #expect(try JSONValue(parsing: Array(json.output.utf8)) == Samples.status.with(["inUse": []]), "\(json.output)")
    #expect(!json.output.contains("\u{1b}"))
  }

  @Test("call sends the method and its parameters unchanged, and prints the result or the error's data")
  func call() async throws {
    let (run, daemon) = try await Self.run(#"call future.method {"a":[1,null]}"#) { _, _ in [.result(["b": true])] }
    #expect(run.code == 0)
    #expect(run.output == "{\"b\":true}\n")
    #expect(await daemon.parameters(of: "future.method") == ["a": [1, nil]])

    let (failed, _) = try await Self.run("call nothing") { _, _ in
      [.error(-32601, "Method not found: \"nothing\"", data: ["method": "nothing"])]
    }
    #expect(failed.code == 1)
    #expect(
      failed.errors == """
        positionctl: Method not found: "nothing"
        positionctl: details: {"method":"nothing"}

        """)
  }

  @Test(
    "Without a daemon every command prints how to start it",
    arguments: [
      "get", "last", "watch", "heading", "heading -w", "sky", "status", "call x", "region list", "durable list",
      "auth status", "agent --no",
    ])
  func noDaemon(line: String) async throws {
    let run = try await CommandRun.of(line.split(separator: " ").map(String.init), at: "/nonexistent/socket")
    #expect(run.code == 1)
    #expect(run.output == "")
    #expect(
      run.errors == """
        positionctl: positiond is not running: nobody serves /nonexistent/socket
        positionctl: what to do: start it with "systemctl start positiond.service", or name its socket with POSITIOND_SOCKET

        """)
  }

  @Test("The socket is that of the option, else of the environment")
  func socketPath() async throws {
    let daemon = try FakeDaemon { _, _ in [.result(Samples.success)] }
    let setting = CommandRun.Setting(environment: ["POSITIOND_SOCKET": daemon.path])
    #expect(try await CommandRun.of(["get"], setting).code == 0)
    #expect(try await CommandRun.of(["get", "--socket", "/nonexistent/socket"], setting).code == 1)
  }

  @Test(
    "A peer that does not use the protocol has an error of its own",
    arguments: ["HTTP/1.1 400 Bad Request\n", "[]\n", "{}\n"])
  func otherProgram(text: String) async throws {
    let (run, _) = try await Self.run("get") { _, _ in [.raw(text), .close] }
    #expect(run.code == 1)
    #expect(run.errors.contains("positionctl: "))
  }
}
