import EventLoop
import Glibc
import JSONRPC
import TestSupport
import Testing

/// Text of clients and gpsd, on its way to people: in the daemon's log, and on positionctl's terminal.
@Suite(.timeLimit(.minutes(TestDeadline.minutes))) struct ForeignTextTests {
  /// Colours, a window's title, a forged line, C1, a turn of direction, and what ends a string in C.
  private static let hostile =
    "\u{1b}[31mevil\u{1b}]0;t\u{7}\nerror: forged\r\u{9b}2J\u{9d}\u{202e}\u{2066}\u{7f}\u{2028}"
  /// Characters of a name that are not control characters.
  private static let turning = "evil\u{202e}\u{2066}\u{200f}"

  /// A daemon whose gpsd and whose clients are hostile.
  private struct HostileFixture {
    let loop: EventLoop
    let gpsd: FakeGpsd
    let own: DaemonFixture
    let daemon: RunningProgram

    init(on loop: EventLoop) throws {
      self.loop = loop
      let gpsd = try FakeGpsd(on: loop)
      self.gpsd = gpsd
      let version: JSONValue = [
        "class": "VERSION", "release": .string("3.22\(hostile)"), "rev": "1", "proto_major": 3, "proto_minor": 14,
      ]
      gpsd.onConnect = { try? $0.say(Self.line(version)) }
      gpsd.onRequest = { client, text in
        if text.hasPrefix("?DEVICES;") { try? client.say(Self.devices) }
        guard text.hasPrefix("?WATCH={\"enable\":true") else { return }
        let lines: [JSONValue] = [
          ["class": "WATCH", "enable": true, "json": true],
          ["class": "ERROR", "message": .string("gpsd \(hostile)")],
          [
            "class": "TPV", "device": .string("/dev/\(turning)"), "mode": 3, "lat": 48.137, "lon": 11.575, "eph": 8,
          ],
        ]
        try? client.say(Self.devices + lines.map { Self.line($0) }.joined())
      }
      self.own = try DaemonFixture(on: loop, gpsd: gpsd.listener)
      try self.own.configure(["log.level=debug"])
      self.daemon = try RunningProgram(
        Programs.path("positiond"), ["--config", self.own.configuration], environment: ["NO_COLOR": "1"],
        onTerminal: true, on: loop)
      try self.daemon.waitToSay("serves")
    }

    private static let devices = Self.line([
      "class": "DEVICES",
      "devices": [
        [
          "class": "DEVICE", "path": .string("/dev/\(turning)"), "driver": .string("driver \(hostile)"),
          "activated": "2026-01-31T07:07:33.030Z",
        ]
      ],
    ])

    private static func line(_ value: JSONValue) -> String {
      String(decoding: value.encoded(), as: UTF8.self) + "\r\n"
    }

    /// The output of positionctl on a terminal, until its end.
    func positionctl(_ words: [String], environment: [String: String]) throws -> String {
      let run = try RunningProgram(
        Programs.path("positionctl"), ["--socket", self.own.socket] + words, environment: environment,
        onTerminal: true, on: self.loop)
      _ = try run.waitForExit()
      return run.output
    }
  }

  /// Everything in it that a terminal would interpret or that would break a log's line, except for line ends.
  private static func harm(in text: String) -> [Unicode.Scalar] {
    text.unicodeScalars.filter { scalar in
      switch scalar.value {
      case 0x0A: false
      case 0x00...0x1F, 0x7F...0x9F, 0x61C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
      default: false
      }
    }
  }

  private static let commands: [(words: [String], said: String)] = [
    (["status"], #"driver \u{1b}[31mevil"#), (["status", "--why"], #"purpose \u{1b}[31mevil\u{1b}]0;t\u{7}\nerror"#),
    (["status", "--why", "--json"], #"purpose \u001b[31mevil"#), (["get"], "48.137000 N"),
    (["get", "--json"], #"/dev/evil\u202e\u2066\u200f"#), (["last", "--json"], #"/dev/evil\u202e"#),
    (["watch", "-n", "1"], "48.137000 N"), (["watch", "-n", "1", "--json"], #"/dev/evil\u202e"#),
    (["call", "status.get"], #"3.22\u001b[31mevil"#), (["durable", "list"], #"evil\u{202e}\u{2066}\u{200f}: "#),
    (["durable", "list", "--json"], #"evil\u202e"#),
    (["region", "list"], #"evil\u{202e}\u{2066}\u{200f} evil\u{202e}"#),
    (["region", "list", "--json"], #"evil\u202e"#), (["durable", "attach", turning, "-n", "1"], #"-- evil\u{202e}"#),
    (["region", "add", turning, "--circle", "48,11,1km", "--durable", "b\(turning)"], #"evil\u{202e}"#),
    (["region", "remove", "no\(turning)", "--durable", turning], #"noevil\u{202e}"#),
    (["region", "add", hostile, "--circle", "48,11,1km", "--durable", "b", "--wake", hostile], "control characters"),
    (["region", "add", "c", "--circle", hostile, "--durable", "b"], #"\u{1b}[31mevil"#),
    (["durable", "remove", "no\(turning)"], #"noevil\u{202e}"#), (["--\(hostile)"], #"\u{1b}[31mevil"#),
    (["call", hostile], #"\u{1b}[31mevil"#), (["doctor"], #"version 3.22\u{1b}[31mevil"#),
    (["doctor", "--json"], #"version 3.22\u001b[31mevil"#),
  ]

  @Test func `no terminal gets control characters from a client or from gpsd, and no line is forged`() async throws {
    try await withLoop { loop in
      let fixture = try HostileFixture(on: loop)
      let client = try fixture.own.client()
      _ = try client.call(
        "session.hello", ["name": .string("n\(Self.hostile)"), "purpose": .string("purpose \(Self.hostile)")])
      _ = try client.call("position.subscribe")
      try client.request("region.add", ["id": .string(Self.hostile), "circle": Self.circle])
      _ = try client.call(
        "region.add",
        [
          "id": .string(Self.turning), "circle": Self.circle, "initial": "always",
          "durable": ["name": .string(Self.turning)],
        ])
      try client.request(
        "region.add",
        ["id": "a", "circle": Self.circle, "durable": ["name": "a", "wake": .string("\(Self.hostile).service")]])
      try loop.drive(until: "a fix") { try client.hasReceivedFix() }

      for (words, said) in Self.commands {
        let words = words.first == "doctor" ? words + ["--gpsd", "127.0.0.1:\(fixture.gpsd.port)"] : words
        let output = try fixture.positionctl(words, environment: ["TERM": "dumb"])
        #expect(Self.harm(in: output).isEmpty, "\(words): \(output.debugDescription)")
        #expect(output.contains(said), "\(words): \(output.debugDescription)")
        #expect(!output.split(separator: "\n").contains { $0.hasPrefix("error:") }, "\(words): \(output)")
        // On a terminal with colours there is the command's own emphasis, and nothing else.
        let colored = try fixture.positionctl(words, environment: ["TERM": "xterm"])
        let plain = colored.replacing(#/\u{1b}\[[0-9;]*m|\r\u{1b}\[K/#, with: "")
        #expect(Self.harm(in: plain).isEmpty, "\(words): \(colored.debugDescription)")
        #expect(!colored.contains("\u{1b}[31mevil"), "\(words)")
      }

      // The printable characters of gpsd's error are unchanged.
      try fixture.daemon.waitToSay(#"error: forged\r\u{9b}2J\u{9d}\u{202e}\u{2066}\u{7f}\u{2028}"#)
      fixture.daemon.send(SIGTERM)
      #expect(try fixture.daemon.waitForExit() == 0)
      let log = fixture.daemon.output
      #expect(Self.harm(in: log).isEmpty, "\(log.debugDescription)")
      for line in log.split(separator: "\n") {
        #expect(["warning", "notice", "info", "debug"].contains { line.hasPrefix("\($0): ") }, "\(line)")
      }
    }
  }

  private static let circle: JSONValue = ["latitude": 48.137, "longitude": 11.575, "radius": 500]
}

extension LineClient {
  /// Whether an update with a fix has arrived.
  fileprivate func hasReceivedFix() throws -> Bool {
    do {
      _ = try self.next(within: 0.01, what: "fix") { $0["params"]?["fix"] != nil }
      return true
    } catch is TimedOut {
      return false
    }
  }
}
