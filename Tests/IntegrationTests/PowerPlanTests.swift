import EventLoop
import JSONRPC
import Positioning
import TestSupport
import Testing

@testable import ReceiverSimulator

/// The daemon's plan beside the receiver's own record of when its engine ran.
///
/// The time of a real gpsd, of the daemon and of a simulated u-blox passes faster, so that every setting and every time
/// has its real value, and half an hour takes little more than a minute.
@Suite(.timeLimit(.minutes(TestDeadline.minutes))) struct PowerPlanTests {
  private struct Stage {
    let fixture: IntegrationFixture
    let clock: FastClock

    init(factor: Int) throws {
      let time = try FastTime(factor: factor)
      self.clock = time.clock
      var settings = IntegrationFixture.Settings()
      settings.receiver.receiver = ReceiverModel.Settings(kind: .ublox, keepsRunning: true)
      settings.gpsdArguments = []
      settings.configuration = ["receiver.rung=ublox", "receiver.linger=60s"]
      settings.time = time
      self.fixture = try IntegrationFixture(settings)
    }

    var log: PowerLog {
      get throws { try #require(try self.fixture.onLoop { $0.receiver?.powerLog }) }
    }

    /// Waits until the receiver is known to be off.
    func off() throws -> JSONValue {
      try self.fixture.waitForStatus("the receiver off") { $0["power"]?["state"] == "off" }
    }

    /// Waits until a moment of the fast clock, on a loop of the test's own.
    func wait(until time: Instant, on loop: EventLoop) throws {
      var isDue = false
      let timer = try loop.timer(accuracy: .milliseconds(1)) { isDue = true }
      timer.arm(at: self.clock.moment(of: time))
      try loop.drive(until: "a moment") { isDue }
    }

    var now: Instant { self.clock.time(at: Clocks.system.sinceBoot()) }
  }

  /// When the planner had the receiver on.
  private struct Period {
    let from: Instant
    let until: Instant

    init(_ period: JSONValue) throws {
      // Wall clock and fast clock run at the same rate.
      let offset = Clocks.system.wall() - Clocks.system.sinceBoot().sinceBoot
      func instant(_ member: String) throws -> Instant {
        let time = try #require(period[member]?.text.flatMap { Timestamp($0) }, "\(period)")
        return Instant(sinceBoot: .milliseconds(time.milliseconds) - offset)
      }
      (self.from, self.until) = (try instant("from"), try instant("until"))
    }
  }

  private static func tenths(_ time: Duration) -> Double { (time.seconds * 10).rounded() / 10 }

  @Test func `in half an hour of a city-level subscription the receiver runs as planned`() async throws {
    try await onOwnThread {
      let interval = 300.0
      let stage = try Stage(factor: 25)
      let client = try stage.fixture.client()
      _ = try client.call(
        "position.subscribe", ["accuracy": "city", "minInterval": .number(interval), "replay": "none"])
      var fixes: [Double] = []
      while (fixes.last ?? 0) - (fixes.first ?? 0) < 6 * interval - 60 {
        let update = try client.notification("position.update")
        if let arrival = update["fix"]?["arrival"]?.double, arrival > fixes.last ?? 0 { fixes.append(arrival) }
      }
      let status = try stage.off()
      let periods = try (status["power"]?["periods"]?.elements ?? []).map { try Period($0) }
      let log = try stage.log
      let began = try #require(periods.first?.from)
      let end = try #require(log.entries.last?.at)

      let planned = periods.reduce(Duration.zero) { $0 + ($1.until - $1.from) }
      let powered = log.poweredTime(until: end) - log.poweredTime(until: began)
      let first = try #require(fixes.first)
      let late = fixes.enumerated().map { $1 - first - Double($0) * interval }
      print(
        """
        in \(Self.tenths(end - began)) s: planned \(Self.tenths(planned)) s, powered \(Self.tenths(powered)) s
        planned: \(periods.map { "\(Self.tenths($0.from - began))...\(Self.tenths($0.until - began))" })
        powered: \(log.entries.map { "\($0.isOn ? "on" : "off") \(Self.tenths($0.at - began))" })
        fixes after they were due: \(late.dropFirst().map { Self.tenths(.seconds($0)) }) s
        \(Self.drawn(log, from: began, until: end))
        """)

      #expect(fixes.count == 7 && late.allSatisfy { $0 < interval }, "no fix is left out")
      #expect(powered < .seconds(6 * interval / 4), "it sleeps most of the time")
      // It is on when somebody plugs it in; then once in each period, and off once after it.
      try #require(log.entries.map(\.isOn) == periods.flatMap { _ in [true, false] }, "\(log.entries)")
      // The two clocks of the status differ by a little when one is adjusted.
      let tolerance = Duration.milliseconds(100)
      for (index, period) in periods.enumerated() {
        let next = index + 1 < periods.count ? periods[index + 1].from : end + .seconds(1)
        let (on, off) = (log.entries[2 * index].at, log.entries[2 * index + 1].at)
        #expect(
          index == 0 || on + tolerance >= period.from && on < period.until, "\(index): on at \(Self.tenths(on - began))"
        )
        #expect(off + tolerance >= period.until && off < next, "\(index): off at \(Self.tenths(off - began))")
      }
    }
  }

  /// What the receiver's record comes to, in words.
  private static func drawn(_ log: PowerLog, from began: Instant, until end: Instant) -> String {
    let currents: [(PowerLog.Draw, String, Double)] = [
      (.acquisition, "searches", Currents.samM8Q.acquisition), (.tracking, "tracks", Currents.samM8Q.tracking),
      (.saving, "saves power", Currents.samM8Q.saving), (.standby, "is stopped", Currents.samM8Q.standby),
    ]
    let times = currents.map { log.time($0.0, until: end) - log.time($0.0, until: began) }
    let charge = zip(currents, times).reduce(0) { $0 + $1.0.2 * $1.1.seconds }
    let words = zip(currents, times).map { "\($0.1) \(Self.tenths($1)) s" }.joined(separator: ", ")
    return "the receiver \(words): \(Int(charge)) mA·s, \((charge * Currents.volts / 100).rounded() / 10) J"
  }

  @Test
  func `in half an hour of a tracker at 5 s the receiver saves power by its own record, until somebody navigates`()
    async throws
  {
    try await onOwnThread {
      let stage = try Stage(factor: 25)
      let client = try stage.fixture.client()
      let began = stage.now
      _ = try client.call(
        "position.subscribe", ["accuracy": "house", "minInterval": 5, "activity": "fitness", "replay": "none"])
      var fixes: [Double] = []
      while (fixes.last ?? 0) - (fixes.first ?? 0) < 1800 {
        let update = try client.notification("position.update")
        if let arrival = update["fix"]?["arrival"]?.double, arrival > fixes.last ?? 0 { fixes.append(arrival) }
      }
      _ = try stage.fixture.waitForStatus("power saved") { $0["power"]?["saving"] == "oneHertz" }
      let (log, end) = (try stage.log, stage.now)
      let gaps = zip(fixes, fixes.dropFirst()).map { $1 - $0 }
      print(
        """
        a tracker at 5 s: \(fixes.count) fixes, at most \(Self.tenths(.seconds(gaps.max() ?? 0))) s apart
        \(Self.drawn(log, from: began, until: end))
        """)
      #expect(gaps.allSatisfy { $0 <= 7 }, "\(gaps.max() ?? 0)")
      #expect(log.time(.saving, until: end) > .seconds(1500))

      let navigator = try stage.fixture.client()
      _ = try navigator.call("position.subscribe", ["accuracy": "room", "activity": "automotive", "replay": "none"])
      // The status says so as soon as nobody knows any more, the record when the receiver has obeyed.
      _ = try stage.fixture.waitForStatus("full power, by the record too") {
        $0["power"]?["saving"] == "full" && (try? stage.log)?.draws.last?.draw == .tracking
      }
    }
  }

  @Test func `ten one-shots 5 s apart start the receiver once, and one that the cache answers does not`() async throws {
    try await withLoop { loop in
      let stage = try Stage(factor: 10)
      let client = try stage.fixture.client()
      let fresh: [String: JSONValue] = ["timeout": 120, "maxAge": 0]
      #expect(try client.call("position.get", fresh)["fix"]?["latitude"] != nil)
      _ = try stage.off()
      let before = try stage.log

      let began = stage.now
      let requests = try (0..<10).map { number in
        try stage.wait(until: began + .seconds(5 * number), on: loop)
        return try client.request("position.get", fresh)
      }
      for request in requests {
        #expect(try client.reply(to: request)["result"]?["fix"]?["latitude"] != nil)
      }
      let status = try stage.off()
      let log = try stage.log
      #expect(log.starts == before.starts + 1, "\(log.entries)")
      #expect(status["power"]?["starts"]?["total"] == 2)
      let spent = log.poweredTime(until: stage.now) - before.poweredTime(until: stage.now)
      print("ten one-shots: powered \(Self.tenths(spent)) s")

      let cached = try client.call("position.get", ["timeout": 120, "maxAge": 3600])
      #expect(cached["fix"]?["latitude"] != nil, "\(cached)")
      #expect(try stage.log == log)
    }
  }
}
