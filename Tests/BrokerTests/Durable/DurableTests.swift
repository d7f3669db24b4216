import Positioning
import TestSupport
import Testing

@testable import Broker

/// Durable names: registrations that outlive client and daemon, and events that wait.
@Suite struct DurableTests {
  @Test("A registration is answered with what was stored")
  func answered() {
    var daemon = VirtualDaemon()
    #expect(daemon.answer(.addRegion(.home, durable: .tracker)) == .region(.unknown, warning: nil))
    #expect(daemon.store.names[.tracker]?.regions.map(\.region) == [.home])
    #expect(daemon.store.names[.tracker]?.user == "user1001")
  }

  @Test("A registration is answered only once it is stored")
  func afterCommit() {
    var machine = BrokerMachine(settings: .open, now: at(0))
    _ = machine.handle(.clientConnected(ClientID(1), Principal(uid: 1, gid: 1, pid: 1, user: "daemon")), now: at(0))
    let call = CallID(client: ClientID(1), serial: 1)
    let actions = machine.handle(.called(call, .addRegion(.home, durable: .tracker)), now: at(0))
    #expect(actions.answers(to: call).isEmpty)
    let stores = actions.compactMap { if case .store(let number, let changes) = $0 { (number, changes) } else { nil } }
    #expect(stores.count == 1)
    #expect(stores.first?.1.isEmpty == false)
    #expect(machine.handle(.stored(stores.first?.0 ?? 0), now: at(0)).answers(to: call).count == 1)
  }

  @Test("Events wait in order for a client that attaches, and are sent again until they are acknowledged")
  func inbox() {
    var journey = Journey.left()
    #expect(journey.roundTrips(2).regionEvents.isEmpty)
    let first = journey.attach().durableEvents()
    #expect(first.map(\.id) == [1, 2, 3, 4])
    #expect([Action.notify(ClientID(1), .durable(name: "", first[0]))].regionEvents.map(\.kind) == [.exit])
    journey.daemon.send(.clientDisconnected(ClientID(1)))
    #expect(journey.attach().durableEvents().map(\.id) == [1, 2, 3, 4])
    journey.daemon.call(.acknowledgeDurable(name: "tracker", event: 3))
    journey.daemon.send(.clientDisconnected(ClientID(1)))
    #expect(journey.attach().durableEvents().map(\.id) == [4])
    journey.daemon.send(.clientDisconnected(ClientID(1)))
    #expect(journey.attach(since: 4).durableEvents().isEmpty)
    #expect(journey.daemon.store.names[.tracker]?.events.isEmpty == true)
  }

  @Test("The answer to an acknowledgement counts regions and waiting events, and lists no region")
  func acknowledging() throws {
    var journey = Journey.left()
    _ = journey.roundTrips(2)
    _ = journey.attach()
    guard case .durable(let info)? = journey.daemon.answer(.acknowledgeDurable(name: "tracker", event: 3)) else {
      Issue.record("not acknowledged")
      return
    }
    #expect(info.waiting == 1 && info.lastEvent == 4)
    #expect(info.regions.isEmpty && info.regionsOmitted == 1)
  }

  @Test("An attached client is notified at once, after the event is stored")
  func live() {
    var journey = Journey.left()
    _ = journey.attach()
    let actions = journey.roundTrips(1)
    #expect(actions.durableEvents().map(\.id) == [1, 2])
    #expect(journey.daemon.store.names[.tracker]?.events.map(\.id) == [1, 2])
  }

  @Test("A long inbox is sent a few at a time, as the client takes them")
  func window() {
    var journey = Journey.left()
    _ = journey.roundTrips(20)
    var events = journey.attach().durableEvents()
    #expect(events.count == DurableName.window)
    while true {
      let more = journey.daemon.send(.taken(ClientID(1))).durableEvents()
      if more.isEmpty { break }
      events += more
    }
    #expect(events.map(\.id) == Array(1...40))
    #expect(journey.roundTrips(1).durableEvents().map(\.id) == [41, 42])
  }

