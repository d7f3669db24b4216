import Positioning
import TestSupport
import Testing

@testable import Broker

/// The invariants, over random lives of the broker. A failure names its seed; the same seed fails again.
@Suite struct SimulationTests {
  @Test(
    "Whatever clients, receivers and gpsd do, every invariant holds after every turn",
    arguments: TestLength.seeds(100))
  func invariants(seed: UInt64) {
    var world = World.clients(seed: seed)
    world.run(steps: 1000)
    // A run without events proves nothing.
    let seen = world.invariant(ClientInvariants.self)
    #expect(world.invariant(MachineInvariants.self).counts.answers > 300, "seed \(seed)")
    #expect(seen.satisfied > 5, "seed \(seed)")
    // A receiver that jumps about is not trusted for most of the time.
    #expect(seen.fixes > 20, "seed \(seed)")
    #expect(seen.losses > 0, "seed \(seed)")
    #expect(
      World.reportsHeading(seed) ? seen.headingsDelivered > 20 : seen.headingsDelivered == 0,
      "seed \(seed): \(seen.headingsDelivered)")
    world.finish()
    world.expectSound(seed)
  }

  @Test("If no receiver reports a heading, some client is notified of that")
  func headingsUnavailable() {
    let counts = stride(from: 4 as UInt64, through: 40, by: 4).map { seed in
      var world = World.clients(seed: seed)
      world.run(steps: 1000)
      return world.invariant(ClientInvariants.self).headingsUnavailable
    }
    #expect(counts.reduce(0, +) > 0)
  }

  /// All deliveries to one client, with their times.
  private func received(_ world: World, client: ClientID) -> [Recording.Observed] {
    world.observed.filter { observed in
      switch observed.action {
      case .answer(let call, _): call.client == client
      case .notify(let receiver, _): receiver == client
      case .clear(let receiver, _), .ask(let receiver, _), .withdraw(let receiver, _): receiver == client
      case .setReceiver, .allowSaving, .askClock, .setDeadline, .store, .reportWhenTaken, .reportStoppedReceiver,
        .startUnit, .log,
        .inUse, .end:
        false
      }
    }
  }

  @Test(
    "A client's deliveries do not depend on other clients",
    arguments: TestLength.seeds(20))
  func independence(seed: UInt64) throws {
    var alone = World.clients(seed: seed, others: 0, hasAnchor: true)
    alone.run(steps: 600)
    var among = World.clients(seed: seed, others: 4, hasAnchor: true)
    among.run(steps: 600)
    let client = ClientID(100)
    let (left, right) = (self.received(alone, client: client), self.received(among, client: client))
    #expect(left.count > 200, "seed \(seed)")
    #expect(among.observed.count > left.count * 2, "seed \(seed)")
    let difference = zip(left, right).first { $0 != $1 }
    #expect(difference == nil && left.count == right.count, "seed \(seed): \(String(describing: difference))")
  }

  @Test(
    "A receiver's clock that is wrong by a day, or by decades, changes only the time in the fix",
    arguments: [86400, -86400, 619_315_200.0, -619_315_200])
  func clockOffset(offset: Double) {
    for seed in 1...3 as ClosedRange<UInt64> {
      var right = World.clients(seed: seed)
      right.run(steps: 400)
      var wrong = World.clients(seed: seed, clockOffset: offset)
      wrong.run(steps: 400)
      #expect(right.observed.map(self.withoutTime) == wrong.observed.map(self.withoutTime), "seed \(seed)")
    }
  }

  private func withoutTime(_ observed: Recording.Observed) -> Recording.Observed {
    var action = observed.action
    switch action {
    case .answer(let call, .fix(var outcome)):
      outcome.fix?.time = nil
      action = .answer(call, .fix(outcome))
    case .answer(let call, .lastFix(var last)):
      last.fix?.time = nil
      action = .answer(call, .lastFix(last))
    case .notify(let client, .position(let id, var update)):
      update.fix?.time = nil
      action = .notify(client, .position(id, update))
    case .answer(let call, .heading(var outcome)):
      outcome.heading?.time = nil
      action = .answer(call, .heading(outcome))
    case .notify(let client, .heading(let id, var update)):
      update.heading?.time = nil
      action = .notify(client, .heading(id, update))
    case .answer, .notify, .setReceiver, .allowSaving, .askClock, .setDeadline, .store, .reportWhenTaken,
      .reportStoppedReceiver,
      .startUnit,
      .log, .clear,
      .ask, .withdraw, .inUse, .end:
      break
    }
    return Recording.Observed(at: observed.at, action: action)
  }

  @Test("The same events give the same actions")
  func determinism() {
    var (first, second) = (World.clients(seed: 7), World.clients(seed: 7))
    first.run(steps: 500)
    second.run(steps: 500)
    #expect(first.observed == second.observed)
  }
}

extension World {
  /// All actions of its machine, with their times.
  var observed: [Recording.Observed] { self.invariant(Recording.self).observed }

  /// Expects that all invariants held.
  func expectSound(_ seed: UInt64, _ location: SourceLocation = #_sourceLocation) {
    let violations = self.violations
    #expect(
      violations.isEmpty, "seed \(seed): \(violations.count), first: \(violations.prefix(3))", sourceLocation: location)
  }
}
