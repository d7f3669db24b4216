import Positioning
import TestSupport
import Testing

@testable import Broker

/// Users whom the system does not know for a while: a directory that answers too early at boot, or cannot be asked yet.
@Suite struct MissingUserTests {
  private static let home = Region(
    id: "home", shape: .circle(center: Coordinate(latitude: 50, longitude: 8), radius: 200), initial: .always)

  /// Client 1's user has a name with a region whose state is known, and an event that waits. It may know by its group.
  private func daemon() -> VirtualDaemon {
    var settings = BrokerSettings()
    var rule = AccessRule(name: "members")
    (rule.group, rule.grant) = (.number(100), .always)
    settings.access.rules = [rule]
    var daemon = VirtualDaemon(settings: settings)
    daemon.call(.addRegion(Self.home, durable: DurableRequest(name: "log")))
    daemon.stream(seconds: 20)
    daemon.send(.clientDisconnected(ClientID(1)))
    return daemon
  }

  private func waiting(_ daemon: inout VirtualDaemon, client: UInt64 = 1) -> DurableInfo? {
    daemon.connect(client, uid: 1001)
    guard case .durables(let infos)? = daemon.answer(.listDurables, client: client) else { return nil }
    return infos.first
  }

  @Test("A user that the system does not know loses nothing, is told nothing, and goes on once it is known")
  func missing() {
    var daemon = self.daemon()
    let before = daemon.store.names
    daemon.send(.ownersLearned([1001: .nobody]))
    #expect(!daemon.machine.needs.isNeeded && daemon.machine.names.all.map(\.view) == [nil])
    daemon.stream(seconds: 20)
    #expect(daemon.store.names == before)
    daemon.send(.ownersLearned([1001: .user("user1001", groups: [100])]))
    #expect(daemon.store.names == before)
    let info = self.waiting(&daemon)
    #expect(info?.waiting == 1 && info?.regions.map(\.state) == [.inside])
  }

  @Test("Its client's connection says as well that it is there")
  func connected() {
    var daemon = self.daemon()
    daemon.send(.ownersLearned([1001: .nobody]))
    #expect(self.waiting(&daemon)?.waiting == 1)
    #expect(daemon.machine.names.all.map(\.view) == [.everything])
  }

  @Test("What belongs to a number that another user has goes, whether it waited or not", arguments: [false, true])
  func reused(isMissing: Bool) {
    var daemon = self.daemon()
    if isMissing { daemon.send(.ownersLearned([1001: .nobody])) }
    daemon.send(.ownersLearned([1001: .user("mallory", groups: [100])]))
    #expect(daemon.store.names.isEmpty)
  }

  @Test("A decision stays with a user that is missing, and goes when another has the number")
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

  @Test("A start at which the groups cannot be looked up forgets no event and no state")
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
    #expect(machine.names.all.map(\.view) == [nil])
    #expect(changes(.ownersLearned([1001: .user("user1001", groups: [100])])).isEmpty)
    #expect(machine.names.all.map(\.view) == [.everything])
    #expect(machine.names.all.map { Array($0.inbox.events) } == before.values.map { Array($0.events) })
    let regions = machine.names.all.flatMap { machine.regions(of: $0.holder, atMost: 10, now: daemon.now).regions }
    #expect(regions.map(\.state) == [.inside])
  }

  @Test(
    "A start at which the group of a rule cannot be looked up forgets no event and no state, unless another rule denies",
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
    #expect(machine.names.all.map(\.view) == [nil])
    #expect(changes(.settingsChanged(settings)).isEmpty)
    // The system has said it.
    #expect(changes(.settingsChanged(daemon.settings)).isEmpty == !isDenied)
    #expect(machine.names.all.map(\.view) == [.everything])
    #expect(machine.names.all.map(\.inbox.events.count) == [isDenied ? 0 : 1])
    let regions = machine.names.all.flatMap { machine.regions(of: $0.holder, atMost: 10, now: daemon.now).regions }
    #expect(regions.map(\.state) == [isDenied ? .unknown : .inside])
  }
}
