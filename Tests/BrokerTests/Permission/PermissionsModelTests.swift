import Positioning
import TestSupport
import Testing

@testable import Broker

/// Random decisions, and a store that confirms late, refuses changes, and has errors.
@Suite struct PermissionsModelTests {
  @Test("Whatever the store does, nothing withdrawn counts, and in the end memory and disk agree")
  func worlds() {
    var outcomes = (stored: 0, counts: 0, refused: 0, overtaken: 0)
    for seed in 1...400 as ClosedRange<UInt64> {
      var world = PermissionWorld(seed: seed)
      world.run(steps: 60)
      #expect(world.violations.isEmpty, "seed \(seed): \(world.violations.prefix(3))")
      outcomes.stored += world.outcomes.stored
      outcomes.counts += world.outcomes.counts
      outcomes.refused += world.outcomes.refused
      outcomes.overtaken += world.outcomes.overtaken
    }
    // The cases must occur.
    #expect(
      outcomes.stored > 50 && outcomes.counts > 100 && outcomes.refused > 100 && outcomes.overtaken > 100, "\(outcomes)"
    )
  }
}

/// One user, the master switch, and a store.
private struct PermissionWorld {
  private(set) var violations: [String] = []
  private(set) var outcomes = (stored: 0, counts: 0, refused: 0, overtaken: 0)
  private var random: SeededRandom
  private var permissions: Permissions
  private let fallback: AccessPolicy.Fallback
  private var now = at(0)
  private var serial: UInt64 = 0
  private var waiters: [UInt64: (at: Instant, Wanted)] = [:]

  /// The last decision, if it was not refused.
  private enum Wanted: Hashable {
    case user(Decision?)
    case isOn(Bool)
  }

  /// The greatest permission that the user may have: the last decision, and each smaller one before it that was not
  /// refused.
  private var newest: Decision?
  private var newestSwitch: Bool
  // The store.
  private var queue: [(change: StoreChange, pending: PendingDecision)] = []
  private var confirmations: [(pending: PendingDecision, error: String?)] = []
  /// Who waits for a decision, and until when.
  private var awaited: [UInt64: (pending: PendingDecision, deadline: Instant)] = [:]
  private var disk = StoreModel()
  private var isStoreFailing = false

  init(seed: UInt64) {
    self.random = SeededRandom(seed: seed)
    self.fallback = AccessPolicy.Fallback.allCases.randomElement(using: &self.random) ?? .ask
    let stored = Self.decision(&self.random, at: at(0))
    self.newest = stored
    let isOn = Bool.random(using: &self.random)
    self.newestSwitch = isOn
    self.permissions = Permissions(
      decisions: stored.map { [1: $0] } ?? [:], isOn: isOn, fallback: self.fallback)
    self.keep(.putEnabled(isOn))
    if let stored { self.keep(.putDecision(1, stored)) }
  }

  private static func decision(_ random: inout SeededRandom, at moment: Instant) -> Decision? {
    guard !random.oneIn(4) else { return nil }
    let level: AuthorizationLevel? = random.oneIn(3) ? nil : Bool.random(using: &random) ? .always : .whenInUse
    return Decision(user: "ada", level: level, precision: Bool.random(using: &random) ? .precise : .reduced, at: moment)
  }

  mutating func run(steps: Int) {
    for _ in 0..<steps { self.step() }
    // The store works again and processes all that it has. Changes that it refuses for lack of room are stored again.
    for _ in 0..<20 {
      while !self.queue.isEmpty || !self.confirmations.isEmpty {
        self.isStoreFailing = false
        self.commit()
        self.confirm(inOrder: true)
      }
      self.isStoreFailing = false
      self.storeChanged(nil)
    }
    if self.permissions.decision(for: 1) != self.disk.decisions[1] {
      self.violations.append("memory and disk differ of the user")
    }
    if self.permissions.isSwitchedOn != self.disk.isEnabled {
      self.violations.append("memory and disk differ of the switch")
    }
    if !self.waiters.isEmpty { self.violations.append("\(self.waiters.count) wait for ever") }
    if !self.permissions.grants.allSatisfy(\.isStored) { self.violations.append("stored, and not said so") }
  }

  private mutating func step() {
    self.now = self.now + .seconds(1)
    let before = (self.permissions.decision(for: 1), self.permissions.isSwitchedOn)
    var isConfirmation = false
    switch Int.random(in: 0..<12, using: &self.random) {
    case 0...2: self.decide()
    case 3, 4: self.turn()
    case 5, 6: self.commit()
    case 7, 8:
      self.confirm(inOrder: !self.random.oneIn(4))
      isConfirmation = true
    case 9 where self.random.oneIn(2):
      self.isStoreFailing.toggle()
      self.storeChanged(self.isStoreFailing ? "the disk is full" : nil)
    default: break
    }
    let overdue = self.takeAwaited { [now] in $0.deadline <= now }
    self.take(self.permissions.giveUp(overdue))
    self.check(before, isConfirmation)
  }

  private mutating func decide() {
    let decision = Self.decision(&self.random, at: self.now)
    self.newest = decision
    self.serial += 1
    let call = CallID(client: ClientID(1), serial: self.serial)
    self.waiters[self.serial] = (self.now, .user(decision))
    // A person is asked if there is no grant, by an agent.
    let info = Grant(uid: 1, decision: decision ?? Decision(user: "ada", level: nil, at: self.now))
    self.take(self.permissions.decide(decision, for: 1, .grant(Asker(call, By()), info)))
    self.expectTaken()
  }

