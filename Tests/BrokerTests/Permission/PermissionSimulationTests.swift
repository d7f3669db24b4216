import TestSupport
import Testing

@testable import Broker

@Suite struct PermissionSimulationTests {
  @Test(
    "Whatever rules, persons and clients do, nobody is told more than it may know, and all are answered"
  )
  func simulation() {
    var told = MachineInvariants.Counts()
    for seed in TestLength.seeds(60) {
      var world = World.permission(seed: seed)
      world.run(steps: 300)
      world.withdraw()
      let counts = world.invariant(MachineInvariants.self).counts
      told.precise += counts.precise
      told.reduced += counts.reduced
      told.changes += counts.changes
      told.prompts += counts.prompts
      world.finish()
      world.expectSound(seed)
    }
    // That it happens at all.
    #expect(told.precise > 500 && told.reduced > 50 && told.changes > 500 && told.prompts > 25, "\(told)")
  }

  @Test("What holds for each of them holds with everybody in one world", arguments: TestLength.seeds(24))
  func everybody(seed: UInt64) {
    var world = World.everybody(seed: seed)
    world.run(steps: 300)
    world.withdraw()
    world.finish()
    world.expectSound(seed)
    #expect(world.invariant(MachineInvariants.self).counts.answers > 100, "seed \(seed)")
  }
}
