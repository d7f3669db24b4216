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
    var world = RandomWorld(seed: seed)
    world.run(steps: 1000)
    let violations = world.expectations.violations
    #expect(violations.isEmpty, "seed \(seed): \(violations.count), first: \(violations.first ?? "")")
    // A world in which nothing happens proves nothing.
    #expect(world.expectations.answers > 300, "seed \(seed)")
    #expect(world.expectations.satisfied > 5, "seed \(seed)")
    #expect(world.expectations.fixes > 50, "seed \(seed)")
    #expect(world.expectations.losses > 0, "seed \(seed)")
    let headings = world.expectations.headingsTold
    #expect(RandomWorld.tellsHeading(seed) ? headings > 20 : headings == 0, "seed \(seed): \(headings)")
  }

  @Test("Where no receiver tells a heading, some client in some life is told so")
  func headingsUnavailable() {
    let told = stride(from: 4 as UInt64, through: 40, by: 4).map { seed in
      var world = RandomWorld(seed: seed)
      world.run(steps: 1000)
      return world.expectations.headingsUnavailable
    }
    #expect(told.reduce(0, +) > 0)
  }

  /// All that one client is told, when.
  private func told(_ world: RandomWorld, client: ClientID) -> [RandomWorld.Observed] {
    world.observed.filter { observed in
      switch observed.action {
      case .answer(let call, _): call.client == client
      case .notify(let told, _): told == client
      case .clear(let told, _), .ask(let told, _), .withdraw(let told, _): told == client
      case .setReceiver, .setDeadline, .store, .tellWhenTaken, .startUnit, .log, .confirm, .inUse: false
      }
    }
  }

  @Test(
    "What a client is told does not depend on who else is there, comes or goes",
    arguments: TestLength.seeds(20))
  func independence(seed: UInt64) throws {
    var alone = RandomWorld(seed: seed, others: 0, hasAnchor: true)
    alone.run(steps: 600)
    var among = RandomWorld(seed: seed, others: 4, hasAnchor: true)
    among.run(steps: 600)
    let client = ClientID(100)
    let (left, right) = (self.told(alone, client: client), self.told(among, client: client))
    #expect(left.count > 200, "seed \(seed)")
    #expect(among.observed.count > left.count * 2, "seed \(seed)")
    let difference = zip(left, right).first { $0 != $1 }
    #expect(difference == nil && left.count == right.count, "seed \(seed): \(String(describing: difference))")
  }

  @Test(
    "A receiver's clock that is off by a day, or by decades, changes nothing but the time in the fix",
    arguments: [86400, -86400, 619_315_200.0, -619_315_200])
  func clockOffset(offset: Double) {
    for seed in 1...3 as ClosedRange<UInt64> {
      var right = RandomWorld(seed: seed)
      right.run(steps: 400)
      var wrong = RandomWorld(seed: seed, clockOffset: offset)
      wrong.run(steps: 400)
      #expect(right.observed.map(self.withoutTime) == wrong.observed.map(self.withoutTime), "seed \(seed)")
    }
  }

  private func withoutTime(_ observed: RandomWorld.Observed) -> RandomWorld.Observed {
    var action = observed.action
    switch action {
    case .answer(let call, .fix(var outcome)):
      outcome.fix?.time = nil
      action = .answer(call, .fix(outcome))
    case .answer(let call, .lastFix(var last)):
      last.fix?.time = nil
      action = .answer(call, .lastFix(last))
    case .notify(let client, .position(var update)):
      update.fix?.time = nil
      action = .notify(client, .position(update))
    case .answer(let call, .heading(var outcome)):
      outcome.heading?.time = nil
      action = .answer(call, .heading(outcome))
    case .notify(let client, .heading(var update)):
      update.heading?.time = nil
      action = .notify(client, .heading(update))
    case .answer, .notify, .setReceiver, .setDeadline, .store, .tellWhenTaken, .startUnit, .log, .confirm, .clear, .ask,
      .withdraw, .inUse:
      break
    }
    return RandomWorld.Observed(at: observed.at, action: action)
  }

  @Test("The same events give the same actions")
  func determinism() {
    var (first, second) = (RandomWorld(seed: 7), RandomWorld(seed: 7))
    first.run(steps: 500)
    second.run(steps: 500)
    #expect(first.observed == second.observed)
  }
}
