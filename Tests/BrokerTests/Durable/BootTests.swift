import Positioning
import TestSupport
import Testing

@testable import Broker

/// Data that was stored before this boot, with an unknown age.
@Suite struct BootTests {
  private static func reduced(arrival: Instant) -> Fix {
    Fix(latitude: 50, longitude: 8, horizontalAccuracy: 2000, arrival: arrival, isReduced: true)
  }

  private static func machine(shown: Instant, now: Instant) -> BrokerMachine {
    var stored = StoredState()
    stored.fuzzer = LocationFuzzer.Snapshot(east: 1, north: 2, drifted: shown, shown: Self.reduced(arrival: shown))
    var settings = BrokerSettings()
    settings.access.rules = [.granting(.always, .reduced, user: "user1001")]
    return BrokerMachine(settings: settings, stored: stored, now: now)
  }

  /// The last fix of a client with reduced precision.
  private static func lastFix(_ machine: inout BrokerMachine, now: Instant) -> Fix? {
    let client = ClientID(1)
    let principal = Principal(uid: 1001, gid: 100, pid: 1, user: "user1001")
    _ = machine.handle(.clientConnected(client, principal), now: now)
    let call = CallID(client: client, serial: 1)
    guard case .lastFix(let last)? = machine.handle(.called(call, .lastFix()), now: now).answers(to: call).first else {
      return nil
    }
    return last.fix
  }

  @Test("The last place of the previous boot is never delivered as the newest, that of this boot is")
  func newest() {
    var rebooted = Self.machine(shown: .lastBeforeBoot, now: at(20))
    #expect(Self.lastFix(&rebooted, now: at(20)) == nil)
    var restarted = Self.machine(shown: at(10), now: at(20))
    #expect(Self.lastFix(&restarted, now: at(20))?.arrival == at(10))
  }

  @Test("A visit continues over a boot without a time of arrival; a stay that was no visit yet begins again")
  func visits() {
    var journey = VisitJourney()
    journey.rest(200)
    journey.boot()
    #expect(journey.detector.snapshot.stay == nil)
    journey.rest(400)
    #expect(journey.arrivals.map(\.visit.arrival) == [nil])
  }

  @Test("The first search of a boot takes as long as a cold start, whatever the wall clock shows")
  func firstSearch() {
    var memory = ReceiverMemory(collected: .lastBeforeBoot)
    for _ in 0..<10 { memory.starts.learn(.seconds(2), after: .hot) }
    var planner = ReceiverPlanner(policy: PowerPolicy(), memory: memory)
    var needs = Needs()
    needs.add(.now)
    #expect(planner.planned(needs, now: at(20)) == true)
    #expect(planner.nextDeadline == at(20 + 900))
  }

  @Test("A baseline from before the boot withholds nothing by its time")
  func baseline() {
    let id = SubscriptionID(client: ClientID(1), number: 1)
    let place = Fix(latitude: 50, longitude: 8, horizontalAccuracy: 5, arrival: .lastBeforeBoot)
    let stored = StoredPosition(
      parameters: SubscriptionParameters(mode: .significant, significantInterval: .seconds(3600)),
      lastDelivered: place, updates: 1)
    var subscription = PositionSubscription(id: id, restoring: stored, availability: .available, now: at(20))
    let there = Fix(latitude: 51, longitude: 8, horizontalAccuracy: 5, arrival: at(30))
    #expect(subscription.fixed(there, epoch: 1, now: at(30)).contains { $0.fix == there })
  }
}
