import Positioning
import TestSupport
import Testing

@testable import Broker

/// The unit that an event starts if no client is attached.
@Suite struct DurableWakeTests {
  private static let waking = DurableRequest(name: "tracker", wake: "tracker.service")

  private var wakeSettings: BrokerSettings {
    var settings = BrokerSettings.open
    settings.access.rules = [.waking("tracker.service", user: "user1001")]
    return settings
  }

  @Test("An event without an attached client starts the unit, at most once in five minutes")
  func wake() {
    var journey = Journey.left(Self.waking, settings: self.wakeSettings)
    let actions = journey.roundTrips(2)
    #expect(actions.startedUnits == ["tracker.service"])
    #expect(journey.go(seconds: 90, speed: 0).startedUnits == ["tracker.service"])
    #expect(journey.go(seconds: 1000, speed: 0).startedUnits.isEmpty)
  }

  @Test("No unit is started while a client is attached")
  func attached() {
    var journey = Journey.left(Self.waking, settings: self.wakeSettings)
    _ = journey.attach()
    #expect(journey.roundTrips(2).startedUnits.isEmpty)
  }

  @Test("The unit is started for a client that left without acknowledging, and not for one that acknowledged")
  func deadClient() {
    var journey = Journey.left(Self.waking, settings: self.wakeSettings)
    _ = journey.attach()
    _ = journey.roundTrips(1)
    #expect(journey.daemon.send(.clientDisconnected(ClientID(1))).startedUnits == ["tracker.service"])
    journey.go(seconds: 400, speed: 0)
    _ = journey.attach()
    journey.daemon.call(.acknowledgeDurable(name: "tracker", event: 2))
    #expect(journey.daemon.send(.clientDisconnected(ClientID(1))).startedUnits.isEmpty)
  }

  @Test("Neither registering a name again nor a restart starts a unit sooner")
  func wakeLimit() {
    var journey = Journey.left(Self.waking, settings: self.wakeSettings)
    var started = 0
    for round in 1...30 {
      journey.daemon.connect(1)
      journey.daemon.call(.removeDurable(name: "tracker"))
      journey.daemon.call(
        .subscribe(SubscriptionParameters(mode: .significant, replay: .any), durable: Self.waking))
      journey.daemon.send(.clientDisconnected(ClientID(1)))
      started += journey.go(seconds: 2, speed: 0).startedUnits.count
      if round.isMultiple(of: 10) {
        started += journey.daemon.restart().startedUnits.count
        journey.daemon.connect(9)
        journey.daemon.subscribe(SubscriptionParameters(), client: 9)
      }
    }
    #expect(started == 1)
    #expect(journey.go(seconds: 300, speed: 0).startedUnits.count == 1)
  }

  @Test("An event from before a kill of the daemon starts the unit afterwards, within the limit of starts")
  func wakeAfterRestart() {
    var journey = Journey.left(Self.waking, settings: self.wakeSettings)
    _ = journey.roundTrips(1)
    #expect(journey.daemon.restart().startedUnits.isEmpty)
    #expect(journey.daemon.advance(by: 300).startedUnits == ["tracker.service"])
  }

  @Test("Registering a unit that no rule lists is denied, with the remedy for an administrator")
  func notAllowed() {
    var daemon = VirtualDaemon(settings: self.wakeSettings)
    let request = DurableRequest(name: "tracker", wake: "sshd.service")
    guard case .failed(.restricted(_, _, let remedy))? = daemon.answer(.addRegion(.home, durable: request)) else {
      Issue.record("not refused")
      return
    }
    #expect(remedy.contains("wake=sshd.service"))
    #expect(daemon.store.names.isEmpty)
    #expect(daemon.answer(.addRegion(.home, durable: Self.waking)) == .region(.unknown, warning: nil))
  }

  @Test("The reason why a unit was not started is listed with its name")
  func failure() {
    var journey = Journey.left(Self.waking, settings: self.wakeSettings)
    _ = journey.roundTrips(1)
    journey.daemon.send(.unitStarted(.tracker, error: "refused"))
    journey.daemon.connect(1, uid: 1001)
    guard case .durables(let infos)? = journey.daemon.answer(.listDurables()) else {
      Issue.record("not listed")
      return
    }
    #expect(infos.map(\.wakeError) == ["refused"])
    #expect(infos.map(\.waiting) == [2])
  }
}
