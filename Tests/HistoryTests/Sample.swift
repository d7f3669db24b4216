import EventLoop
import Positioning

@testable import History

/// Fixes as a receiver reports them, from a seed: a way with noise, one a second.
enum Sample {
  static let start = Timestamp(milliseconds: 1_780_000_000_000)

  static func fixes(
    _ count: Int, seed: UInt64, from start: Timestamp = Sample.start, every interval: Duration = .seconds(1)
  ) -> [HistoryFix] {
    var random = SeededRandom(seed: seed)
    var (latitude, longitude, course) = (48.1, 11.5, 90.0)
    return (0..<count).compactMap { number in
      func noise(_ size: Double) -> Double { Double.random(in: -size...size, using: &random) }
      course = (course + noise(5)).wrappedCourse
      latitude += 1e-4 / 11 * (course.radians).cosine
      longitude += 1.5e-4 / 11 * (course.radians).sine
      var fix = Fix(
        latitude: latitude + noise(1e-5), longitude: longitude + noise(1e-5), horizontalAccuracy: 4 + noise(1),
        altitude: 545 + noise(3), ellipsoidalAltitude: 592 + noise(0.01), verticalAccuracy: 7 + noise(1),
        speed: 1.4 + noise(0.5), course: course, arrival: .boot, satellitesUsed: 9 + Int(noise(2)),
        accuracySource: .standardDeviations)
      fix.integrity = .trusted
      let time = start + interval * number + .milliseconds(Int(noise(30)))
      return HistoryFix(fix, at: time, beginsSegment: number == 0)
    }
  }
}

extension Double {
  fileprivate var cosine: Double { Coordinate(latitude: 0, longitude: self.degrees).normal.x }
  fileprivate var sine: Double { Coordinate(latitude: 0, longitude: self.degrees).normal.y }
}
