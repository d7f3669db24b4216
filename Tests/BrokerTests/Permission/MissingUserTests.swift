import Positioning
import TestSupport
import Testing

@testable import Broker

/// Users whom the system does not know for a while: a directory that answers too early at boot, or cannot be reached
/// yet.
@Suite struct MissingUserTests {
  private static let home = Region(
    id: "home", shape: .circle(center: Coordinate(latitude: 50, longitude: 8), radius: 200), initial: .always)

  /// Client 1's user has a name with a region whose state is known, and a waiting event. Its group has a grant.
  private func daemon() -> VirtualDaemon {
    var daemon = VirtualDaemon(settings: Self.settings)
    daemon.call(.addRegion(Self.home, durable: DurableRequest(name: "log")))
    daemon.stream(seconds: 20)
    daemon.send(.clientDisconnected(ClientID(1)))
    return daemon
  }

  private func waiting(_ daemon: inout VirtualDaemon, client: UInt64 = 1) -> DurableInfo? {
    daemon.connect(client, uid: 1001)
    guard case .durables(let infos)? = daemon.answer(.listDurables(), client: client) else { return nil }
    return infos.first
  }

  @Test("An unknown user loses nothing, receives nothing, and continues once the user is known")
  func missing() {
    var daemon = self.daemon()
    let before = daemon.store.names
    daemon.send(.ownersLearned([1001: .nobody]))
    #expect(!daemon.machine.needs(now: daemon.now).isNeeded && daemon.machine.names.all.map(\.feed) == [nil])
    daemon.stream(seconds: 20)
    #expect(daemon.store.names == before)
    daemon.send(.ownersLearned([1001: .user("user1001", groups: [100])]))
    #expect(daemon.store.names == before)
    let info = self.waiting(&daemon)
    #expect(info?.waiting == 1 && info?.regions.map(\.state) == [.inside])
  }

  @Test("A connection of the user also shows that the user exists")
  func connected() {
    var daemon = self.daemon()
    daemon.send(.ownersLearned([1001: .nobody]))
    #expect(self.waiting(&daemon)?.waiting == 1)
    #expect(daemon.machine.names.all.map(\.feed) == [.everything])
  }

  @Test(
    "The data of a number that now belongs to another user is removed, whether it waited or not",
    arguments: [false, true])
  func reused(isMissing: Bool) {
    var daemon = self.daemon()
    if isMissing { daemon.send(.ownersLearned([1001: .nobody])) }
    daemon.send(.ownersLearned([1001: .user("mallory", groups: [100])]))
    #expect(daemon.store.names.isEmpty)
  }

  @Test("A decision stays while its user is missing, and is removed when another has the number")
  func decision() {
    var settings = BrokerSettings()
    settings.access.rules = [.administering(user: "user1007")]
    var daemon = VirtualDaemon(settings: settings)
    daemon.connect(7)
    daemon.call(.grant(uid: 1001, user: "user1001", nil, .precise), client: 7)
    daemon.send(.ownersLearned([1001: .nobody]))
    #expect(daemon.store.decisions.count == 1)
    daemon.send(.ownersLearned([1001: .user("mallory", groups: [])]))
    #expect(daemon.store.decisions.isEmpty)
  }

  @Test("A start at which the groups cannot be looked up loses no event and no state")
  func start() {
    let daemon = self.daemon()
    let before = daemon.store.names
    var stored = daemon.store.state
    for place in stored.names.indices { stored.names[place].isOwnerKnown = false }
    var machine = BrokerMachine(settings: daemon.settings, stored: stored, now: daemon.now)
    func changes(_ event: BrokerEvent) -> [StoreChange] {
      machine.handle(event, now: daemon.now).flatMap { action -> [StoreChange] in
        guard case .store(_, let changes) = action else { return [] }
        return changes
      }
    }
    #expect(changes(.ownersLearned([1001: .unknown])).isEmpty)
    #expect(machine.names.all.map(\.feed) == [nil])
    #expect(changes(.ownersLearned([1001: .user("user1001", groups: [100])])).isEmpty)
    #expect(machine.names.all.map(\.feed) == [.everything])
    #expect(machine.names.all.map { Array($0.inbox.events) } == before.values.map { Array($0.events) })
    let regions = machine.names.all.flatMap { machine.regions(of: $0.holder, atMost: 10, now: daemon.now).regions }
    #expect(regions.map(\.state) == [.inside])
  }