  @Test("Events that occur while a client catches up are sent once, after the waiting ones")
  func catchingUp() {
    var journey = Journey.left()
    _ = journey.roundTrips(20)
    var events = journey.attach().durableEvents()
    events += journey.roundTrips(1).durableEvents()
    #expect(events.count == DurableName.window)
    for _ in 1...5 { events += journey.daemon.send(.taken(ClientID(1))).durableEvents() }
    #expect(events.map(\.id) == Array(1...42))
  }

  @Test("A region that is changed to another shape without an end still has none after the daemon is killed")
  func replacedExpiry() {
    var daemon = VirtualDaemon()
    var region = Region.home
    region.expiresIn = .seconds(60)
    daemon.call(.addRegion(region, durable: .tracker))
    region.expiresIn = nil
    region.shape = .circle(center: Coordinate(latitude: 50, longitude: 8), radius: 200)
    daemon.call(.addRegion(region, durable: .tracker))
    daemon.restart()
    daemon.advance(by: 100)
    #expect(daemon.store.names[.tracker]?.regions.map(\.region) == [region])
  }

  @Test("A client that acknowledges an event that it was not sent yet continues with new events")
  func acknowledgedUnsent() {
    var journey = Journey.left()
    _ = journey.roundTrips(20)
    _ = journey.attach()
    journey.daemon.call(.acknowledgeDurable(name: "tracker", event: 40))
    #expect(!journey.daemon.send(.taken(ClientID(1))).contains(.reportWhenTaken(ClientID(1))))
    #expect(journey.roundTrips(1).durableEvents().map(\.id) == [41, 42])
  }

  @Test("An inbox over its limit drops the oldest events, and one event reports the loss")
  func overflow() {
    var settings = BrokerSettings.open
    settings.inbox.events = 6
    var journey = Journey.left(settings: settings)
    _ = journey.roundTrips(5)
    let actions = journey.attach()
    #expect(actions.overflows == [4])
    #expect(actions.durableEvents().map(\.id) == Array(5...10))
    journey.daemon.send(.clientDisconnected(ClientID(1)))
    #expect(journey.attach().overflows.isEmpty)
  }

  @Test("A client that acknowledges nothing is notified once that the oldest events are dropped")
  func overflowUnacknowledged() {
    var settings = BrokerSettings.open
    settings.inbox.events = 6
    var journey = Journey.left(settings: settings)
    _ = journey.attach()
    let actions = journey.roundTrips(10)
    #expect(actions.durableEvents().map(\.id) == Array(1...20))
    #expect(actions.overflows == [1])
    // After an acknowledgement a new backlog is a new overflow, which also counts earlier unreported drops.
    journey.daemon.call(.acknowledgeDurable(name: "tracker", event: 20))
    #expect(journey.roundTrips(5).overflows == [13])
    // The next client receives the rest.
    journey.daemon.send(.clientDisconnected(ClientID(1)))
    #expect(journey.attach().overflows == [4])
  }

  @Test("The loss of events that an attached client was not sent is reported at once")
  func overflowWhileCatchingUp() {
    var settings = BrokerSettings.open
    settings.inbox.events = 40
    var journey = Journey.left(settings: settings)
    _ = journey.roundTrips(20)
    var actions = journey.attach()
    #expect(actions.durableEvents().map(\.id) == Array(1...16))
    _ = journey.roundTrips(10)
    actions = journey.daemon.send(.taken(ClientID(1)))
    #expect(actions.overflows == [20])
    #expect(actions.durableEvents().first?.id == 21)
  }

  @Test("Registrations, states, events and their numbers survive a kill of the daemon")
  func restart() {
    var journey = Journey.left()
    _ = journey.roundTrips(1)
    journey.daemon.restart()
    journey.daemon.connect(9)
    journey.daemon.subscribe(SubscriptionParameters(), client: 9)
    // The device is at the same place, so there is no event.
    #expect(journey.attach().durableEvents().map(\.id) == [1, 2])
    #expect(journey.go(seconds: 60, speed: 0).durableEvents().isEmpty)
    #expect(journey.roundTrips(1).durableEvents().map(\.id) == [3, 4])
  }

