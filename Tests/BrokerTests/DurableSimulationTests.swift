import Positioning
import TestSupport
import Testing

@testable import Broker

/// Durable registrations, in random runs with clients, daemons and a store. A failure names its seed; the same seed
/// fails again.
@Suite struct DurableSimulationTests {
  private static let seeds = TestLength.seeds(60)

  @Test("Whatever is killed at any time, nothing promised is lost and nothing wrong is sent", arguments: seeds)
  func invariants(seed: UInt64) {
    var world = World.durable(seed: seed)
    world.run(steps: 600)
    world.finish()
    world.expectSound(seed)
    // A run without events proves nothing.
    #expect(world.invariant(MachineInvariants.self).counts.answers > 100, "seed \(seed)")
    #expect(world.invariant(DurableInvariants.self).durableEvents > 0, "seed \(seed)")
  }

  @Test("The random runs cover every kind of event")
  func coverage() {
    var (kills, batches, pauses, acquisitions, regions, visits) = (0, 0, 0, 0, 0, 0)
    var (overflows, starts) = (0, 0)
    for seed in 1...12 as ClosedRange<UInt64> {
      var world = World.durable(seed: seed)
      world.run(steps: 600)
      let seen = world.invariant(DurableInvariants.self)
      kills += world.kills
      batches += seen.batches
      pauses += seen.pauses
      acquisitions += seen.acquisitions
      regions += seen.regionEvents
      visits += seen.visits
      overflows += seen.overflows
      starts += seen.starts
    }
    #expect(
      kills > 12 && batches > 50 && pauses > 8 && acquisitions > 20, "\((kills, batches, pauses, acquisitions))")
    #expect(regions > 50 && visits > 5 && overflows > 3 && starts > 5, "\((regions, visits, overflows, starts))")
  }

  @Test("The same events give the same actions")
  func determinism() {
    var (first, second) = (World.durable(seed: 7), World.durable(seed: 7))
    first.run(steps: 600)
    second.run(steps: 600)
    #expect(first.observed == second.observed)
    #expect(first.observed.count > 500)
  }
}
