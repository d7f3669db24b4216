import Positioning
import TestSupport
import Testing

@testable import Broker

/// A program that registers again whenever it starts: its registrations continue.
@Suite struct RegisteredAgainTests {
  private static let waking = DurableRequest(name: "tracker", wake: "tracker.service")

  /// One registration of each kind.
  private static let registrations: [Call] = [
    .subscribe(SubscriptionParameters(mode: .significant), durable: Self.waking),
    .subscribe(SubscriptionParameters(mode: .significant, acquire: Acquisition()), durable: Self.waking),
    .subscribe(SubscriptionParameters(mode: .deferred, deferredTimeout: .seconds(1e6)), durable: Self.waking),
    .subscribeVisits(durable: Self.waking),
    .addRegion(
      Region(
        id: "home", shape: .circle(center: Coordinate(latitude: 50, longitude: 8), radius: 100),
        notify: [.enter, .exit, .dwell], dwellTime: .seconds(60), initial: .always), durable: Self.waking),
  ]

  private static var settings: BrokerSettings {
    var settings = BrokerSettings.open
    settings.access.rules = [.waking("tracker.service", user: "user1001")]
    return settings
  }

  private func events(_ journey: Journey) -> [DurableEvent] { journey.daemon.store.names[.tracker]?.events ?? [] }

  @Test(
    "At rest, a program that registers again at each start gets no event by that, and is not started for it",
    arguments: Self.registrations, [true, false])
  func startedAgain(registration: Call, isReceiverKeptOn: Bool) {
    var journey = Journey(VirtualDaemon(settings: Self.settings))
    func keepOn() {
      if isReceiverKeptOn {
        journey.daemon.connect(9)
        journey.daemon.subscribe(SubscriptionParameters(), client: 9)
      }
    }
    keepOn()
    journey.daemon.call(registration)
    journey.go(seconds: 400, speed: 0)
    _ = journey.attach()
    let first = journey.daemon.store.names[.tracker]?.lastEvent ?? 0
    journey.daemon.call(.acknowledgeDurable(name: "tracker", event: first))
    journey.daemon.send(.clientDisconnected(ClientID(1)))
    var actions: [Action] = []
    for round in 1...10 {
      journey.daemon.connect(1)
      actions += journey.daemon.call(registration).actions
      actions += journey.daemon.send(.clientDisconnected(ClientID(1)))
      actions += journey.go(seconds: 330, speed: 0)
      guard round == 5 else { continue }
      actions += journey.daemon.restart()
      actions += journey.daemon.send(.clientDisconnected(ClientID(1)))
      keepOn()
    }
    #expect(self.events(journey).isEmpty)
    #expect(actions.startedUnits.isEmpty)
    #expect(journey.daemon.store.names[.tracker]?.lastEvent == first)
  }

  @Test("Significant changes that are registered again still count from the last delivery")
  func baseline() throws {
    var journey = Journey()
    let call = Call.subscribe(SubscriptionParameters(mode: .significant), durable: .tracker)
    journey.daemon.call(call)
    journey.daemon.connect(9)
    journey.daemon.subscribe(SubscriptionParameters(), client: 9)
    journey.go(seconds: 1, speed: 0)
    journey.go(seconds: 150, speed: 2)
    journey.daemon.call(call)
    journey.go(seconds: 150, speed: 2)
    let fixes = self.events(journey).compactMap { event -> Fix? in
      if case .position(let update) = event.content { update.fix } else { nil }
    }
    #expect(fixes.count == 2)
    #expect((500...560).contains(Journey.meters(try #require(fixes.last))))
  }