  @Test("An exit that occurred while the daemon was not running is delivered when it runs again")
  func exitMeanwhile() {
    var journey = Journey.left()
    journey.daemon.restart()
    journey.daemon.connect(9)
    journey.daemon.subscribe(SubscriptionParameters(), client: 9)
    _ = journey.attach()
    let actions = journey.go(seconds: 1, speed: 3000) + journey.go(seconds: 30, speed: 0)
    #expect(actions.regionEvents.map(\.kind) == [.exit])
  }

  @Test("A newer attachment replaces the older one, whose client is notified")
  func replaced() {
    var journey = Journey.left()
    _ = journey.attach(client: 1)
    let second = journey.attach(client: 2)
    #expect(second.contains(.notify(ClientID(1), .durableEnded(name: "tracker", .replaced))))
    let actions = journey.roundTrips(1)
    #expect(actions.durableEvents(client: 1).isEmpty)
    #expect(actions.durableEvents(client: 2).count == 2)
  }

  @Test("A name belongs to its user alone")
  func others() {
    var journey = Journey.left()
    journey.daemon.connect(3, uid: 1003)
    let calls: [Call] = [
      .attachDurable(name: "tracker"), .acknowledgeDurable(name: "tracker", event: 0),
      .removeDurable(name: "tracker"), .commandDurable(name: "tracker", .flush),
    ]
    for call in calls {
      #expect(journey.daemon.answer(call, client: 3) == .failed(.noDurable(name: "tracker")))
    }
    #expect(
      journey.daemon.answer(.removeRegion(id: "home", durable: "tracker"), client: 3)
        == .failed(.noRegion(id: "home")))
    #expect(journey.daemon.answer(.listDurables(), client: 3) == .durables([]))
  }

  @Test("Acknowledging an event that does not exist is an error, and loses nothing")
  func future() {
    var journey = Journey.left()
    _ = journey.roundTrips(1)
    _ = journey.attach()
    guard
      case .failed(.invalid(let parameter, _))? = journey.daemon.answer(
        .acknowledgeDurable(name: "tracker", event: 3))
    else {
      Issue.record("accepted")
      return
    }
    #expect(parameter == "event")
    #expect(journey.daemon.store.names[.tracker]?.events.count == 2)
  }

  @Test("Removing a name removes all that belongs to it, and its event numbers are not used again")
  func removed() {
    var journey = Journey.left()
    _ = journey.roundTrips(1)
    _ = journey.attach()
    guard case .durable(let info)? = journey.daemon.answer(.removeDurable(name: "tracker")) else {
      Issue.record("not removed")
      return
    }
    #expect(info.regions.isEmpty && info.regionsOmitted == 1)
    #expect(journey.daemon.store.names.isEmpty)
    #expect(journey.roundTrips(1).durableEvents().isEmpty)
    journey.daemon.call(.addRegion(.home, durable: .tracker))
    _ = journey.daemon.call(.attachDurable(name: "tracker"))
    journey.go(seconds: 20, speed: 0)
    #expect((journey.roundTrips(1).durableEvents().first?.id ?? 0) > 2)
  }

  @Test("Without a store durable requests are denied, and everything else works")
  func noStore() {
    var daemon = VirtualDaemon()
    daemon.send(.storeChanged(error: "the disk is full"))
    #expect(daemon.answer(.addRegion(.home, durable: .tracker)) == .failed(.notStored("the disk is full")))
    #expect(daemon.answer(.addRegion(.home)) == .region(.unknown, warning: nil))
    daemon.send(.storeChanged(error: nil))
    #expect(daemon.answer(.addRegion(.home, durable: .tracker)) == .region(.unknown, warning: nil))
  }

  @Test("Only the modes that let the receiver sleep can be durable", arguments: SubscriptionParameters.Mode.allCases)
  func modes(mode: SubscriptionParameters.Mode) {
    var daemon = VirtualDaemon()
    let answer = daemon.answer(
      .subscribe(SubscriptionParameters(mode: mode, deferredTimeout: .seconds(60)), durable: .tracker))
    if mode == .continuous || mode == .passive {
      #expect(
        answer == .failed(.invalid(parameter: "durable", expected: "mode significant or deferred with it")))
      #expect(daemon.store.names.isEmpty)
    } else {
      guard case .subscription(.durable(name: "tracker", _, _))? = answer else {
        Issue.record("\(String(describing: answer))")
        return
      }
    }
  }

  @Test("A durable deferred subscription collects without a client, and its batches wait")
  func deferred() {
    var journey = Journey()
    let parameters = SubscriptionParameters(mode: .deferred, deferredTimeout: .seconds(60))
    journey.daemon.call(.subscribe(parameters, durable: .tracker))
    journey.daemon.send(.clientDisconnected(ClientID(1)))
    #expect(journey.daemon.isReceiverOn)
    journey.go(seconds: 125, speed: 1)
    let events = journey.attach().durableEvents()
    #expect(events.map(\.weight) == [60, 60])
    // A graceful stop stores the rest, for the next daemon's client.
    journey.daemon.send(.stopping)
    journey.daemon.restart()
    #expect(journey.daemon.store.names[.tracker]?.events.count == 3)
    #expect(journey.daemon.isReceiverOn)
  }

  @Test("A paused durable subscription stays paused after a kill of the daemon, until the client resumes it")
  func pausedAcrossRestart() {
    var daemon = VirtualDaemon()
    daemon.call(
      .subscribe(SubscriptionParameters(mode: .deferred, deferredTimeout: .seconds(60)), durable: .tracker))
    daemon.call(.commandDurable(name: "tracker", .pause))
    daemon.restart()
    #expect(!daemon.isReceiverOn)
    daemon.call(.commandDurable(name: "tracker", .resume))
    #expect(daemon.isReceiverOn)
    daemon.restart()
    #expect(daemon.isReceiverOn)
  }

  @Test("A durable significant subscription continues from its last delivery")
  func significant() {
    var journey = Journey()
    journey.daemon.call(.subscribe(SubscriptionParameters(mode: .significant), durable: .tracker))
    journey.go(seconds: 10, speed: 0)
    #expect(journey.daemon.store.names[.tracker]?.events.count == 1)
    journey.daemon.restart()
    // The place is the same, so nothing is delivered again.
    journey.go(seconds: 400, speed: 0)
    #expect(journey.daemon.store.names[.tracker]?.events.count == 1)
    journey.go(seconds: 1800, speed: 1)
    #expect(journey.daemon.store.names[.tracker]?.events.count == 2)
  }

  @Test("A second position registration under a name replaces the first")
  func replacedRegistration() {
    var journey = Journey()
    journey.daemon.call(
      .subscribe(SubscriptionParameters(mode: .deferred, deferredTimeout: .seconds(600)), durable: .tracker))
    journey.go(seconds: 20, speed: 0)
    journey.daemon.call(.subscribe(SubscriptionParameters(mode: .significant), durable: .tracker))
    #expect(journey.daemon.store.names[.tracker]?.position?.parameters.mode == .significant)
    #expect(journey.daemon.store.names[.tracker]?.events.first?.weight == 20)
  }

  @Test("A user's number of durable names is limited, and removing one makes room")
  func limit() {
    var settings = BrokerSettings.open
    settings.maxNamesPerUser = 2
    var daemon = VirtualDaemon(settings: settings)
    for name in ["a", "b"] { daemon.call(.subscribeVisits(durable: DurableRequest(name: name))) }
    let third = Call.subscribeVisits(durable: DurableRequest(name: "c"))
    #expect(daemon.answer(third) == .failed(.limitExceeded(name: "max-durable-names-per-user", value: 2)))
    daemon.call(.removeDurable(name: "a"))
    #expect(daemon.answer(third) == .subscription(.durable(name: "c", .waiting, .searching)))
  }
}
