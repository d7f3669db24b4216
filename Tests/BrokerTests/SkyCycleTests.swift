import Positioning
import ReceiverPorts
import TestSupport
import Testing

@testable import Broker

/// gpsd reports the satellites several times in a cycle, the first time without some constellations.
@Suite struct SkyCycleTests {
  /// So many satellites, the first of them used: GPS and GLONASS, then Galileo.
  private static func satellites(_ count: Int) -> [Sky.Satellite] {
    (1...17).prefix(count).map { number in
      Sky.Satellite(
        constellation: number <= 8 ? .gps : number <= 13 ? .glonass : .galileo, svid: number, isUsed: number % 2 == 0)
    }
  }

  /// A daemon, and the skies that its subscriptions got.
  private struct Run {
    var daemon = VirtualDaemon()
    var skies: [Sky] = []

    var counts: [Int] { self.skies.map(\.satellites.count) }

    /// The satellites that `sky.get` answers.
    mutating func seen() -> Int? {
      if case .sky(let sky)? = self.daemon.answer(.sky()) { sky?.satellites.count } else { nil }
    }

    mutating func advance(by seconds: Double) { self.skies += self.daemon.advance(by: seconds).skies }

    mutating func report(_ count: Int) {
      let report = SkyReport(
        device: ublox.path, satellites: SkyCycleTests.satellites(count), hdop: 1, arrival: self.daemon.now)
      self.skies += self.daemon.send(.receiver(.sky(report))).skies
    }

    /// A cycle of a second: the position, and a moment later the satellites, in so many reports.
    mutating func cycle(_ counts: Int...) {
      self.skies += self.daemon.fix().skies
      for count in counts {
        self.advance(by: 0.05)
        self.report(count)
      }
      self.advance(by: 1 - 0.05 * Double(counts.count))
    }
  }

  @Test("Only the fullest report of a cycle is delivered, whatever the interval", arguments: [0.0, 1, 5])
  func fullest(minInterval: Double) {
    var run = Run()
    run.daemon.call(.subscribeSky(minInterval: .seconds(minInterval)))
    run.cycle(8, 13, 17)
    for _ in 1...19 { run.cycle(13, 17) }
    #expect(run.counts == Array(repeating: 17, count: minInterval == 5 ? 4 : 20))
  }

  @Test("A report with fewer satellites replaces no fuller one of its cycle")
  func partAfterTheWhole() {
    var run = Run()
    run.daemon.call(.subscribeSky(minInterval: .zero))
    run.cycle(17, 8)
    for _ in 1...5 {
      run.cycle(17, 13)
      #expect(run.seen() == 17)
    }
    #expect(run.counts == Array(repeating: 17, count: 6))
  }

  @Test("What is asked between two reports of a cycle is answered with a whole sky")
  func between() throws {
    var run = Run()
    run.daemon.call(.subscribeSky(minInterval: .seconds(1)))
    for _ in 1...3 { run.cycle(13, 17) }
    run.daemon.fix()
    run.report(13)
    #expect(run.seen() == 17)
    let call = run.daemon.call(.getFix(FixRequest(accuracy: .meters(1), timeout: .milliseconds(1)))).id
    let outcome = try #require(run.daemon.advance(by: 0.01).outcome(of: call))
    #expect(outcome.diagnostics.satellitesSeen == 17 && outcome.diagnostics.satellitesUsed == 8)
    run.report(17)
    run.advance(by: 1)
    #expect(run.daemon.fix().fixes().allSatisfy { $0.satellitesUsed == 8 })
  }

  @Test("Satellites that have set are gone when the cycle is over")
  func fewer() {
    var run = Run()
    run.daemon.call(.subscribeSky(minInterval: .seconds(1)))
    for _ in 1...3 { run.cycle(13, 17) }
    for _ in 1...3 { run.cycle(13) }
    run.skies += run.daemon.fix().skies
    #expect(run.counts == [17, 17, 17, 13, 13, 13])
    #expect(run.seen() == 13)
  }

  @Test("Satellites that were not expected follow at once, and begin no interval")
  func more() throws {
    var run = Run()
    // Up to a tenth earlier is in time, so it is due in every ninth cycle.
    run.daemon.call(.subscribeSky(minInterval: .seconds(9.5)))
    for _ in 1...9 { run.cycle(13) }
    #expect(run.counts == [13])
    run.cycle(13, 17)
    #expect(run.counts == [13, 13, 17])
    for _ in 1...9 { run.cycle(13, 17) }
    try #require(run.counts == [13, 13, 17, 17])
    #expect(run.skies[3].arrival - run.skies[1].arrival < .seconds(9.1))
  }

  @Test("A cycle without an end is over after a second")
  func noPositions() {
    var run = Run()
    run.daemon.call(.subscribeSky(minInterval: .zero))
    run.report(13)
    run.advance(by: 0.9)
    run.report(17)
    #expect(run.counts.isEmpty)
    run.advance(by: 0.1)
    #expect(run.counts == [17])
  }

  @Test("What was seen when the receiver was released is kept")
  func released() {
    var settings = BrokerSettings.open
    settings.power.linger = .zero
    var run = Run(daemon: VirtualDaemon(settings: settings))
    let call = run.daemon.call(.getFix(FixRequest(timeout: .seconds(10)))).id
    run.report(13)
    run.advance(by: 0.1)
    run.report(17)
    #expect(run.daemon.fix().outcome(of: call) != nil && !run.daemon.isReceiverOn)
    #expect(run.seen() == 17)

    run.daemon.call(.getFix(FixRequest(accuracy: .meters(1), timeout: .milliseconds(200))))
    run.advance(by: 0.1)
    run.report(16)
    run.advance(by: 0.2)
    #expect(!run.daemon.isReceiverOn)
    #expect(run.seen() == 16)
  }
}
