import Positioning
import TestSupport
import Testing

@testable import Broker

/// A store that cannot be opened when the daemon starts, and is opened later.
@Suite struct UnopenedStoreTests {
  private static let reason = "another process has it open"

  /// A killed daemon's successor without a store. User 1001 is an administrator, and the user of the name `tracker` with the
  /// region `home`, of which the device is inside.
  private static func journey(
    isCopyReadable: Bool = true, _ prepare: (inout Journey) -> Void = { _ in }
  ) -> Journey {
    var settings = BrokerSettings.open
    settings.access.rules = [.administering(user: "user1001")]
    settings.exitWhenIdle = .seconds(300)
    var journey = Journey.left(settings: settings)
    prepare(&journey)
    journey.daemon.restart(unopened: Self.reason, isCopyReadable: isCopyReadable)
    return journey
  }

  // MARK: Without the store

  @Test(
    "Before the store is open a call about a durable name gets the reason why nobody knows it, and not that there is none",
    arguments: [
      .attachDurable(name: "tracker"), .listDurables(), .regionState(id: "home", durable: "tracker"),
      .listRegions(durable: "tracker", after: nil), .acknowledgeDurable(name: "tracker", event: 1),
      .removeDurable(name: "tracker"), .removeRegion(id: "home", durable: "tracker"),
      .addRegion(.home, durable: .tracker), .commandDurable(name: "tracker", .pause),
      .subscribeVisits(durable: .tracker),
      .subscribe(SubscriptionParameters(mode: .significant), durable: .tracker),
    ] as [Call])
  func calls(call: Call) {
    var journey = Self.journey()
    #expect(journey.daemon.answer(call) == .failed(.notStored(Self.reason)))
    #expect(journey.daemon.answer(.addRegion(.home, durable: nil)) == .region(.unknown, warning: nil))
  }

  @Test("The status says that nothing can be stored, since when, and no longer once the store is open")
  func status() {
    var journey = Self.journey()
    let began = journey.daemon.now
    journey.daemon.advance(by: 40)
    journey.daemon.send(.storeUnopened("the disk is read-only"))
    let words = "nothing can be stored: the disk is read-only"
    #expect(journey.daemon.status.lastError == DaemonStatus.LastError(part: .store, message: words, at: began))
    let opened = journey.daemon.openStore()
    #expect(journey.daemon.status.lastError == nil)
    #expect(opened.contains { if case .log(.storeRecovered, _) = $0 { true } else { false } })
  }

  @Test(
    "Without a readable copy nobody knows the decisions before the store is open, and no call says that there are none")
  func unreadableCopy() throws {
    var journey = Self.journey(isCopyReadable: false) { journey in
      journey.daemon.connect(1, uid: 1001)
      journey.daemon.call(.grant(uid: 1002, user: "user1002", nil, .precise))
      journey.daemon.send(.clientDisconnected(ClientID(1)))
    }
    for call in [Call.listGrants(), .revoke(uid: 1002)] {
      #expect(journey.daemon.answer(call) == .failed(.notStored(Self.reason)))
    }
    #expect(try journey.daemon.answer(.authorization()).authorization().state == .disabled)
    journey.daemon.openStore()
    #expect(try journey.daemon.answer(.authorization()).authorization().state == .always)
    #expect(try journey.daemon.answer(.listGrants()).grants().map(\.uid) == [1002])
    journey.daemon.connect(2)
    #expect(try journey.daemon.answer(.authorization(), client: 2).authorization().state == .denied)
  }

  @Test("A daemon that cannot know what is registered does not end because nothing needs it")
  func idle() {
    var journey = Self.journey { journey in
      journey.daemon.connect(1, uid: 1001)
      journey.daemon.call(.removeDurable(name: "tracker"))
    }
    journey.daemon.send(.clientDisconnected(ClientID(1)))
    #expect(!journey.daemon.advance(by: 1000).isEnd)
    journey.daemon.openStore()
    #expect(journey.daemon.advance(by: 400).isEnd)
  }