  private mutating func turn() {
    let isOn = Bool.random(using: &self.random)
    self.newestSwitch = isOn
    self.serial += 1
    let call = CallID(client: ClientID(1), serial: self.serial)
    self.waiters[self.serial] = (self.now, .isOn(isOn))
    self.take(self.permissions.turn(on: isOn, .enabled(Asker(call, By()), isOn)))
    self.expectTaken()
  }

  /// A withdrawal counts as soon as the call returns.
  private mutating func expectTaken() {
    if !self.isWithin(self.permissions.decision(for: 1), self.newest) {
      self.violations.append("more than was decided last")
    }
    if self.permissions.isSwitchedOn && !self.newestSwitch { self.violations.append("on, and was turned off") }
  }

  // MARK: The store

  private mutating func take(_ effects: [Permissions.Effect]) {
    for effect in effects {
      switch effect {
      case .store(let change, let pending):
        if pending.waiter != nil { self.awaited[pending.number] = (pending, self.now + DiskTimeout.permission) }
        // It refuses if it has too much, or at random.
        if self.queue.count >= 4 || (self.isStoreFailing && self.random.oneIn(2)) {
          self.confirmations.append((pending, "too much waits"))
          if !self.isStoreFailing {
            self.isStoreFailing = true
            self.storeChanged("too much waits")
          }
        } else {
          self.queue.append((change, pending))
        }
      // No prompt waits.
      case .changed, .overtaken: break
      case .settled(let waiter, let outcome): self.settled(waiter, outcome)
      }
    }
  }

  private mutating func settled(_ waiter: Permissions.Waiter, _ outcome: Permissions.Outcome) {
    let serial: UInt64 =
      switch waiter {
      case .grant(let asker, _): asker.id.serial
      case .enabled(let asker, _, _): asker.id.serial
      case .prompt: 0
      }
    guard let (_, wanted) = self.waiters.removeValue(forKey: serial) else {
      return self.violations.append("a second outcome")
    }
    switch outcome {
    case .stored: self.outcomes.stored += 1
    case .counts:
      self.outcomes.counts += 1
      let counts =
        switch wanted {
        case .user(let decision): self.isWithin(self.permissions.decision(for: 1), decision)
        case .isOn(let isOn): isOn || !self.permissions.isSwitchedOn
        }
      if !counts { self.violations.append("said to count, and does not") }
    case .refused:
      self.outcomes.refused += 1
      // Its withdrawals still count; its grants never did.
      switch wanted {
      case .user(let decision): if self.newest == decision { self.newest = self.permissions.decision(for: 1) }
      case .isOn: self.newestSwitch = self.permissions.isSwitchedOn
      }
    case .overtaken: self.outcomes.overtaken += 1
    }
  }

  private mutating func commit() {
    guard !self.isStoreFailing, !self.queue.isEmpty else { return }
    let (change, pending) = self.queue.removeFirst()
    self.keep(change)
    self.confirmations.append((pending, nil))
  }

  private mutating func keep(_ change: StoreChange) {
    do throws(StoreModel.Missing) {
      try self.disk.commit([change])
    } catch {
      self.violations.append("\(error) in \(change)")
    }
  }

  private mutating func confirm(inOrder: Bool) {
    guard !self.confirmations.isEmpty else { return }
    let place = inOrder ? 0 : Int.random(in: 0..<self.confirmations.count, using: &self.random)
    var (pending, error) = self.confirmations.remove(at: place)
    pending.waiter = self.awaited.removeValue(forKey: pending.number)?.pending.waiter
    self.take(self.permissions.confirmed(pending, error: error))
  }

  private mutating func storeChanged(_ error: String?) {
    let awaited = error == nil ? [] : self.takeAwaited { _ in true }
    self.take(self.permissions.storeChanged(error: error, awaited: awaited))
  }

  private mutating func takeAwaited(
    where isTaken: ((pending: PendingDecision, deadline: Instant)) -> Bool
  ) -> [PendingDecision] {
    let taken = self.awaited.values.filter(isTaken).map(\.pending).sorted { $0.number < $1.number }
    for pending in taken { self.awaited[pending.number] = nil }
    return taken
  }

  // MARK: Invariants

  private mutating func check(_ before: (Decision?, Bool), _ isConfirmation: Bool) {
    let after = (self.permissions.decision(for: 1), self.permissions.isSwitchedOn)
    if !isConfirmation, !self.isWithin(after.0, before.0) { self.violations.append("more, and nothing was stored") }
    if !isConfirmation, after.1, !before.1 { self.violations.append("on, and nothing was stored") }
    self.expectTaken()
    for (_, waiter) in self.waiters where self.now - waiter.at > DiskTimeout.permission {
      self.violations.append("somebody waits too long")
    }
  }

  private func isWithin(_ decision: Decision?, _ other: Decision?) -> Bool {
    func terms(_ decision: Decision?) -> (level: Int, precision: Int) {
      guard let decision else {
        switch self.fallback {
        case .allow: return (2, 1)
        case .reduced: return (2, 0)
        case .ask, .deny: return (0, 0)
        }
      }
      let level = decision.level.map { $0 == .always ? 2 : 1 } ?? 0
      return (level, level == 0 ? 0 : decision.precision == .precise ? 1 : 0)
    }
    let (own, most) = (terms(decision), terms(other))
    return own.level == 0 || (own.level <= most.level && own.precision <= most.precision)
  }
}
