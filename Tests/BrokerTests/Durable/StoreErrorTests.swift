import Positioning
import TestSupport
import Testing

@testable import Broker

/// What clients get while the disk fails, and what is there when it works again.
@Suite struct StoreErrorTests {
  private static let home = Region(
    id: "home", shape: .circle(center: Coordinate(latitude: 50, longitude: 8), radius: 100))
  private static let name = DurableRequest(name: "tracker")
  private static let id = DurableID(uid: 1001, name: "tracker")
  private static let full = "the disk does not keep up with what is to be kept"

  /// A daemon with a region, a fix each second and an attached client, and with little room for changes.
  private static func journey(room: Int = 4) -> Journey {
    var settings = BrokerSettings.open
    settings.maxUnstored = room
    var journey = Journey(VirtualDaemon(settings: settings))
    journey.daemon.connect(9)
    journey.daemon.subscribe(SubscriptionParameters(), client: 9)
    journey.go(seconds: 5, speed: 0)
    journey.daemon.call(.addRegion(Self.home, durable: Self.name))
    journey.daemon.call(.attachDurable(name: "tracker"))
    journey.go(seconds: 30, speed: 0)
    return journey
  }

  private static func roundTrips(_ count: Int, _ journey: inout Journey) -> [Action] {
    var actions: [Action] = []
    for _ in 0..<count {
      actions += journey.go(seconds: 60, speed: 10)
      actions += journey.go(seconds: 60, speed: -10)
    }
    return actions
  }

  @Test("A refused first registration leaves nothing behind, and a second one survives a kill")
  func refused() {
    var daemon = VirtualDaemon(settings: Self.settings(room: 2))
    daemon.disk.stall()
    // It waits for the disk, and takes the remaining room.
    #expect(daemon.answer(.subscribeVisits(durable: DurableRequest(name: "first"))) == nil)
    #expect(daemon.answer(.addRegion(Self.home, durable: Self.name)) == .failed(.notStored(Self.full)))
    #expect(daemon.machine.names[Self.id] == nil)
    daemon.recover()
    #expect(daemon.answer(.addRegion(Self.home, durable: Self.name)) == .region(.unknown, warning: nil))
    daemon.restart()
    #expect(daemon.machine.feeds.regionCount(of: .durable(Self.id)) == 1)
    #expect(daemon.machine.differences(from: daemon.store).isEmpty)
  }

  private static func settings(room: Int) -> BrokerSettings {
    var settings = BrokerSettings.open
    settings.maxUnstored = room
    return settings
  }

  @Test("Changes while the disk is full are stored as a whole when there is room, and delivered then, in order")
  func behind() {
    var journey = Self.journey()
    journey.daemon.disk.stall()
    let meanwhile = Self.roundTrips(10, &journey)
    #expect(meanwhile.durableEvents().isEmpty)
    #expect(journey.daemon.store.names[Self.id]?.events.isEmpty == true)
    var events = journey.daemon.recover().durableEvents()
    while true {
      let more = journey.daemon.send(.taken(ClientID(1))).durableEvents()
      if more.isEmpty { break }
      events += more
    }
    #expect(events.map(\.id) == Array(1...20))
    #expect(journey.daemon.store.names[Self.id]?.events.map(\.id) == Array(1...20))
    #expect(journey.daemon.machine.differences(from: journey.daemon.store).isEmpty)
    // From here on each event is delivered as it occurs.
    #expect(Self.roundTrips(1, &journey).durableEvents().map(\.id) == [21, 22])
  }

  @Test("A client's events of one name stay in order while other names still wait for the disk")
  func order() {
    var settings = Self.settings(room: 400)
    settings.catchUpSlice = 1
    var journey = Journey(VirtualDaemon(settings: settings))
    // The first name has an event each second, the others occasional ones.
    for number in 1...30 {
      let parameters = SubscriptionParameters(mode: .deferred, deferredTimeout: .seconds(number == 1 ? 1 : 3))
      journey.daemon.call(.subscribe(parameters, durable: DurableRequest(name: "\(number)")))
      journey.daemon.call(.attachDurable(name: "\(number)"))
    }
    journey.daemon.disk.stall()
    journey.go(seconds: 60, speed: 0)
    // The disk works again, slowly.
    _ = journey.daemon.disk.recover()
    journey.daemon.holdsStore = true
    var actions: [Action] = []
    for _ in 0..<40 {
      actions += journey.go(seconds: 1, speed: 0)
      for _ in 0..<3 { actions += journey.daemon.commitStore() }
    }
    journey.daemon.holdsStore = false
    for _ in 0..<40 { actions += journey.daemon.send(.taken(ClientID(1))) }
    var received: [String: [UInt64]] = [:]
    for case .notify(_, .durable(let name, let event)) in actions { received[name, default: []].append(event.id) }
    #expect(received.count == 30 && received.values.allSatisfy { $0 == $0.sorted() }, "\(received)")
    #expect(received["1"].map { Set($0).count > 40 } ?? false)
  }

