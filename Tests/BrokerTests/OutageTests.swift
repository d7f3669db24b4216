import Positioning
import ReceiverPorts
import Testing

@testable import Broker

/// Updates of a subscription when fixes stop and when they return.
@Suite struct OutageTests {
  /// The possible failures between the satellites and the daemon.
  enum Outage: CaseIterable {
    case noFix, silence, gpsdDown, unplugged, gpsdFull, silentDevice
  }

  private func strike(_ outage: Outage, _ daemon: inout VirtualDaemon) -> [Action] {
    switch outage {
    case .noFix:
      (0..<3).reduce(into: []) { actions, _ in
        actions += daemon.advance(by: 1)
        actions += daemon.noFixReport()
      }
    case .silence: daemon.advance(by: 20)
    case .gpsdDown:
      daemon.send(.receiver(.source(.gpsdDown(.closed("EOF"))))) + daemon.advance(by: 1)
        + daemon.send(.receiver(.source(.opening))) + daemon.advance(by: 1)
        + daemon.send(.receiver(.source(.gpsdDown(.unreachable("Connection refused")))))
    case .unplugged: daemon.send(.receiver(.source(.receiverMissing(.unplugged("a")))))
    case .gpsdFull: daemon.send(.receiver(.source(.gpsdFull)))
    case .silentDevice: daemon.send(.receiver(.source(.receiverMissing(.silent("a")))))
    }
  }

  @Test(
    "Failures in any order are delivered as one lost and one restored, with no stale fix in between",
    arguments: 1...60 as ClosedRange<UInt64>)
  func oneOutage(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    var daemon = VirtualDaemon()
    daemon.subscribe(SubscriptionParameters(maxInterval: .seconds(11)))
    daemon.stream(seconds: 5)
    daemon.sourceFollows = false
    var actions: [Action] = []
    for outage in Outage.allCases.shuffled(using: &random).prefix(Int.random(in: 1...6, using: &random)) {
      actions += self.strike(outage, &daemon)
      actions += daemon.advance(by: Double(Int.random(in: 0...30, using: &random)))
      if random.oneIn(2) { actions += daemon.send(.receiver(.source(.opening))) }
    }
    let during = actions.updates()
    #expect(during.allSatisfy { $0.fix == nil }, "seed \(seed)")
    #expect(actions.reasons().count { $0 == .lost } == 1, "seed \(seed)")
    #expect(actions.reasons().first == .lost, "seed \(seed)")
    let outageEnd = daemon.now
    actions = daemon.send(.receiver(.source(.streaming)))
    actions += daemon.stream(seconds: 5)
    #expect(actions.reasons().filter { $0 != .changed } == [.restored], "seed \(seed)")
    let restored = try #require(actions.updates().firstIndex { $0.reason == .restored })
    let firstFix = try #require(actions.updates().firstIndex { $0.fix != nil })
    #expect(restored < firstFix, "that there are fixes again is delivered before the first of them; seed \(seed)")
    #expect(actions.updates().compactMap(\.fix).allSatisfy { $0.arrival > outageEnd }, "seed \(seed)")
  }

  @Test("Each outage is reported, and each end of one")
  func severalOutages() {
    var daemon = VirtualDaemon()
    daemon.subscribe(SubscriptionParameters())
    var reasons: [DeliveryReason] = []
    for _ in 1...4 {
      reasons += daemon.stream(seconds: 5).reasons()
      reasons += daemon.advance(by: 20).reasons()
    }
    #expect(reasons.first == .available)
    #expect(reasons.dropFirst() == [.lost, .restored, .lost, .restored, .lost, .restored, .lost])
  }

  @Test("Without any earlier fix, none is lost and none is restored")
  func neverHad() {
    var daemon = VirtualDaemon()
    daemon.sourceFollows = false
    var actions = daemon.subscribe(SubscriptionParameters())
    actions += daemon.send(.receiver(.source(.gpsdDown(.unreachable("Connection refused")))))
    actions += daemon.send(.receiver(.source(.opening)))
    actions += daemon.send(.receiver(.source(.receiverMissing(.noDevice))))
    actions += daemon.send(.receiver(.source(.streaming)))
    #expect(actions.reasons() == [.changed, .changed, .changed, .changed])
    #expect(daemon.stream(seconds: 2).reasons() == [.available])
  }

  @Test("Errors are deliveries: the subscription continues")
  func lives() {
    var daemon = VirtualDaemon()
    daemon.subscribe(SubscriptionParameters())
    daemon.sourceFollows = false
    for _ in 1...10 {
      daemon.send(.receiver(.source(.gpsdDown(.closed("EOF")))))
      daemon.advance(by: 3600)
      daemon.send(.receiver(.source(.streaming)))
      let actions = daemon.stream(seconds: 3)
      #expect(actions.fixes().count == 3)
      #expect(actions.endings().isEmpty)
    }
    #expect(daemon.status.gpsd.reconnects == 10)
  }

  @Test("A release without other needs is no loss for passive subscriptions")
  func release() {
    var daemon = VirtualDaemon()
    daemon.subscribe(SubscriptionParameters(mode: .passive))
    var reasons: [DeliveryReason] = []
    for _ in 1...3 {
      daemon.call(.getFix(FixRequest()))
      reasons += daemon.stream(seconds: 1).reasons()
      reasons += daemon.advance(by: 7200).reasons()
    }
    // A silence of the receiver during the linger is a loss; the release itself is not.
    #expect(reasons.count { $0 == .lost } == reasons.count { $0 == .restored } + 1)
  }

  @Test("The last error is reported with its time, and cleared when the receiver reports again")
  func lastError() {
    var daemon = VirtualDaemon()
    daemon.subscribe(SubscriptionParameters())
    daemon.stream(seconds: 1)
    daemon.send(.receiver(.source(.gpsdDown(.unreachable("Connection refused")))))
    #expect(daemon.status.lastError?.at == at(1001))
    #expect(daemon.status.lastError?.message.contains("Connection refused") == true)
    daemon.send(.receiver(.source(.streaming)))
    #expect(daemon.status.lastError == nil)
  }

  @Test("An earlier persistent error does not affect a later fix")
  func noStickyError() {
    var daemon = VirtualDaemon()
    daemon.sourceFollows = false
    let call = daemon.call(.getFix(FixRequest())).id
    daemon.send(.receiver(.source(.gpsdDown(.mute))))
    daemon.advance(by: 1)
    daemon.send(.receiver(.source(.streaming)))
    daemon.advance(by: 1)
    let outcome = daemon.fix().outcome(of: call)
    #expect(outcome?.status == .success)
    #expect(outcome?.diagnostics.availability == .available)
    #expect(outcome?.diagnostics.detail == nil)
  }
}
