import Positioning
import ReceiverSimulator
import Testing

@testable import Receiver

/// The figures of docs/power.md: how long a simulated u-blox without a battery takes to its first fix after a power cut, from when
/// the power is back, over many seeds.
@Suite("Assisted starts") struct AssistedStartTests {
  private static let seeds = 1...300 as ClosedRange<UInt64>
  /// Enough to compare each start with the same one without assistance.
  private static let few = 1...60 as ClosedRange<UInt64>

  static func times(
    after off: Duration, isAssisted: Bool, predictedDays: Int = 0, cut: AssistRun.Cut = .device, moved: Double = 0,
    over seeds: ClosedRange<UInt64> = seeds
  ) -> [Double] {
    seeds.map { seed in
      var run = AssistRun.settled(isAssisted: isAssisted, seed: seed)
      if predictedDays > 0 { run.folder = [("mgaoffline.ubx", AssistRun.predictions(days: predictedDays))] }
      run.moved = moved
      run.cutPower(off, of: cut)
      return run.timeToFix()
    }.sorted()
  }

  static func share(_ times: [Double], below limit: Double) -> Double {
    Double(times.count { $0 < limit }) / Double(times.count)
  }

  static func words(_ times: [Double]) -> String {
    func at(_ share: Double) -> Double { (times[Int(Double(times.count - 1) * share)] * 10).rounded() / 10 }
    return "median \(at(0.5)), 95 % \(at(0.95)), longest \(at(1))"
  }

  @Test(arguments: [Duration.seconds(600), .seconds(7200)], [AssistRun.Cut.device, .receiver])
  func `within two hours, 95 % of starts take less than 5 s`(off: Duration, cut: AssistRun.Cut) {
    let times = Self.times(after: off, isAssisted: true, cut: cut)
    #expect(Self.share(times, below: 5) >= 0.95, "\(Self.words(times))")
  }

  @Test(arguments: [Duration.seconds(86_400), .seconds(5 * 86_400)])
  func `with predicted orbits, 95 % of starts take less than 15 s`(off: Duration) {
    let times = Self.times(after: off, isAssisted: true, predictedDays: 14)
    #expect(Self.share(times, below: 15) >= 0.95, "\(Self.words(times))")
  }

  @Test(arguments: [Duration.seconds(600), .seconds(7200), .seconds(86_400), .seconds(5 * 86_400)])
  func `no start takes longer than without`(off: Duration) {
    for days in [0, 14] {
      let (with, without) = (
        Self.times(after: off, isAssisted: true, predictedDays: days, over: Self.few),
        Self.times(after: off, isAssisted: false, over: Self.few)
      )
      for (with, without) in zip(with, without) { #expect(with <= without) }
    }
  }

  @Test(arguments: [(Duration.seconds(600), 15_000.0), (.seconds(7200), 200_000), (.seconds(86_400), 400_000)])
  func `one that was carried on at a car's speed is not misled`(off: Duration, moved: Double) {
    let with = Self.times(after: off, isAssisted: true, moved: moved, over: Self.few)
    let without = Self.times(after: off, isAssisted: false, moved: moved, over: Self.few)
    for (with, without) in zip(with, without) { #expect(with <= without) }
  }
}
