import Glibc
import Positioning
import TestSupport
import Testing

@testable import Broker

/// Writes a hash of all actions of many random worlds, to compare a machine with the one before a change that should
/// change no action.
///
/// `POSITIOND_ACTION_HASHES` names the file. `SWIFT_DETERMINISTIC_HASHING=1` makes the hashes comparable. If
/// `POSITIOND_ACTION_TRACE` is set, for example to `everybody 17`, the file gets that world's actions instead.
@Suite struct ActionHashTests {
  private static let file = unsafe getenv("POSITIOND_ACTION_HASHES").map { unsafe String(cString: $0) }
  private static let trace = unsafe getenv("POSITIOND_ACTION_TRACE").map { unsafe String(cString: $0) }

  private static let worlds: [(name: String, make: @Sendable (UInt64) -> World, steps: Int)] = [
    ("clients", { World.clients(seed: $0) }, 400), ("durable", { World.durable(seed: $0) }, 500),
    ("permission", { World.permission(seed: $0) }, 300), ("everybody", { World.everybody(seed: $0) }, 400),
  ]

  @Test("The actions of random worlds, as hashes in a file", .enabled(if: file != nil))
  func hashes() {
    var lines: [String] = []
    for (name, make, steps) in Self.worlds {
      for seed in 1...250 as ClosedRange<UInt64> {
        let title = "\(name) \(seed)"
        guard Self.trace == nil || Self.trace == title else { continue }
        var world = make(seed)
        world.observe(with: [ActionHash(keepsText: Self.trace != nil)])
        Self.live(&world, steps: steps, seed)
        let seen = world.invariant(ActionHash.self)
        lines += Self.trace == nil ? ["\(title) \(seen.count) \(String(seen.hash, radix: 16))"] : seen.text
      }
    }
    guard let out = unsafe fopen(Self.file ?? "", "w") else {
      Issue.record("the file cannot be written")
      return
    }
    unsafe fputs(lines.joined(separator: "\n") + "\n", out)
    unsafe fclose(out)
  }

  /// With gaps, with a store that opens late, and with permission that is withdrawn.
  private static func live(_ world: inout World, steps: Int, _ seed: UInt64) {
    for round in 1...4 as ClosedRange<UInt64> {
      world.run(steps: steps / 5)
      if (seed + round).isMultiple(of: 3) { world.turn(.gapEnded(.seconds(Int(seed % 40) + 1))) }
    }
    if seed.isMultiple(of: 5) {
      world.restart(unopened: "the database is damaged")
      world.run(steps: steps / 10)
      world.openStore()
    }
    world.run(steps: steps / 5)
    if seed.isMultiple(of: 2) { world.withdraw() }
    world.finish()
    if seed.isMultiple(of: 7) { world.turn(.stopping) }
  }
}

/// All actions of a machine as one number (FNV-1a).
private struct ActionHash: Invariant {
  let keepsText: Bool
  var violations: [String] = []
  private(set) var hash: UInt64 = 0xcbf2_9ce4_8422_2325
  private(set) var count = 0
  private(set) var text: [String] = []

  init(keepsText: Bool) { self.keepsText = keepsText }

  mutating func turned(_ turn: ObservedTurn, _ machine: BrokerMachine, _ store: StoreModel) {
    self.add(turn.now.hashValue)
    for action in turn.actions {
      self.add(action.comparable.hashValue)
      self.count += 1
    }
    guard self.keepsText else { return }
    self.text.append("\(turn.now) \(turn.event)".prefix(300).description)
    self.text += turn.actions.map(\.comparable).map { "  \(UInt(bitPattern: $0.hashValue) % 10000) \($0)" }
  }

  private mutating func add(_ value: Int) {
    self.hash = (self.hash ^ UInt64(bitPattern: Int64(value))) &* 0x100_0000_01b3
  }
}

extension Action {
  /// Without the numbers at the store, which only rise, and with the demands of a status in one order.
  fileprivate var comparable: Action {
    switch self {
    case .store(_, let changes): .store(0, changes)
    case .answer(let call, .status(let status)): .answer(call, .status(status.comparable))
    case .notify(let client, .status(let id, let status, let parts)):
      .notify(client, .status(id, status.comparable, parts))
    case .answer, .notify, .setReceiver, .allowSaving, .askClock, .setDeadline, .reportWhenTaken,
      .reportStoppedReceiver,
      .startUnit, .clear,
      .ask, .withdraw, .inUse,
      .end, .log:
      self
    }
  }
}

extension DaemonStatus {
  fileprivate var comparable: DaemonStatus {
    var status = self
    status.demand?.clients.sort { "\($0)" < "\($1)" }
    return status
  }
}
