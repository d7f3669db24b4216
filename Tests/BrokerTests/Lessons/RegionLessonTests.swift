import Positioning
import TestSupport
import Testing

@testable import Broker

/// Mistakes of other location libraries with regions, visits and durable registrations.
@Suite struct RegionLessonTests {
  private static func home(_ id: String = "home") -> Region {
    Region(id: id, shape: .circle(center: Coordinate(latitude: 50, longitude: 8), radius: 100))
  }

  /// A device at home, with fixes for another client.
  private func atHome() -> Journey {
    var journey = Journey()
    journey.daemon.connect(9)
    journey.daemon.subscribe(SubscriptionParameters(), client: 9)
    journey.go(seconds: 5, speed: 0)
    return journey
  }

  @Test("A region without events, of which only the state is read, is watched all the same")
  func stateOnly() {
    var journey = self.atHome()
    var region = Self.home()
    region.notify = [.crossed]
    journey.daemon.call(.addRegion(region))
    for _ in 1...3 {
      journey.go(seconds: 15, speed: 0)
      #expect(journey.daemon.answer(.regionState(id: "home")) == .region(.inside, warning: nil))
    }
    #expect(journey.go(seconds: 100, speed: 10).regionEvents.isEmpty)
    #expect(journey.daemon.answer(.regionState(id: "home")) == .region(.outside, warning: nil))
  }

  @Test("A client that attaches without registering anything loses no registration")
  func attaching() {
    var journey = self.atHome()
    let tracker = DurableRequest(name: "tracker")
    journey.daemon.call(.addRegion(Self.home(), durable: tracker))
    journey.daemon.call(.subscribeVisits(durable: tracker))
    journey.daemon.call(.subscribe(SubscriptionParameters(mode: .significant), durable: tracker))
    for client in [1, 2, 3] as [UInt64] {
      if client == 2 { journey.daemon.restart() }
      journey.daemon.connect(client, uid: 1001)
      guard case .durable(let info)? = journey.daemon.answer(.attachDurable(name: "tracker"), client: client) else {
        Issue.record("not attached")
        continue
      }
      #expect(info.regions.map(\.region) == [Self.home()])
      #expect(info.hasVisits && info.position?.mode == .significant)
      journey.daemon.send(.clientDisconnected(ClientID(client)))
    }
    let stored = journey.daemon.store.names[DurableID(uid: 1001, name: "tracker")]
    #expect(stored?.regions.count == 1 && stored?.hasVisits == true && stored?.position != nil)
  }

  @Test("A client that leaves with all it has, or removes a name, ends nothing of other clients")
  func removingAll() {
    var journey = self.atHome()
    for client in [1, 2] as [UInt64] {
      journey.daemon.connect(client, uid: 1001)
      journey.daemon.call(.addRegion(Self.home()), client: client)
      journey.daemon.call(.subscribeVisits(), client: client)
      let name = DurableRequest(name: "name \(client)")
      journey.daemon.call(.addRegion(Self.home(), durable: name), client: client)
    }
    journey.daemon.call(.attachDurable(name: "name 2"), client: 2)
    journey.go(seconds: 900, speed: 0)
    journey.daemon.call(.removeDurable(name: "name 1"))
    journey.daemon.send(.clientDisconnected(ClientID(1)))
    let actions = journey.go(seconds: 100, speed: 10)
    #expect(actions.visits.count == 1)
    // The client's own region, and that of its name.
    #expect(actions.regionEvents.map(\.kind) == [.exit, .exit])
    #expect(actions.durableEvents(client: 2).count == 1)
  }

  @Test("Visits continue whatever else is added, changed and removed")
  func visits() {
    var journey = Journey()
    journey.daemon.connect(2)
    journey.daemon.call(.subscribeVisits())
    for client in [1, 2, 2, 1] as [UInt64] {
      journey.daemon.call(.subscribeVisits(), client: client)
      journey.daemon.subscribe(SubscriptionParameters(), client: client)
      journey.daemon.call(.addRegion(Self.home()), client: client)
    }
    for number in 2...3 {
      journey.daemon.call(.updateSubscription(number: number, SubscriptionChange()))
      journey.daemon.call(.cancelSubscription(number: number))
    }
    for number in 4...5 { journey.daemon.call(.cancelSubscription(number: number)) }
    journey.daemon.call(.removeRegion(id: "home"))
    journey.daemon.send(.clientDisconnected(ClientID(2)))
    let arrivals = journey.go(seconds: 900, speed: 0).visits
    let departures = journey.go(seconds: 100, speed: 10).visits
    #expect((arrivals + departures).map { $0.departure == nil } == [true, false])
  }
}
