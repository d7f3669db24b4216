import Positioning
import ReceiverPorts
import TestSupport
import Testing

@testable import Broker

/// The satellites in view, merged from gpsd's reports.
@Suite struct SkyTests {
  private let satellites = (1...7).map { Sky.Satellite(constellation: .gps, svid: $0, isUsed: $0 < 5) }

  private func piece(
    _ seconds: Double, satellites: [Sky.Satellite]? = nil, hdop: Double? = nil, device: String? = ublox.path
  ) -> SkyReport {
    SkyReport(device: device, satellites: satellites, hdop: hdop, arrival: at(seconds))
  }

  @Test("Dilutions alone are no empty sky, and are merged with the satellites before or after them")
  func pieces() {
    var feed = SkyView()
    #expect(feed.received(self.piece(1, hdop: 0.8)).isEmpty)
    #expect(feed.sky == nil)
    #expect(feed.received(self.piece(1.1, satellites: self.satellites)).isEmpty)
    let whole = feed.epochBegan(of: ublox.path).first?.sky
    #expect(whole?.satellites.count == 7)
    #expect(whole?.hdop == 0.8)
    #expect(feed.received(self.piece(1.2, hdop: 0.9)).isEmpty)
    #expect(feed.sky?.hdop == 0.9)
    #expect(feed.sky?.satellites.count == 7)
    // Those that come before the cycle is over belong to it as well.
    _ = feed.received(self.piece(2, satellites: Array(self.satellites.prefix(3))))
    _ = feed.received(self.piece(2.1, hdop: 1.1))
    #expect(feed.epochBegan(of: ublox.path).map(\.sky.hdop) == [1.1])
  }

  @Test("Dilutions do not make satellites younger, and old parts are not merged")
  func old() {
    var feed = SkyView()
    _ = feed.received(self.piece(1, satellites: self.satellites, hdop: 0.8))
    _ = feed.epochBegan(of: ublox.path)
    for second in 2...20 {
      _ = feed.received(self.piece(Double(second), hdop: Double(second)))
      // The dilutions of five seconds later still belong to the satellites.
      #expect(feed.sky?.hdop == Double(min(second, 6)))
    }
    #expect(feed.sky?.arrival == at(1))
    #expect(feed.satellitesUsed(device: ublox.path, at: at(7)) == nil)
    _ = feed.received(self.piece(3600, satellites: self.satellites))
    #expect(feed.deadlineReached(now: at(3601)).map(\.sky.hdop) == [nil])
  }

  @Test("Parts of two receivers are never merged")
  func devices() {
    var feed = SkyView()
    _ = feed.received(self.piece(1, hdop: 0.8, device: "b"))
    _ = feed.received(self.piece(1.1, satellites: self.satellites))
    #expect(feed.epochBegan(of: "b").isEmpty)
    #expect(feed.epochBegan(of: ublox.path).map(\.sky.hdop) == [nil])
    #expect(feed.received(self.piece(1.2, hdop: 9, device: "b")).isEmpty)
    #expect(feed.sky?.hdop == nil)
    #expect(feed.satellitesUsed(device: "b", at: at(1.3)) == nil)
    #expect(feed.satellitesUsed(device: ublox.path, at: at(1.3)) == 4)
  }

  @Test("A receiver that sees no satellite has an empty sky, which differs from an unknown one")
  func empty() {
    var feed = SkyView()
    _ = feed.received(self.piece(1, satellites: []))
    #expect(feed.deadlineReached(now: at(2)).map(\.sky.satellites) == [[]])
  }

  @Test("A subscription receives each complete sky that its interval lets through, and needs the receiver")
  func subscription() {
    var daemon = VirtualDaemon()
    let actions = daemon.call(.subscribeSky(minInterval: .seconds(5))).actions
    #expect(actions.receiverOrders == [true])
    var skies: [Sky] = []
    for _ in 1...20 {
      skies += daemon.advance(by: 1).skies
      let now = daemon.now.sinceBoot.seconds
      skies += daemon.send(.receiver(.sky(self.piece(now, hdop: 1)))).skies
      skies += daemon.send(.receiver(.sky(self.piece(now, satellites: self.satellites)))).skies
    }
    #expect(skies.map(\.arrival) == [1001, 1006, 1011, 1016].map(at))
    #expect(skies.allSatisfy { $0.hdop == 1 })
  }

  @Test("A passive subscription never turns the receiver on, and delivers what comes for others")
  func passive() {
    var daemon = VirtualDaemon()
    #expect(daemon.call(.subscribeSky(minInterval: .seconds(1), isPassive: true)).actions.receiverOrders == [])
    daemon.advance(by: 3600)
    #expect(daemon.status.power.starts.total == 0 && daemon.status.demand == nil)
    daemon.subscribe(SubscriptionParameters())
    let now = daemon.now.sinceBoot.seconds
    daemon.send(.receiver(.sky(self.piece(now, satellites: self.satellites))))
    #expect(daemon.advance(by: 1).skies.count == 1)
  }

  @Test("Only the configured receiver's sky is delivered")
  func believed() {
    var settings = BrokerSettings.open
    settings.fixes.device = ublox.path
    var daemon = VirtualDaemon(settings: settings)
    daemon.call(.subscribeSky(minInterval: .zero))
    daemon.send(.receiver(.sky(self.piece(1000, satellites: self.satellites, device: "b"))))
    #expect(daemon.advance(by: 2).skies.isEmpty)
    daemon.send(.receiver(.sky(self.piece(1002, satellites: self.satellites))))
    #expect(daemon.advance(by: 2).skies.count == 1)
    // It is another one when the cycle of the first is over.
    daemon.send(.receiver(.sky(self.piece(1010, satellites: self.satellites))))
    settings.fixes.device = "b"
    daemon.send(.settingsChanged(settings))
    #expect(daemon.advance(by: 2).skies.isEmpty)
  }

  @Test("A fix and the diagnostics have the satellites of that moment, not of long ago")
  func satellitesUsed() throws {
    var daemon = VirtualDaemon()
    daemon.subscribe(SubscriptionParameters())
    daemon.advance(by: 1)
    daemon.send(.receiver(.sky(self.piece(1001, satellites: self.satellites))))
    #expect(daemon.fix().fixes().map(\.satellitesUsed) == [4])
    daemon.advance(by: 10)
    #expect(daemon.fix().fixes().map(\.satellitesUsed) == [nil])
    daemon.advance(by: 1)
    daemon.send(.receiver(.sky(self.piece(1012, satellites: self.satellites))))
    let call = daemon.call(.getFix(FixRequest(accuracy: .meters(1), timeout: .seconds(2)))).id
    let outcome = try #require(daemon.advance(by: 2).outcome(of: call))
    #expect(outcome.diagnostics.satellitesSeen == 7)
    #expect(outcome.diagnostics.satellitesUsed == 4)
    #expect(outcome.diagnostics.receiver == ublox.path)
  }
}