  @Test(
    "A start at which the group of a rule cannot be looked up keeps events and states, unless another rule denies",
    arguments: [false, true])
  func group(isDenied: Bool) {
    let daemon = self.daemon()
    var stored = daemon.store.state
    for place in stored.names.indices { stored.names[place].groups = [100] }
    var settings = daemon.settings
    settings.access.rules[0].group = .unknown
    if isDenied { settings.access.rules.append(.granting(.deny, user: "user1001")) }
    var machine = BrokerMachine(settings: settings, stored: stored, now: daemon.now)
    func changes(_ event: BrokerEvent) -> [StoreChange] {
      machine.handle(event, now: daemon.now).flatMap { action -> [StoreChange] in
        guard case .store(_, let changes) = action else { return [] }
        return changes
      }
    }
    #expect(changes(.deadlineReached).isEmpty == !isDenied)
    #expect(machine.names.all.map(\.feed) == [nil])
    #expect(changes(.settingsChanged(settings)).isEmpty)
    // The lookup has succeeded.
    #expect(changes(.settingsChanged(daemon.settings)).isEmpty == !isDenied)
    #expect(machine.names.all.map(\.feed) == [.everything])
    #expect(machine.names.all.map(\.inbox.events.count) == [isDenied ? 0 : 1])
    let regions = machine.names.all.flatMap { machine.regions(of: $0.holder, atMost: 10, now: daemon.now).regions }
    #expect(regions.map(\.state) == [isDenied ? .unknown : .inside])
  }

  @Test("Nothing is lost either if the other rules give the user another access meanwhile")
  func groupBesideOthers() {
    let daemon = self.daemon()
    var stored = daemon.store.state
    for place in stored.names.indices { stored.names[place].groups = [100] }
    var settings = daemon.settings
    settings.access.fallback = .reduced
    let known = settings
    settings.access.rules[0].group = .unknown
    var machine = BrokerMachine(settings: settings, stored: stored, now: daemon.now)
    func changes(_ event: BrokerEvent) -> Bool {
      machine.handle(event, now: daemon.now).contains { if case .store = $0 { true } else { false } }
    }
    #expect(!changes(.deadlineReached) && machine.names.all.map(\.feed) == [nil])
    #expect(!changes(.settingsChanged(known)) && machine.names.all.map(\.feed) == [.everything])
    // A reload at which the directory is slow.
    #expect(!changes(.settingsChanged(settings)) && machine.names.all.map(\.feed) == [nil])
    #expect(!changes(.settingsChanged(known)) && machine.names.all.map(\.feed) == [.everything])
    #expect(machine.names.all.map(\.inbox.events.count) == [1])
  }

  @Test("A withdrawal that certainly applies to a missing user takes effect", arguments: 0..<3)
  func withdrawn(way: Int) {
    var settings = BrokerSettings()
    settings.access.fallback = .allow
    settings.access.rules = [.administering(user: "user1007")]
    var daemon = VirtualDaemon(settings: settings)
    daemon.call(.addRegion(Self.home, durable: DurableRequest(name: "log")))
    daemon.stream(seconds: 20)
    daemon.send(.clientDisconnected(ClientID(1)))
    daemon.connect(7)
    daemon.send(.ownersLearned([1001: .nobody]))
    #expect(daemon.store.names.values.map(\.events.count) == [1])
    switch way {
    case 0:
      daemon.call(.setEnabled(false), client: 7)
      daemon.call(.setEnabled(true), client: 7)
    case 1:
      daemon.call(.grant(uid: 1001, user: "user1001", nil, .precise), client: 7)
      daemon.call(.grant(uid: 1001, user: "user1001", .always, .precise), client: 7)
    default:
      daemon.change { $0.rules.append(.granting(.deny, user: "user1001")) }
      daemon.change { $0.rules.removeLast() }
    }
    daemon.send(.ownersLearned([1001: .user("user1001", groups: [])]))
    #expect(daemon.store.names.values.map(\.events.count) == [0])
    #expect(daemon.store.names.values.flatMap(\.regions).map(\.snapshot.state) == [.unknown])
    let info = self.waiting(&daemon)
    #expect(info?.waiting == 0 && info?.regions.map(\.state) == [.unknown])
  }

