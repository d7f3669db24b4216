import TestSupport
import Testing

@testable import Broker

@Suite struct PermissionSimulationTests {
  @Test(
    "Whatever rules, persons and clients do, nobody is told more than it may know, and all are answered"
  )
  func simulation() {
    var told = (precise: 0, reduced: 0, changes: 0, prompts: 0)
    for seed in TestLength.seeds(60) {
      var world = PermissionWorld(seed: seed)
      world.run(steps: 300)
      #expect(world.violations.isEmpty, "seed \(seed): \(world.violations.prefix(3))")
      told.precise += world.told.precise
      told.reduced += world.told.reduced
      told.changes += world.told.changes
      told.prompts += world.told.prompts
    }
    // That it happens at all.
    #expect(told.precise > 500 && told.reduced > 50 && told.changes > 500 && told.prompts > 25, "\(told)")
  }
}