  @Test("A batch that is being collected continues when its registration is made again")
  func batch() throws {
    var journey = Journey()
    let call = Call.subscribe(
      SubscriptionParameters(mode: .deferred, deferredTimeout: .seconds(100)), durable: .tracker)
    journey.daemon.call(call)
    journey.go(seconds: 60, speed: 1)
    journey.daemon.call(call)
    #expect(self.events(journey).isEmpty)
    journey.go(seconds: 60, speed: 1)
    let batches = self.events(journey).compactMap { event -> PositionUpdate? in
      if case .position(let update) = event.content { update } else { nil }
    }
    #expect(batches.map(\.reason) == [.timeout])
    #expect(try #require(batches.first).fixes.count >= 100)
  }

  @Test("The parameters of the newer registration apply")
  func parameters() {
    var journey = Journey()
    var parameters = SubscriptionParameters(mode: .significant, significantInterval: .zero)
    journey.daemon.call(.subscribe(parameters, durable: .tracker))
    journey.daemon.connect(9)
    journey.daemon.subscribe(SubscriptionParameters(), client: 9)
    journey.go(seconds: 1, speed: 0)
    journey.go(seconds: 60, speed: 2)
    #expect(self.events(journey).count == 1)
    parameters.significantDistance = 100
    journey.daemon.call(.subscribe(parameters, durable: .tracker))
    journey.go(seconds: 1, speed: 2)
    #expect(self.events(journey).count == 2)
    #expect(journey.daemon.store.names[.tracker]?.position?.parameters == parameters)
  }

  @Test("duration and maxUpdates count from the newest registration")
  func renewed() {
    let timed = SubscriptionParameters(mode: .deferred, duration: .seconds(100), deferredTimeout: .seconds(1e6))
    Self.expectRenewal(of: timed, after: 80, last: 25)
    let counted = SubscriptionParameters(mode: .deferred, maxUpdates: 3, deferredTimeout: .seconds(10))
    Self.expectRenewal(of: counted, after: 25, last: 10)
  }

  /// Registers twice, so many seconds apart, and expects that it lasts as long again and ends in the last ones.
  private static func expectRenewal(of parameters: SubscriptionParameters, after seconds: Int, last: Int) {
    var journey = Journey()
    for _ in 1...2 {
      journey.daemon.call(.subscribe(parameters, durable: .tracker))
      journey.go(seconds: seconds, speed: 0)
    }
    #expect(journey.daemon.store.names[.tracker]?.position != nil, "\(parameters)")
    journey.go(seconds: last, speed: 0)
    #expect(journey.daemon.store.names[.tracker]?.position == nil, "\(parameters)")
  }

  @Test("A paused registration that is made again goes on from its last delivery", arguments: [nil, Acquisition()])
  func paused(acquire: Acquisition?) {
    var journey = Journey()
    let call = Call.subscribe(SubscriptionParameters(mode: .significant, acquire: acquire), durable: .tracker)
    journey.daemon.call(call)
    journey.go(seconds: 5, speed: 0)
    let before = self.events(journey).count
    journey.daemon.call(.commandDurable(name: "tracker", .pause))
    journey.go(seconds: 100, speed: 0)
    #expect(!journey.daemon.isReceiverOn)
    journey.daemon.call(call)
    // It looks once a change could be delivered.
    #expect(journey.go(seconds: 400, speed: 0).receiverOrders.contains(true))
    #expect(self.events(journey).count == before)
    journey.go(seconds: 1200, speed: 3)
    #expect(self.events(journey).count > before)
  }

  @Test("A stay that is no visit yet continues when visits are registered again")
  func visits() throws {
    var journey = Journey(at: 10_000)
    journey.daemon.call(.subscribeVisits(durable: .tracker))
    journey.go(seconds: 300, speed: 10)
    let came = journey.daemon.now
    for _ in 1...10 {
      journey.go(seconds: 60, speed: 0)
      journey.daemon.call(.subscribeVisits(durable: .tracker))
    }
    let visits = self.events(journey).compactMap { event -> Visit? in
      if case .visit(let visit) = event.content { visit } else { nil }
    }
    #expect(visits.count == 1)
    #expect(abs((try #require(visits.first?.arrival) - came).seconds) <= 160)
  }
}
