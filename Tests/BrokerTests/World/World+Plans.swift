import Positioning
import ReceiverPorts
import TestSupport

@testable import Broker

/// The worlds of the simulations.
extension World {
  /// Impolite clients with full access, while the administrator changes settings of the receiver.
  ///
  /// - Parameters:
  ///   - others: The number of clients beside the first.
  ///   - hasAnchor: Whether the first stays and needs the receiver all the time.
  ///   - invariants: The invariants to check.
  static func clients(
    seed: UInt64, others: Int = 3, hasAnchor: Bool = false, clockOffset: Double = 0,
    invariants: (BrokerSettings) -> [any Invariant] = {
      [MachineInvariants(), ClientInvariants(settings: $0), Recording()]
    }
  ) -> World {
    var settings = BrokerSettings.open
    settings.power.linger = .seconds(20)
    settings.maxRequestTime = .seconds(60)
    settings.maxRequestsPerClient = 6
    settings.maxSubscriptionsPerClient = 6
    // Somebody's new demand ends the pause after a search without a fix, for all. Here none is given up.
    if hasAnchor { settings.power.searchTimeout = .seconds(1_000_000) }
    let callers = (0...others).map {
      RandomCaller(slot: UInt64($0), isAnchor: hasAnchor && $0 == 0, seed: seed)
    }
    var world = World(
      seed: seed,
      Plan(
        settings: settings, callers: callers,
        invariants: invariants(settings),
        clockOffset: clockOffset, reportsHeading: Self.reportsHeading(seed), changesSettings: true))
    // The anchor is there before any event that involves others.
    if hasAnchor { for _ in 1...2 { world.call(0) } }
    return world
  }

  /// In every fourth world no receiver reports a heading.
  static func reportsHeading(_ seed: UInt64) -> Bool { !seed.isMultiple(of: 4) }

  /// Clients of durable names, and a daemon that is killed.
  static func durable(seed: UInt64) -> World {
    let callers = (0...2).map { DurableCaller(slot: $0, seed: seed) }
    return World(
      seed: seed,
      Plan(
        settings: Self.tightSettings(seed), callers: callers, callsOnceIn: 3,
        invariants: [MachineInvariants(), DurableInvariants(), Recording()], killedOnceIn: 200,
        users: [1001, 1002]))
  }

  /// Rules, persons and administrators with changing decisions, and a daemon that is killed.
  static func permission(seed: UInt64) -> World {
    var settings = BrokerSettings()
    settings.power.linger = .seconds(20)
    settings.maxRequestTime = .seconds(100)
    // Some worlds have little room.
    settings.maxUnstored = seed.isMultiple(of: 4) ? 3 : 1000
    settings.catchUpSlice = seed.isMultiple(of: 8) ? 1 : 1000
    return World(
      seed: seed,
      Plan(
        settings: settings, callers: [PermissionCaller(seed: seed, settings: settings)], callsOnceIn: 1,
        invariants: [MachineInvariants()], killedOnceIn: 80))
  }

  /// All of them together.
  static func everybody(seed: UInt64) -> World {
    let settings = Self.tightSettings(seed)
    let clients = (10...12).map { RandomCaller(slot: $0, isAnchor: false, seed: seed) }
    let durable = (0...2).map { DurableCaller(slot: $0, seed: seed) }
    return World(
      seed: seed,
      Plan(
        settings: settings, callers: [PermissionCaller(seed: seed, settings: settings)] + clients + durable,
        callsOnceIn: 2,
        invariants: [MachineInvariants()], reportsHeading: Self.reportsHeading(seed), killedOnceIn: 200,
        users: [1001, 1002], isGated: true))
  }

  private static func tightSettings(_ seed: UInt64) -> BrokerSettings {
    var settings = BrokerSettings.open
    settings.power.linger = .seconds(20)
    settings.maxSubscriptionsPerClient = 8
    settings.maxDeferredPerUser = 6
    settings.maxRegionsPerUser = 10
    settings.maxNamesPerUser = 2
    settings.inbox.events = seed.isMultiple(of: 3) ? 4 : 60
    settings.inbox.fixes = seed.isMultiple(of: 3) ? 30 : 200
    settings.maxUnstored = [6, 40, 1000, 20_000][Int(seed % 4)]
    settings.catchUpSlice = [1, 10, 1000][Int(seed % 3)]
    settings.access.rules = [.waking(DurableCaller.unit, user: "user1001")]
    settings.fixes.device = seed.isMultiple(of: 2) ? ublox.path : nil
    return settings
  }
}

/// The end of a world.
extension World {
  /// Every permission is withdrawn, and some time passes.
  mutating func withdraw() {
    self.change { $0.isEnabled = false }
    self.wait(for: .seconds(130))
    self.check(MachineInvariants.self) { $0.withdrawn($1) }
  }

  /// Has every event acknowledged, every client leave and every name removed.
  mutating func finish() {
    self.calm()
    self.leave()
    for id in self.daemon.machine.names.ids { self.drain(id) }
    self.check(DurableInvariants.self) { $0.finished($1.machine) }
    for id in self.daemon.machine.names.ids { self.visit(id.uid) { [.removeDurable(name: id.name)] } }
    self.wait(for: .seconds(3600))
    self.commitAll()
    self.check(MachineInvariants.self) { $0.idle($1) }
  }

  private mutating func drain(_ id: DurableID) {
    self.visit(id.uid) {
      [.attachDurable(name: id.name)]
    } meanwhile: { world in
      while !world.takers.isEmpty, !world.daemon.isHopeless {
        world.take()
        world.commitAll()
      }
      world.check(DurableInvariants.self) { invariants, _ in invariants.drained(id) }
    }
  }
}