  @Test("Deliveries of a permission that is gone at the start are removed from the disk too")
  func delivered() throws {
    let daemon = self.collecting()
    #expect(daemon.store.names.values.contains { $0.position?.lastDelivered != nil })
    var settings = daemon.settings
    settings.access.rules[0].precision = .reduced
    var stored = daemon.store.state
    for place in stored.names.indices { stored.names[place].groups = [100] }
    var machine = BrokerMachine(settings: settings, stored: stored, now: daemon.now)
    var positions: [StoredPosition] = []
    for case .store(_, let changes) in machine.handle(.deadlineReached, now: daemon.now) {
      for case .putPosition(_, let position) in changes { positions.append(position) }
    }
    #expect(!positions.isEmpty && positions.allSatisfy { $0.lastDelivered == nil })
  }

  // MARK: Subscriptions

  /// Client 1's user has a baseline and a batch.
  private func collecting() -> VirtualDaemon {
    var daemon = VirtualDaemon(settings: Self.settings)
    daemon.call(
      .subscribe(
        SubscriptionParameters(mode: .significant, significantDistance: 500), durable: DurableRequest(name: "walk")))
    daemon.call(
      .subscribe(
        SubscriptionParameters(mode: .deferred, deferredTimeout: .seconds(1000)), durable: DurableRequest(name: "log")))
    daemon.stream(seconds: 5)
    daemon.send(.clientDisconnected(ClientID(1)))
    return daemon
  }

  private static var settings: BrokerSettings {
    var settings = BrokerSettings()
    var rule = AccessRule(name: "members")
    (rule.group, rule.grant) = (.number(100), .always)
    settings.access.rules = [rule]
    return settings
  }

  /// The fixes that a flush delivers, and the number of waiting significant changes.
  private func collected(_ daemon: inout VirtualDaemon) -> (fixes: Int, changes: Int?) {
    daemon.connect(1)
    daemon.call(.commandDurable(name: "log", .flush))
    let events = daemon.call(.attachDurable(name: "log")).actions.durableEvents()
    let fixes = events.reduce(0) { sum, event in
      if case .position(let update) = event.content { sum + update.fixes.count } else { sum }
    }
    guard case .durables(let infos)? = daemon.answer(.listDurables()) else { return (fixes, nil) }
    return (fixes, infos.first { $0.name == "walk" }?.waiting)
  }

  @Test("The subscriptions of a missing user keep their deliveries and their batches")
  func subscriptions() {
    var daemon = self.collecting()
    let before = daemon.store.names
    daemon.send(.ownersLearned([1001: .nobody]))
    daemon.stream(seconds: 5)
    daemon.send(.ownersLearned([1001: .user("user1001", groups: [100])]))
    #expect(daemon.store.names == before)
    daemon.stream(seconds: 5)
    let collected = self.collected(&daemon)
    #expect(collected.fixes == 10 && collected.changes == 1, "\(collected)")
  }

  @Test("An acquisition of a missing user begins again once the user is known")
  func acquisition() {
    var daemon = VirtualDaemon(settings: Self.settings)
    let acquire = Acquisition(budget: .seconds(10), desiredAccuracy: 5)
    daemon.call(
      .subscribe(
        SubscriptionParameters(mode: .significant, acquire: acquire, replay: .none),
        durable: DurableRequest(name: "walk")))
    daemon.stream(seconds: 5, accuracy: 50)
    daemon.send(.ownersLearned([1001: .nobody]))
    daemon.advance(by: 100)
    daemon.send(.ownersLearned([1001: .user("user1001", groups: [100])]))
    daemon.stream(seconds: 3)
    let events = daemon.call(.attachDurable(name: "walk")).actions.durableEvents()
    let reasons = events.map { event -> DeliveryReason? in
      if case .position(let update) = event.content { update.reason } else { nil }
    }
    #expect(reasons == [.acquired])
  }