  // MARK: Taking over

  @Test("When the store opens its names are there, and regions report what changed while it was not open, once")
  func names() throws {
    var journey = Self.journey()
    journey.daemon.connect(9)
    journey.daemon.subscribe(SubscriptionParameters(), client: 9)
    // Its own region of the same name is another one.
    journey.daemon.call(.addRegion(.home, durable: nil), client: 9)
    journey.go(seconds: 60, speed: 10)
    journey.daemon.openStore()
    journey.go(seconds: 30, speed: 10)
    let (call, attached) = journey.daemon.call(.attachDurable(name: "tracker"))
    guard case .durable(let info)? = attached.answers(to: call).first else {
      Issue.record("\(attached)")
      return
    }
    #expect(info.regions.map(\.region.id) == ["home"] && info.regions.map(\.state) == [.outside])
    let events = attached.durableEvents()
    #expect(events.map(\.id) == [1], "\(events)")
    guard case .region(let event)? = events.first?.content else {
      Issue.record("\(events)")
      return
    }
    #expect(event.kind == .exit)
    #expect(journey.daemon.store.names[.tracker]?.regions.first?.snapshot.state == .outside)
  }

  @Test("What was denied while the store was not open stays in force, and is stored once it is open")
  func denials() throws {
    var journey = Self.journey { journey in
      journey.daemon.connect(1, uid: 1001)
      journey.daemon.call(.grant(uid: 1003, user: "user1003", .always, .precise))
      journey.daemon.send(.clientDisconnected(ClientID(1)))
    }
    let denied = try journey.daemon.answer(.grant(uid: 1003, user: "user1003", nil, .precise)).grant()
    #expect(!denied.isStored)
    #expect(journey.daemon.answer(.setEnabled(false)) == .enabled(false, isStored: false))
    #expect(journey.daemon.store.isEnabled && journey.daemon.store.decisions[1003]?.level == .always)
    journey.daemon.openStore()
    #expect(!journey.daemon.store.isEnabled && journey.daemon.store.decisions[1003]?.level == nil)
    #expect(try journey.daemon.answer(.listGrants()).grants().map(\.isStored) == [true])
    #expect(journey.daemon.answer(.setEnabled(true)) == .enabled(true))
    journey.daemon.connect(3)
    #expect(try journey.daemon.answer(.authorization(), client: 3).authorization().state == .denied)
  }

  @Test("What is denied while the store is not open is beside it before that is answered")
  func order() {
    let journey = Self.journey()
    let call = CallID(client: ClientID(1), serial: 1)
    var machine = journey.daemon.machine
    let actions = machine.handle(.called(call, .setEnabled(false)), now: journey.daemon.now)
    guard case .store(_, let changes)? = actions.first else {
      Issue.record("\(actions)")
      return
    }
    #expect(changes.contains(.putEnabled(false)) && actions.answers(to: call) == [.enabled(false, isStored: false)])
  }

  @Test(
    "A stored denial counts as soon as it is known, for a client too that somebody allowed for its connection meanwhile"
  )
  func once() throws {
    var settings = BrokerSettings()
    settings.access.fallback = .ask
    settings.access.rules = [.granting(nil, user: "user1009", agent: .all)]
    var daemon = VirtualDaemon(settings: settings)
    daemon.restart(unopened: Self.reason)
    daemon.connect(9)
    daemon.call(.registerAgent(), client: 9)
    let prompt = try #require(daemon.call(.getFix(FixRequest())).actions.prompts(to: 9).first)
    daemon.send(.promptAnswered(prompt.id, by: ClientID(9), PromptAnswer(isAllowed: true)))
    #expect(try daemon.answer(.authorization()).authorization().state == .whenInUse)
    var stored = daemon.store.state
    stored.decisions = [1001: Decision(user: "user1001", level: nil, at: at(1))]
    daemon.send(.storeOpened(stored))
    #expect(try daemon.answer(.authorization()).authorization().state == .denied)
  }