  @Test("An acknowledgement that the disk does not take is refused at once, or answered after half a minute")
  func acknowledgement() {
    var journey = Self.journey(room: 1000)
    _ = Self.roundTrips(1, &journey)
    journey.daemon.disk.stall()
    let (call, actions) = journey.daemon.call(.acknowledgeDurable(name: "tracker", event: 1))
    #expect(actions.answers(to: call).isEmpty)
    #expect(journey.daemon.advance(by: 29).answers(to: call).isEmpty)
    guard case .failed(.notStored)? = journey.daemon.advance(by: 1).answers(to: call).first else {
      Issue.record("not answered")
      return
    }
    let second = journey.daemon.answer(.acknowledgeDurable(name: "tracker", event: 2))
    #expect(second == .failed(.notStored("the disk has taken nothing for 30 s")))
    #expect(journey.daemon.recover().answers(to: call).isEmpty)
    #expect(journey.daemon.store.names[Self.id]?.events.map(\.id) == [2])
    guard case .durable? = journey.daemon.answer(.acknowledgeDurable(name: "tracker", event: 2)) else {
      Issue.record("not answered")
      return
    }
  }

  @Test("A client that attaches while the disk is full receives the waiting events when they are stored")
  func attached() {
    var journey = Self.journey()
    journey.daemon.send(.clientDisconnected(ClientID(1)))
    journey.daemon.disk.stall()
    _ = Self.roundTrips(3, &journey)
    journey.daemon.connect(1)
    let (call, actions) = journey.daemon.call(.attachDurable(name: "tracker"))
    guard case .durable? = actions.answers(to: call).first else {
      Issue.record("not attached")
      return
    }
    #expect(actions.durableEvents().isEmpty)
    #expect(journey.daemon.recover().durableEvents().map(\.id) == Array(1...6))
  }

  @Test("A daemon that stops stores all waiting changes")
  func stopping() {
    var journey = Self.journey()
    journey.daemon.disk.stall()
    _ = Self.roundTrips(3, &journey)
    journey.daemon.send(.stopping)
    journey.daemon.recover()
    journey.daemon.restart()
    #expect(journey.daemon.machine.names[Self.id]?.inbox.events.map(\.id) == Array(1...6))
  }

  @Test("While the disk is full a reduced subscription gets its fixes, and the receiver sleeps between them")
  func reduced() {
    var settings = BrokerSettings()
    settings.access.rules = [.granting(.always, .reduced, user: "user1001")]
    var journey = Journey(VirtualDaemon(settings: settings))
    journey.daemon.subscribe(SubscriptionParameters(accuracy: .level(.city)))
    journey.go(seconds: 10, speed: 0)
    journey.daemon.disk.stall()
    journey.daemon.send(.storeChanged(error: "the disk is full"))
    var (received, on) = (0, 0)
    for _ in 0..<7200 {
      received += journey.go(seconds: 1, speed: 0).count {
        if case .notify(_, .position(_, let update)) = $0 { update.fix != nil } else { false }
      }
      if journey.daemon.isReceiverOn { on += 1 }
    }
    #expect((11...12).contains(received))
    #expect(on < 1000)
  }

  @Test(
    "A fix that is delivered without being stored has the stored offset: the next daemon delivers the same",
    arguments: 1...8 as ClosedRange<UInt64>)
  func keptOffset(seed: UInt64) throws {
    var settings = BrokerSettings()
    settings.access.rules = [.granting(.always, .reduced, user: "user1001")]
    var daemon = VirtualDaemon(settings: settings, seed: seed)
    let subscribed = SubscriptionParameters(accuracy: .level(.city))
    daemon.subscribe(subscribed)
    daemon.fix()
    daemon.send(.clientDisconnected(ClientID(1)))
    // Long enough for the offset to be completely replaced once it drifts.
    daemon.advance(by: 400 * 86400)
    daemon.connect(1)
    daemon.disk.stall()
    daemon.subscribe(subscribed)
    let kept = try #require(daemon.store.fuzzer)
    let received = try #require(daemon.stream(seconds: 40).fixes().last)
    #expect(received.arrival > kept.drifted)
    var survivor = daemon
    // It is killed, and the disk is still full when the next one delivers something.
    daemon.restart()
    daemon.disk.stall()
    daemon.send(.storeChanged(error: "the disk is full"))
    daemon.subscribe(subscribed)
    let again = try #require(daemon.fix().fixes().last)
    #expect(again.arrival > received.arrival && again.coordinate == received.coordinate)
    // It continues: the disk has the offset that it uses.
    survivor.recover()
    #expect(survivor.machine.feeds.fuzzer == survivor.store.fuzzer)
    #expect(survivor.store.fuzzer?.east == kept.east && survivor.store.fuzzer?.shown == received)
  }
}
