import TestSupport
import Testing

@testable import Broker

@Suite struct PermissionSimulationTests {
  @Test(
    "Whatever rules, persons and clients do, nobody receives more than it may know, and all calls are answered"
  )
  func simulation() {
    var total = MachineInvariants.Counts()
    for seed in TestLength.seeds(60) {
      var world = World.permission(seed: seed)
      world.run(steps: 300)
      world.withdraw()
      let counts = world.invariant(MachineInvariants.self).counts
      total.precise += counts.precise
      total.reduced += counts.reduced
      total.changes += counts.changes
      total.prompts += counts.prompts
      world.finish()
      world.expectSound(seed)
    }
    // The cases must occur.
    #expect(total.precise > 500 && total.reduced > 50 && total.changes > 500 && total.prompts > 25, "\(total)")
  }

  @Test("The laws of each machine hold with all machines in one world", arguments: TestLength.seeds(24))
  func everybody(seed: UInt64) {
    var world = World.everybody(seed: seed)
    world.run(steps: 300)
    world.withdraw()
    world.finish()
    world.expectSound(seed)
    #expect(world.invariant(MachineInvariants.self).counts.answers > 100, "seed \(seed)")
  }
}
