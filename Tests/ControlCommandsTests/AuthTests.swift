import JSONRPC
import Positioning
import TestSupport
import Testing

@testable import ControlCommands

/// The commands about permission, against a fake daemon.
@Suite(.timeLimit(.minutes(TestDeadline.minutes)))
struct AuthTests {
  private static func run(
    _ line: String, _ script: @escaping FakeDaemon.Script
  ) async throws -> (run: CommandRun, daemon: FakeDaemon) {
    let daemon = try FakeDaemon(script)
    return (try await CommandRun.of(line.split(separator: " ").map(String.init), at: daemon.path), daemon)
  }

  private static func json(_ output: String) throws -> [JSONValue] {
    try output.split(separator: "\n").map { try JSONValue(parsing: Array($0.utf8)) }
  }

  // MARK: The user's own

  @Test("auth status shows the authorization, and exits 0 if a position is granted")
  func status() async throws {
    let granted = Samples.authorization("whenInUse", "reduced", rule: "boats\u{1b}")
    let (run, daemon) = try await Self.run("auth status") { _, _ in [.result(granted)] }
    #expect(run.code == 0)
    #expect(
      run.output == """
        Permission  granted while connected (whenInUse)
        Precision   reduced to a few kilometres
        Rule        boats\\u{1b}

        """)
    #expect(run.errors == "")
    #expect(daemon.methods.prefix(2) == ["session.hello", "authorization.get"])
    let (json, _) = try await Self.run("auth status --json") { _, _ in [.result(granted)] }
    #expect(try Self.json(json.output) == [granted])
  }

  @Test(
    "If nothing may be known auth status exits 3, and prints who can change that",
    arguments: [
      ("notDetermined", "not decided yet"), ("denied", "denied by a person"), ("restricted", "denied by a rule"),
      ("disabled", "positions are turned off"),
    ])
  func nothing(state: String, words: String) async throws {
    let (run, _) = try await Self.run("auth status") { _, _ in
      [.result(Samples.authorization(state, remedy: "adduser ada position, and a new login"))]
    }
    #expect(run.code == 3)
    #expect(
      run.output == """
        Permission  \(words) (\(state))
        To change   an administrator runs one of these, of which the second needs a new login:
                        sudo positionctl auth grant ada
                        sudo adduser ada position

        """)
    #expect(run.errors == "")
  }

  @Test("auth request sends its options, shows that a person is asked, and prints the result")
  func request() async throws {
    let line = "auth request --level always --precision reduced --force"
    let (run, daemon) = try await Self.run(line) { method, _ in
      let prompt: JSONValue = ["level": "always", "precision": "reduced", "expiresIn": 120]
      return (method == "authorization.request" ? [.notify("authorization.prompted", prompt)] : [])
        + [.result(Samples.authorization("always", "reduced"))]
    }
    #expect(run.code == 0)
    #expect(run.output.hasPrefix("Permission  always granted (always)\n"))
    #expect(run.errors.contains("waiting up to 2 min for a person"))
    #expect(
      await daemon.parameters(of: "authorization.request")
        == ["level": "always", "precision": "reduced", "force": true])
    let (plain, other) = try await Self.run("auth request") { _, _ in [.result(Samples.authorization("always"))] }
    #expect(plain.code == 0)
    #expect(
      await other.parameters(of: "authorization.request")
        == ["level": "whenInUse", "precision": "precise", "force": false])
  }

  @Test(
    "auth request exits 3 if less is granted than was requested",
    arguments: [
      ("auth request", "denied", "precise"), ("auth request", "whenInUse", "reduced"),
      ("auth request --level always", "whenInUse", "precise"),
    ])
  func less(line: String, state: String, precision: String) async throws {
    let (run, _) = try await Self.run(line) { _, _ in [.result(Samples.authorization(state, precision))] }
    #expect(run.code == 3)
  }

  @Test(
    "A command that advice ends with is a line of its own, which can be copied",
    arguments: [
      ("to reserve it: systemctl enable --now a.service", ["to reserve it:", "    systemctl enable --now a.service"]),
      ("systemctl restart a; the log may say why", ["run this; the log may say why", "    systemctl restart a"]),
      ("sudo positionctl auth enable", ["run this", "    sudo positionctl auth enable"]),
      ("see the log: it says why", ["see the log: it says why"]),
      ("try this: sudo a; or that", ["try this: sudo a; or that"]), ("ask root", ["ask root"]),
    ])
  func commandLines(advice: String, lines: [String]) { #expect(PermissionAdvice.lines(advice) == lines) }

  @Test("auth request without an agent says that nobody could be asked")
  func nobodyAsked() async throws {
    let (run, _) = try await Self.run("auth request") { _, _ in [.result(Samples.authorization("notDetermined"))] }
    #expect(run.code == 3)
    #expect(
      run.errors
        == "positionctl: nobody could be asked: no agent is running; \"positionctl agent\" or positiond-desktop is one\n"
    )
  }

  @Test("A request that prompts too often is a failure with the daemon's message")
  func tooOften() async throws {
    let (run, _) = try await Self.run("auth request") { _, _ in
      [.error(-32007, "Limit exceeded: prompts per principal is 3")]
    }
    #expect(run.code == 1)
    #expect(run.errors == "positionctl: Limit exceeded: prompts per principal is 3\n")
  }

  // MARK: Administrators

  @Test("auth grants has a line for each user")
  func grants() async throws {
    let grants = [
      Samples.grant("ada", 1000, "always", "reduced"), Samples.grant("ben\u{7}", 1001, "deny"),
    ]
    let script: FakeDaemon.Script = { _, _ in [.result(["grants": .array(grants), "omitted": 4])] }
    let (run, _) = try await Self.run("auth grants", script)
    #expect(run.code == 0)
    #expect(
      run.output == """
        ada (1000): always granted, reduced to a few kilometres; decided at 2026-01-31T12:00:00.000Z
        ben\\u{7} (1001): denied; decided at 2026-01-31T12:00:00.000Z

        """)
    #expect(run.errors == "positionctl: 4 more are not listed\n")
    let (json, _) = try await Self.run("auth grants --json", script)
    #expect(try Self.json(json.output) == grants)
  }

  @Test(
    "auth grant sends the decision",
    arguments: [
      ("auth grant ada", ["user": "ada", "level": "whenInUse", "precision": "precise"]),
      (
        "auth grant 1000 --level always --precision reduced",
        ["user": "1000", "level": "always", "precision": "reduced"]
      ),
      ("auth grant --deny ben", ["user": "ben", "level": "deny"]),
      ("auth grant --level deny ben", ["user": "ben", "level": "deny"]),
    ] as [(String, JSONValue)])
  func grant(line: String, params: JSONValue) async throws {
    let (run, daemon) = try await Self.run(line) { _, _ in [.result(Samples.grant("ada", 1000, "whenInUse", "precise"))]
    }
    #expect(run.code == 0)
    #expect(run.output == "ada (1000): granted while connected, precise\n")
    #expect(await daemon.parameters(of: "admin.grant") == params)
  }

  @Test(
    "Contradictory options are refused before anything is sent",
    arguments: [
      ("auth grant", "auth grant: missing USER"),
      ("auth grant ada --deny --level always", "auth grant: --deny cannot be combined"),
      ("auth grant ada --level deny --precision reduced", "auth grant: precision is set with level deny"),
      ("auth grant ada --level sometimes", "expected one of deny, whenInUse, always"),
      ("auth", "auth: missing subcommand"), ("auth gransts", "did you mean \"auth grants\"?"),
      ("agent --yes --no", "agent: --yes and --no cannot be combined"),
    ])
  func usage(line: String, words: String) async throws {
    let run = try await CommandRun.of(line.split(separator: " ").map(String.init), at: "/nonexistent/socket")
    #expect(run.code == 64)
    #expect(run.errors.contains(words), "\(run.errors)")
  }

  @Test("auth revoke shows the former decision")
  func revoke() async throws {
    let (run, daemon) = try await Self.run("auth revoke ada") { _, _ in [.result(Samples.grant("ada", 1000, "deny"))] }
    #expect(run.code == 0)
    #expect(run.output == "revoked: ada (1000): denied\n")
    #expect(await daemon.parameters(of: "admin.revoke") == ["user": "ada"])
  }

  @Test("auth revoke reports that an existing user has no stored decision")
  func nothingStored() async throws {
    let data: JSONValue = ["path": "user", "found": "a value that does not fit", "expected": "a stored decision"]
    let (run, _) = try await Self.run("auth revoke nobody") { _, _ in [.error(-32602, "Invalid params", data: data)] }
    #expect(run.code == 1)
    #expect(run.errors == "positionctl: no stored decision for user nobody\n")
  }

  @Test(
    "An empty list prints that it is empty, and nothing as JSON",
    arguments: [
      ("auth grants", ["grants": []], "no stored decisions"), ("auth clients", ["clients": []], "no clients"),
      ("durable list", ["names": []], "no durable names"), ("region list", ["names": []], "no regions"),
      ("region list --durable tracker", ["regions": []], "no regions"),
    ] as [(String, JSONValue, String)])
  func empty(line: String, result: JSONValue, words: String) async throws {
    let (run, _) = try await Self.run(line) { _, _ in [.result(result)] }
    #expect(run.code == 0)
    #expect(run.output == "\(words)\n")
    let (json, _) = try await Self.run("\(line) --json") { _, _ in [.result(result)] }
    #expect(json.output == "")
  }

  @Test("auth clients has a line for each connection: the kernel's facts, its authorization and the rule, its needs")
  func clients() async throws {
    let client: JSONValue = [
      "principal": Samples.asker, "authorization": Samples.authorization("whenInUse", rule: "boats"),
      "requests": 1, "subscriptions": 2, "regions": 0,
    ]
    let script: FakeDaemon.Script = { _, _ in [.result(["clients": [client]])] }
    let (run, _) = try await Self.run("auth clients", script)
    #expect(run.code == 0)
    #expect(
      run.output
        == "ada, process 4242, tracker.service, calls itself \"map\\u{1b}[2J\", for \"shows the way\": granted while "
        + "connected, precise by rule boats; 1 request, 2 subscriptions, 0 regions\n")
    let (json, _) = try await Self.run("auth clients --json", script)
    #expect(try Self.json(json.output) == [client])
  }

  @Test("auth enable and auth disable turn the switch", arguments: [true, false])
  func `switch`(isOn: Bool) async throws {
    let (run, daemon) = try await Self.run("auth \(isOn ? "enable" : "disable")") { _, _ in
      [.result(["enabled": .boolean(isOn)])]
    }
    #expect(run.code == 0)
    #expect(run.output == "positions are turned \(isOn ? "on" : "off")\n")
    #expect(daemon.methods.contains(isOn ? "admin.enable" : "admin.disable"))
  }

  @Test("Turning positions on warns if the users who were denied before are unknown")
  func unread() async throws {
    let (run, _) = try await Self.run("auth enable") { _, _ in
      [.result(["enabled": true, "unread": "positiond.db: it is damaged"])]
    }
    #expect(run.code == 0)
    #expect(
      run.output
        == "positions are turned on\nearlier decisions cannot be read (positiond.db: it is damaged): "
        + "deny again the users who were denied\n")
  }

  @Test(
    "Without an administrator's rights a command reports that, and exits 3",
    arguments: ["auth grants", "auth grant ada", "auth revoke ada", "auth clients", "auth enable", "auth disable"])
  func noAdministrator(line: String) async throws {
    let (run, _) = try await Self.run(line) { _, _ in
      [.error(-32002, "Restricted: this is for administrators", data: ["remedy": "ask root"])]
    }
    #expect(run.code == 3)
    #expect(run.output == "")
    #expect(run.errors.hasSuffix("positionctl: what to do: ask root\n"))
  }
}
