import Positioning
import TestSupport
import Testing

@testable import Broker

/// The end of a durable position registration waits for its clients like every event.
@Suite struct DurableEndTests {
  private static let waking = DurableRequest(name: "tracker", wake: "tracker.service")

  private static var settings: BrokerSettings {
    var settings = BrokerSettings.open
    settings.access.rules = [.waking("tracker.service", user: "user1001")]
    return settings
  }

  private func updates(_ events: [DurableEvent]) -> [PositionUpdate] {
    events.compactMap { if case .position(let update) = $0.content { update } else { nil } }
  }

  @Test(
    "Its end by maxUpdates or duration is an event, which starts its unit and outlives a kill",
    arguments: [
      SubscriptionParameters(mode: .deferred, maxUpdates: 2, deferredTimeout: .seconds(10)),
      SubscriptionParameters(mode: .deferred, duration: .seconds(26), deferredTimeout: .seconds(10)),
      SubscriptionParameters(mode: .significant, maxUpdates: 1),
      SubscriptionParameters(mode: .significant, duration: .seconds(26)),
    ])
  func ended(parameters: SubscriptionParameters) throws {
    var journey = Journey(VirtualDaemon(settings: Self.settings))
    journey.daemon.call(.subscribe(parameters, durable: Self.waking))
    _ = journey.attach()
    let received = self.updates(journey.go(seconds: 40, speed: 0).durableEvents())
    let last = try #require(received.last)
    #expect(last.reason == .expired && last.state == .ended && last.fix == nil && last.fixes.isEmpty)
    #expect(received.count { $0.reason == .expired } == 1)
    #expect(journey.daemon.store.names[.tracker]?.position == nil)
    #expect(journey.daemon.send(.clientDisconnected(ClientID(1))).startedUnits == ["tracker.service"])
    journey.daemon.restart()
    #expect(self.updates(journey.attach().durableEvents()) == received)
  }

  @Test("Its end while the daemon was not running is an event too")
  func endedMeanwhile() {
    var daemon = VirtualDaemon()
    daemon.call(
      .subscribe(SubscriptionParameters(mode: .significant, duration: .seconds(100)), durable: .tracker))
    let later = daemon.now + .seconds(200)
    var machine = BrokerMachine(settings: daemon.settings, stored: daemon.store.state, now: later)
    var events: [DurableEvent] = []
    for case .store(_, let changes) in machine.handle(.deadlineReached, now: later) {
      for case .putEvent(.tracker, let event) in changes { events.append(event) }
    }
    #expect(self.updates(events).map(\.reason) == [.expired])
  }

  @Test("Heartbeats, which are never durable, count for nothing and wake nobody")
  func heartbeats() {
    var journey = Journey()
    journey.daemon.call(
      .subscribe(
        SubscriptionParameters(mode: .significant, maxInterval: .seconds(5), maxUpdates: 3), durable: .tracker))
    journey.daemon.connect(9)
    journey.daemon.subscribe(SubscriptionParameters(), client: 9)
    journey.go(seconds: 100, speed: 0)
    #expect(journey.daemon.store.names[.tracker]?.position?.updates == 1)
    #expect(journey.daemon.store.names[.tracker]?.events.count == 1)
    journey.go(seconds: 1200, speed: 3)
    #expect(journey.daemon.store.names[.tracker]?.position == nil)
    #expect(self.updates(journey.daemon.store.names[.tracker]?.events ?? []).compactMap(\.fix).count == 3)
  }

  @Test("A registration that another mode replaces has not expired")
  func replaced() {
    var daemon = VirtualDaemon()
    daemon.call(.subscribe(SubscriptionParameters(mode: .significant), durable: .tracker))
    daemon.call(
      .subscribe(SubscriptionParameters(mode: .deferred, deferredTimeout: .seconds(10)), durable: .tracker))
    #expect(daemon.store.names[.tracker]?.events.isEmpty == true)
    #expect(daemon.store.names[.tracker]?.position?.parameters.mode == .deferred)
  }
}