  @Test("No client gets the position with another offset after the store is open than before the daemon ended")
  func offset() throws {
    var journey = Self.journey(isCopyReadable: false)
    let before = try #require(journey.daemon.store.fuzzer)
    journey.daemon.openStore()
    journey.daemon.restart()
    let after = try #require(journey.daemon.store.fuzzer)
    #expect(after.east == before.east && after.north == before.north)
  }

  @Test("A visit that was reported before the daemon ended goes on when the store opens, and its departure is reported")
  func visitGoesOn() throws {
    var journey = Self.journey { journey in
      journey.daemon.connect(3)
      journey.daemon.call(.subscribeVisits(durable: nil), client: 3)
      journey.go(seconds: 400, speed: 0)
    }
    let visit = try #require(journey.daemon.store.visitMemory?.lastVisit)
    #expect(visit == 1)
    journey.daemon.connect(3)
    journey.daemon.call(.subscribeVisits(durable: nil), client: 3)
    var actions = journey.go(seconds: 100, speed: 0)
    actions += journey.daemon.openStore()
    actions += journey.go(seconds: 1000, speed: 0)
    #expect(actions.visits.isEmpty)
    let left = journey.go(seconds: 1500, speed: 5).visits
    #expect(left.first?.id == visit && left.first?.departure != nil, "\(left)")
  }

  @Test("A visit that was reported while the store was not open keeps its number, and the one before it has ended")
  func visitMeanwhile() throws {
    var journey = Self.journey { journey in
      journey.daemon.connect(3)
      journey.daemon.call(.subscribeVisits(durable: nil), client: 3)
      for _ in 0..<2 {
        journey.go(seconds: 600, speed: 0)
        journey.go(seconds: 100, speed: 10)
      }
      journey.go(seconds: 600, speed: 0)
    }
    #expect(journey.daemon.store.visitMemory?.lastVisit == 3)
    journey.go(seconds: 100, speed: 10)
    journey.daemon.connect(3)
    journey.daemon.call(.subscribeVisits(durable: nil), client: 3)
    journey.daemon.connect(9)
    journey.daemon.subscribe(SubscriptionParameters(), client: 9)
    let arrived = try #require(journey.go(seconds: 600, speed: 0).visits.first)
    let opened = journey.daemon.openStore().visits
    #expect(opened.map(\.id) == [3] && opened.first?.departure != nil && opened.first?.departureUncertainty == nil)
    var visits = journey.go(seconds: 300, speed: 10).visits
    visits += journey.go(seconds: 600, speed: 0).visits
    #expect(visits.map(\.id) == [arrived.id, 4] && visits.map { $0.departure != nil } == [true, false], "\(visits)")
  }

  @Test("What is known of the receiver's starts is known again, with what was learned meanwhile")
  func receiver() {
    func memory(hot: [Int], cold: [Int], collected: Double?) -> ReceiverMemory {
      var memory = ReceiverMemory(collected: collected.map { at($0) })
      for seconds in hot { memory.starts.learn(.seconds(seconds), after: .hot) }
      for seconds in cold { memory.starts.learn(.seconds(seconds), after: .cold) }
      return memory
    }
    let stored = memory(hot: [3, 4], cold: [40], collected: 900)
    // The first start counts as cold only because nobody knows when the receiver had the sky.
    let meanwhile = memory(hot: [5], cold: [3], collected: 1500)
    var planner = ReceiverPlanner(policy: BrokerSettings.open.power, memory: meanwhile)
    planner.restore(stored)
    #expect(planner.memory == memory(hot: [3, 4, 5], cold: [40], collected: 1500))
    var idle = ReceiverPlanner(policy: BrokerSettings.open.power)
    idle.restore(memory(hot: [3], cold: [], collected: -50))
    // How long ago that was in an earlier boot is unknown.
    #expect(idle.memory == memory(hot: [3], cold: [], collected: nil))
  }
}
