import Positioning
import Testing

@Suite struct AccuracyLevelTests {
  @Test(
    "The finest level that both bounds allow is achieved, falling through to coarser ones",
    arguments: [
      (5, 5, .room), (5, 5.01, .house), (15, 15, .house), (15.01, 0, .block), (100, 60, .block),
      (100, 60.1, .neighborhood), (1000, 300, .neighborhood), (5000, 600, .city), (3, 8, .house), (0.01, 0, .room),
    ] as [(Double, Double, AccuracyLevel)])
  func achieved(accuracy: Double, age: Double, level: AccuracyLevel) {
    #expect(AccuracyLevel.achieved(accuracy: accuracy, age: .seconds(age)) == level)
  }

  @Test(
    "A fix that is too inaccurate, too old, or without accuracy reaches no level",
    arguments: [
      (5000.1, 0), (3, 700), (5000, 600.1), (-1, 0), (0, 0), (nil, 0), (.nan, 0), (.infinity, 0),
    ] as [(Double?, Double)])
  func none(accuracy: Double?, age: Double) {
    #expect(AccuracyLevel.achieved(accuracy: accuracy, age: .seconds(age)) == nil)
  }

  @Test("A finer level's bounds are both within a coarser one's, so the levels have no gap")
  func nested() {
    for (coarse, fine) in zip(AccuracyLevel.allCases, AccuracyLevel.allCases.dropFirst()) {
      #expect(coarse < fine)
      #expect(fine.meters < coarse.meters)
      #expect(fine.maximumAge < coarse.maximumAge)
    }
  }

  @Test("The levels' bounds are the documented ones")
  func bounds() {
    let bounds = AccuracyLevel.allCases.map { [$0.meters, $0.maximumAge.seconds] }
    #expect(bounds == [[5000, 600], [1000, 300], [100, 60], [15, 15], [5, 5]])
  }
}

@Suite struct AccuracyDemandTests {
  @Test(
    "A demand in metres takes its age from the finest level whose bound is not smaller",
    arguments: [
      (0.5, .room), (5, .room), (5.1, .house), (15, .house), (16, .block), (100, .block), (100.5, .neighborhood),
      (1000, .neighborhood), (4000, .city), (5000, .city), (5001, .city), (1e7, .city),
    ] as [(Double, AccuracyLevel)])
  func age(meters: Double, level: AccuracyLevel) {
    let demand = AccuracyDemand.meters(meters)
    #expect(demand.level == level)
    #expect(demand.maximumAge == level.maximumAge)
    #expect(demand.meters == meters)
  }

  @Test("A level's demand has the level's own bounds", arguments: AccuracyLevel.allCases)
  func level(level: AccuracyLevel) {
    #expect(AccuracyDemand.level(level).meters == level.meters)
    #expect(AccuracyDemand.level(level).maximumAge == level.maximumAge)
  }
}