  @Test("A user that returns without a permission finds none of the old data after a later grant", arguments: [1, 300])
  func withoutPermission(count: Int) {
    var daemon = self.collecting()
    daemon.connect(1)
    for number in 0..<count { daemon.call(.addRegion(circle("\(number)"), durable: DurableRequest(name: "log"))) }
    daemon.stream(seconds: 2)
    daemon.advance(by: 0)
    daemon.send(.clientDisconnected(ClientID(1)))
    daemon.send(.ownersLearned([1001: .nobody]))
    #expect(daemon.machine.differences(from: daemon.store).isEmpty)
    daemon.send(.ownersLearned([1001: .user("user1001", groups: [])]))
    #expect(daemon.machine.differences(from: daemon.store).isEmpty)
    let states = { (daemon: VirtualDaemon) in
      Set(daemon.store.names.values.flatMap { $0.regions.map(\.snapshot.state) })
    }
    #expect(states(daemon) == [.unknown])
    #expect(daemon.store.names.values.allSatisfy { $0.position?.lastDelivered == nil })
    daemon.send(.ownersLearned([1001: .user("user1001", groups: [100])]))
    daemon.advance(by: 0)
    #expect(states(daemon) == [.unknown])
    #expect(daemon.machine.differences(from: daemon.store).isEmpty)
    daemon.stream(seconds: 2)
    #expect(self.collected(&daemon).fixes == 2)
  }

  // MARK: Regions that are being moved

  /// Client 1's user has more regions than a turn moves, all large enough for the reduced position, with the device
  /// inside.
  private func crowded() -> VirtualDaemon {
    var daemon = VirtualDaemon(settings: Self.settings)
    for number in 0..<300 {
      daemon.call(.addRegion(circle("\(number)", radius: 9000), durable: DurableRequest(name: "log")))
    }
    daemon.stream(seconds: 2)
    daemon.advance(by: 0)
    return daemon
  }

  private func states(_ daemon: VirtualDaemon) -> [RegionState: Int] {
    let regions = daemon.machine.names.all.flatMap {
      daemon.machine.regions(of: $0.holder, atMost: 1000, now: daemon.now).regions
    }
    return Dictionary(grouping: regions, by: \.state).mapValues(\.count)
  }

  @Test("Regions that are being moved lose their states if the permission changes before they are moved")
  func changedOnTheWay() {
    var daemon = self.crowded()
    #expect(self.states(daemon) == [.inside: 300])
    daemon.send(.ownersLearned([1001: .nobody]))
    #expect(self.states(daemon) == [.inside: 300])
    daemon.change { $0.rules[0].precision = .reduced }
    daemon.send(.ownersLearned([1001: .user("user1001", groups: [100])]))
    #expect(self.states(daemon) == [.unknown: 300])
    #expect(daemon.machine.differences(from: daemon.store).isEmpty)
    daemon.advance(by: 0)
    #expect(self.states(daemon) == [.unknown: 300])
    #expect(daemon.machine.differences(from: daemon.store).isEmpty)
  }

  @Test("Regions whose states are known keep them while others of their name are still being moved")
  func knownAmongOthers() {
    var daemon = self.crowded()
    daemon.change { $0.isEnabled = false }
    daemon.change { $0.isEnabled = true }
    // It is judged at once.
    daemon.call(.addRegion(circle("new", radius: 9000), durable: DurableRequest(name: "log")))
    daemon.send(.ownersLearned([1001: .nobody]))
    for _ in 0..<2 {
      #expect(self.states(daemon) == [.inside: 1, .unknown: 300])
      #expect(daemon.machine.differences(from: daemon.store).isEmpty)
      daemon.advance(by: 0)
    }
    daemon.send(.ownersLearned([1001: .user("user1001", groups: [100])]))
    daemon.advance(by: 0)
    #expect(self.states(daemon) == [.inside: 1, .unknown: 300])
    #expect(daemon.machine.differences(from: daemon.store).isEmpty)
  }
}
