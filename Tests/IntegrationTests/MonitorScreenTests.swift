import EventLoop
import Glibc
import JSONRPC
import ReceiverSimulator
import TestSupport
import Testing

/// The screen of `positionctl monitor` on a real terminal, with a simulated receiver, a real gpsd and the real daemon.
@Suite(.timeLimit(.minutes(TestDeadline.minutes))) struct MonitorScreenTests {
  private static func command(_ fixture: IntegrationFixture, _ options: String = "") -> String {
    "\(Programs.path("positionctl")) --socket \(fixture.socket) monitor \(options)"
  }

  /// A terminal on which the screen is shown, and a client that needs the receiver.
  private static func begin(
    _ fixture: IntegrationFixture, columns: Int = 80, rows: Int = 24, environment: [String: String] = [:]
  ) throws -> (ScreenTerminal, LineClient) {
    let client = try fixture.client()
    _ = try client.call("position.subscribe")
    let terminal = try ScreenTerminal(columns: columns, rows: rows, environment: environment)
    try terminal.enters(Self.command(fixture))
    try terminal.waits("a fix") { lines in lines.contains { $0.hasPrefix("Position   48.") } }
    return (terminal, client)
  }

  @Test func `the screen follows the terminal's size, and its keys choose what it shows`() async throws {
    try await onOwnThread {
      let fixture = try IntegrationFixture()
      let (terminal, client) = try Self.begin(fixture)
      let usual = try terminal.waits("the sky") { lines in lines.contains { $0.contains("GLONASS    used ") } }
      for title in ["── Fix ", "── Receiver ", "── Programs ", "── Sky ", "── Events "] {
        #expect(usual.contains { $0.contains(title) }, "\(title)")
      }
      #expect(usual.contains { $0.hasPrefix("Receiver   on, proved by incoming data") })
      #expect(usual.contains { $0.hasPrefix("decides    ") })

      try terminal.resize(columns: 40, rows: 12)
      let small = try terminal.waits("40 x 12") { $0[0].hasPrefix("observes only") && $0[11].contains("q quit") }
      #expect(small.contains { $0.hasPrefix("Position   48.") })
      #expect(!small.contains { $0.contains("──") })
      try terminal.resize(columns: 120, rows: 40)
      let large = try terminal.waits("120 x 40") { $0.count >= 40 && $0[39].contains("q quit") }
      #expect(large.contains { $0.contains("── Track ") })

      for (key, text) in [
        ("2", "── Satellites "), ("3", "── Receiver "), ("4", "── Regions near by "), ("5", "── Events "),
        ("?", "quit, as Ctrl-C does"),
      ] {
        try terminal.presses(key)
        try terminal.waits(text) { lines in
          lines.contains { $0.contains(text) } && !lines.contains { $0.contains("── Fix ") }
        }
      }
      try terminal.presses("1")
      try terminal.sees(" m/s")
      try terminal.presses("u")
      try terminal.sees(" kn")
      try terminal.presses("c")
      try terminal.sees("′N")
      try terminal.presses("Space")
      try terminal.waits("frozen") { $0[0].contains("frozen") }
      withExtendedLifetime(client) {}
    }
  }

  /// How the screen ends: by a key, or by a signal.
  enum Ending: String, CaseIterable, Sendable {
    case q, interrupt, SIGTERM, SIGHUP, SIGSEGV, SIGTRAP

    var code: Int {
      switch self {
      case .q: 0
      case .interrupt: 130
      case .SIGTERM: 143
      case .SIGHUP: 129
      case .SIGSEGV: 139
      case .SIGTRAP: 133
      }
    }

    func end(_ pid: pid_t, _ terminal: ScreenTerminal) throws {
      switch self {
      case .q: try terminal.presses("q")
      case .interrupt: try terminal.presses("C-c")
      case .SIGTERM: kill(pid, Glibc.SIGTERM)
      case .SIGHUP: kill(pid, Glibc.SIGHUP)
      case .SIGSEGV: kill(pid, Glibc.SIGSEGV)
      case .SIGTRAP: kill(pid, Glibc.SIGTRAP)
      }
    }
  }

  private static func text(_ path: String) throws -> String {
    String(decoding: try File.read(path), as: UTF8.self).filter { $0 != "\n" }
  }

  @Test(arguments: Ending.allCases)
  func `however the screen ends, the terminal is as it was`(ending: Ending) async throws {
    try await onOwnThread {
      let fixture = try IntegrationFixture()
      let terminal = try ScreenTerminal()
      let (before, after, pid) = (terminal.file("before"), terminal.file("after"), terminal.file("pid"))
      let program = "/bin/sh -c 'echo $$ >\(pid); exec \(Self.command(fixture))'"
      try terminal.enters("stty -g >\(before); \(program); echo code $?; stty -g >\(after); echo over")
      try terminal.sees("observes only, turns nothing on")
      #expect(try terminal.modes() == "1 0")
      try ending.end(try #require(pid_t(try Self.text(pid))), terminal)
      try terminal.waits("the end") { lines in
        lines.contains("code \(ending.code)") && lines.contains("over")
      }
      #expect(try terminal.modes() == "0 1")
      #expect(try Self.text(after) == Self.text(before))
    }
  }

  @Test func `Ctrl-Z leaves the terminal to the shell, and fg brings the screen back`() async throws {
    try await onOwnThread {
      let fixture = try IntegrationFixture()
      let terminal = try ScreenTerminal()
      let (before, stopped) = (terminal.file("before"), terminal.file("stopped"))
      try terminal.enters("stty -g >\(before); \(Self.command(fixture))")
      try terminal.sees("observes only, turns nothing on")
      try terminal.presses("C-z")
      try terminal.waits("the shell") { _ in try terminal.modes() == "0 1" }
      try terminal.enters("stty -g >\(stopped); echo the shell is here")
      try terminal.waits("the shell's answer") { $0.contains("the shell is here") }
      #expect(try Self.text(stopped) == Self.text(before))
      try terminal.enters("fg")
      try terminal.sees("observes only, turns nothing on")
      #expect(try terminal.modes() == "1 0")
      try terminal.presses("q")
      try terminal.waits("the end") { _ in try terminal.modes() == "0 1" }
    }
  }

  @Test func `a lost daemon and a lost gpsd are named in the place of the values, which come back by themselves`()
    async throws
  {
    try await onOwnThread {
      let fixture = try IntegrationFixture()
      let (terminal, client) = try Self.begin(fixture)
      try fixture.onLoop { $0.killGpsd() }
      try terminal.waits("gpsd's absence") { lines in
        lines.contains { $0.hasPrefix("gpsd ") && !$0.contains("streaming") }
      }
      try fixture.onLoop { $0.killDaemon() }
      try terminal.waits("the daemon's absence") { lines in
        lines.contains { $0.hasPrefix("Position   lost the connection") || $0.hasPrefix("Position   positiond is") }
          && lines.contains { $0.hasPrefix("Needed by  no connection to positiond") }
      }
      try fixture.onLoop {
        try $0.startGpsd()
        try $0.startDaemon()
      }
      try fixture.waitForSocket()
      let next = try fixture.client()
      _ = try next.call("position.subscribe")
      try terminal.waits("a fix") { lines in lines.contains { $0.hasPrefix("Position   48.") } }
      withExtendedLifetime((client, next)) {}
    }
  }

  @Test func `the screen turns nothing on, except with --on`() async throws {
    try await onOwnThread {
      let fixture = try IntegrationFixture()
      let terminal = try ScreenTerminal()
      try terminal.enters(Self.command(fixture))
      try terminal.waits("no need") { lines in
        lines[0].contains("observes only") && lines.contains { $0.hasPrefix("Needed by  Nobody needs") }
      }
      #expect(try fixture.client().call("status.get")["demand"] == nil)
      try terminal.presses("q")
      try terminal.waits("the end") { _ in try terminal.modes() == "0 1" }
      try terminal.enters(Self.command(fixture, "--on"))
      try terminal.waits("a fix") { lines in
        lines[0].contains("keeps the receiver on") && lines.contains { $0.hasPrefix("Position   48.") }
      }
    }
  }

  @Test(arguments: [["TERM": "vt100"], ["TERM": "linux"], ["LC_ALL": "C", "LANG": "C"]])
  func `a terminal without Unicode gets ASCII`(environment: [String: String]) async throws {
    try await onOwnThread {
      let fixture = try IntegrationFixture()
      let (terminal, client) = try Self.begin(fixture, environment: environment)
      let lines = try terminal.waits("the sky") { lines in lines.contains { $0.contains("GLONASS    used ") } }
      #expect(lines.allSatisfy { $0.allSatisfy(\.isASCII) }, "\(lines)")
      withExtendedLifetime(client) {}
    }
  }

  @Test func `with NO_COLOR and on a terminal without colours there are none`() async throws {
    try await onOwnThread {
      let fixture = try IntegrationFixture()
      for (environment, isColored) in [([:], true), (["NO_COLOR": "1"], false), (["TERM": "vt100"], false)] {
        let (terminal, client) = try Self.begin(fixture, environment: environment)
        let text = try terminal.lines(isColored: true).joined()
        #expect(text.contains("\u{1b}[32m") == isColored, "\(environment)")
        withExtendedLifetime(client) {}
      }
    }
  }

  /// The time on the screen, in seconds of the day.
  private static func clock(_ lines: [String]) -> Int? {
    guard let match = lines.first?.firstMatch(of: /(\d\d):(\d\d):(\d\d) UTC/) else { return nil }
    return [match.1, match.2, match.3].reduce(0) { $0 * 60 + (Int($1) ?? 0) }
  }

  @Test(arguments: [(80, 24), (200, 60)])
  func `a moving device with a fix each second costs the line at most 2 kB a second`(columns: Int, rows: Int)
    async throws
  {
    try await onOwnThread {
      let fixture = try IntegrationFixture()
      let (terminal, client) = try Self.begin(fixture, columns: columns, rows: rows)
      try terminal.waits("the sky") { lines in lines.contains { $0.contains("GLONASS    used ") } }
      let record = terminal.file("bytes")
      try terminal.record(into: record)
      let begin = try #require(Self.clock(try terminal.lines()))
      var seconds = 0
      try terminal.waits("ten pictures") { lines in
        // Past midnight the clock begins again.
        seconds = ((Self.clock(lines) ?? begin) - begin + 86_400) % 86_400
        return seconds >= 10
      }
      let bytes = try File.read(record).count
      #expect(bytes > 0)
      #expect(bytes / seconds <= 2000, "\(bytes) bytes in \(seconds) s")
      withExtendedLifetime(client) {}
    }
  }
}
