import EventLoop
import JSONRPC
import Positioning
import TestSupport
import Testing

@testable import ReceiverSimulator

/// The rungs that write to the receiver: a real gpsd, which writes, and a simulated receiver, which obeys and keeps a
/// record of when its engine ran.
@Suite(.timeLimit(.minutes(TestDeadline.minutes))) struct PowerTests {
  private static func fixture(
    _ kind: ReceiverKind = .ublox, rung: PowerRung? = nil, gpsd arguments: [String] = [], time: FastTime? = nil
  ) throws -> IntegrationFixture {
    var settings = IntegrationFixture.Settings()
    settings.time = time
    settings.receiver.receiver = ReceiverModel.Settings(kind: kind, firstStart: .ready, keepsRunning: true)
    settings.gpsdArguments = arguments
    settings.configuration = ["receiver.rung=\((rung ?? (kind == .mtk ? .mtk : .ublox)).rawValue)"]
    return try IntegrationFixture(settings)
  }

  private static func state(_ status: JSONValue) -> String? { status["power"]?["state"]?.text }

  /// Has a client use the receiver until gpsd has found out what it is, and leave.
  private static func use(_ fixture: IntegrationFixture, driver: String = "u-blox") throws {
    var received = try ReceivedUpdates(fixture, ["replay": "none"])
    try received.read(until: "a fix") { $0.fix != nil }
    _ = try fixture.waitForStatus("gpsd's name for the receiver") { $0["receiver"]?["driver"]?.text == driver }
  }

  private static func waitForOff(_ fixture: IntegrationFixture) throws -> JSONValue {
    let status = try fixture.waitForStatus("the receiver off") { Self.state($0) == "off" }
    #expect(try fixture.onLoop { $0.receiver?.activity().isStopped } == true, "off is claimed of one that runs")
    return status
  }

  private static func powerLog(_ fixture: IntegrationFixture) throws -> PowerLog {
    try #require(try fixture.onLoop { $0.receiver?.powerLog })
  }

  @Test(arguments: [(ReceiverKind.ublox, "u-blox"), (.mtk, "MTK-3301")])
  func `a receiver that nobody needs is stopped, and started for the next who does`(kind: ReceiverKind, driver: String)
    async throws
  {
    try await onOwnThread {
      let fixture = try Self.fixture(kind)
      try Self.use(fixture, driver: driver)
      let off = try Self.waitForOff(fixture)
      #expect(off["power"]?["rung"]?.text == kind.rawValue)
      #expect(off["power"]?["verifiedBy"]?.text?.contains("since the stop") == true)
      #expect(off["power"]?["problem"] == nil && off["lastError"] == nil, "\(off)")
      let before = try Self.powerLog(fixture)
      let cached = try fixture.client().call("position.get", ["timeout": 60, "maxAge": 3600])
      #expect(cached["fix"]?["latitude"] != nil, "\(cached)")
      #expect(try Self.powerLog(fixture) == before, "what the cache answers starts nothing")
      let fix = try fixture.client().call("position.get", ["timeout": 60, "maxAge": 0])
      #expect(fix["fix"]?["latitude"] != nil, "\(fix)")
      let log = try Self.powerLog(fixture)
      #expect(log.entries.map(\.isOn) == [true, false, true], "\(log.entries)")
    }
  }

  @Test func `after the daemon was killed while the receiver was stopped, the first fix comes`() async throws {
    try await onOwnThread {
      let fixture = try Self.fixture()
      try Self.use(fixture)
      _ = try Self.waitForOff(fixture)
      try fixture.onLoop { $0.killDaemon() }
      try fixture.onLoop { try $0.startDaemon() }
      try fixture.waitForSocket()
      let fix = try fixture.client().call("position.get", ["timeout": 60])
      #expect(fix["fix"]?["latitude"] != nil, "\(fix)")
      #expect(try fixture.onLoop { $0.receiver?.activity().isStopped } == false)
    }
  }

  @Test func `after the daemon was killed, the receiver is started though nobody asks, and stopped again`() async throws
  {
    try await onOwnThread {
      let fixture = try Self.fixture()
      try Self.use(fixture)
      _ = try Self.waitForOff(fixture)
      try fixture.onLoop { $0.killDaemon() }
      try fixture.onLoop { try $0.startDaemon() }
      try fixture.waitForSocket()
      // The receiver's own record: it may be stopped again before its first fix, and then "off" cannot be verified.
      let deadline = monotonicSeconds() + TestDeadline.seconds
      while try Self.powerLog(fixture).entries.map(\.isOn) != [true, false, true, false] {
        guard monotonicSeconds() < deadline else { throw TimedOut("the receiver is not started and stopped again") }
      }
    }
  }

  @Test func `the end of the service starts the receiver`() async throws {
    try await onOwnThread {
      let fixture = try Self.fixture()
      try Self.use(fixture)
      _ = try Self.waitForOff(fixture)
      let client = try fixture.client()
      try fixture.onLoop { $0.stopDaemon() }
      // The daemon closes it when the receiver runs.
      _ = try client.notification("session.closing")
      let deadline = monotonicSeconds() + TestDeadline.seconds
      while try fixture.onLoop({ $0.daemon != nil }) {
        guard monotonicSeconds() < deadline else { throw TimedOut("the daemon does not end") }
      }
      #expect(try fixture.onLoop { $0.receiver?.activity().isStopped } == false)
      try fixture.onLoop { try $0.startDaemon() }
      try fixture.waitForSocket()
      #expect(Self.state(try fixture.client().call("status.get")) == "unknown", "nothing is stored as stopped")
    }
  }

  @Test func `what a killed daemon stopped is started by --start-receiver, once`() async throws {
    try await onOwnThread {
      let fixture = try Self.fixture()
      try Self.use(fixture)
      _ = try Self.waitForOff(fixture)
      try fixture.onLoop { $0.killDaemon() }
      let loop = try EventLoop()
      for expected in ["the receiver is started", "no receiver is stopped"] {
        let run = try RunningProgram(
          Programs.path("positiond"), ["--config", "\(fixture.folder)/positiond.conf", "--start-receiver"], on: loop)
        #expect(try run.waitForExit() == 0, "\(run.output)")
        #expect(run.output.contains(expected), "\(run.output)")
        #expect(try fixture.onLoop { $0.receiver?.activity().isStopped } == false)
      }
    }
  }

  @Test(
    "a receiver that does not obey is reported, and only released",
    arguments: [(["-b"], false), ([], true)] as [([String], Bool)])
  func disobedience(arguments: [String], isDeaf: Bool) async throws {
    try await onOwnThread {
      let fixture = try Self.fixture(gpsd: arguments)
      var received = try ReceivedUpdates(fixture, ["replay": "none"])
      try received.read(until: "a fix") { $0.fix != nil }
      if isDeaf { try fixture.onLoop { $0.receiver?.inject(.deaf) } }
      _ = try received.client.call("subscription.cancel", ["subscription": 1])
      let status = try fixture.waitForStatus("a problem") {
        $0["power"]?["problem"] != nil && Self.state($0) == "released"
      }
      #expect(status["power"]?["rung"] == "watch")
      #expect(status["power"]?["problem"]?.text?.contains("rung=ublox does not work") == true, "\(status)")
      #expect(fixture.log.contains("rung=ublox does not work"))
    }
  }

  @Test func `a receiver of another kind is refused in words, while it is on`() async throws {
    try await onOwnThread {
      let fixture = try Self.fixture(.nmea, rung: .ublox)
      let received = try ReceivedUpdates(fixture, ["replay": "none"])
      let status = try fixture.waitForStatus("the refusal") { $0["power"]?["problem"] != nil }
      #expect(status["power"]?["problem"]?.text?.contains("gpsd calls the receiver NMEA0183, not u-blox") == true)
      #expect(status["power"]?["rung"] == "watch" && Self.state(status) == "on")
      withExtendedLifetime(received) {}
    }
  }

  /// Only a gpsd shows what it does, for a minute, with a device that another program uses.
  @Test func `another program that starts the receiver again is noticed`() async throws {
    try await onOwnThread {
      let fixture = try Self.fixture(gpsd: ["-n"], time: FastTime(factor: 10))
      try Self.use(fixture)
      _ = try Self.waitForOff(fixture)
      try fixture.onLoop { parts in try parts.gpsd?.control("&\(parts.folder.device)=B56206040400000009001776") }
      let status = try fixture.waitForStatus("a problem") { $0["power"]?["problem"] != nil }
      #expect(status["power"]?["problem"]?.text?.contains("another program has started the receiver again") == true)
      #expect(Self.state(status) == "released" && status["power"]?["rung"] == "ublox")
    }
  }
}

extension ReceiverModel.Activity {
  fileprivate var isStopped: Bool {
    if case .stopped = self { true } else { false }
  }
}
