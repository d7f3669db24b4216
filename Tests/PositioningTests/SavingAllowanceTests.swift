import Positioning
import Testing

@Suite struct SavingAllowanceTests {
  @Test(arguments: [
    (5, 1, Activity.other, SavingAllowance.none), (14, 600, .fitness, .none), (5000, 0.5, .other, .none),
    (5000, 1, .automotive, .none), (100, 4, .otherNavigation, .none), (1000, 1, .airborne, .none),
    (100, 5, .automotive, .coarse), (15, 1, .other, .balanced), (99, 4.9, .fitness, .balanced),
    (15, 5, .fitness, .fine), (99, 60, .other, .fine), (100, 1, .other, .coarse), (5000, 600, .fitness, .coarse),
  ])
  func `what a demand allows follows from its accuracy, its interval and its activity`(
    accuracy: Double, interval: Double, activity: Activity, expected: SavingAllowance
  ) {
    let demand = Demand(accuracy: accuracy, interval: .seconds(interval), activity: activity)
    #expect(SavingAllowance(demand) == expected)
  }
}
