import PositionProtocol
import Positioning

@testable import ControlCommands
@testable import Track

/// Fixes and tracks for tests.
enum TrackSamples {
  /// 2026-01-31T12:00:00Z.
  static let noon = Timestamp(seconds: 1_769_860_800)

  /// A fix so many seconds after noon, at an arrival 1000 s later.
  static func fix(
    _ seconds: Double, _ latitude: Double = 48.1, _ longitude: Double = 11.5, accuracy: Double? = nil,
    clockError: Double? = 0
  ) -> Fix {
    Fix(
      latitude: latitude, longitude: longitude, horizontalAccuracy: accuracy,
      time: clockError.map { Timestamp(seconds: min(self.noon.seconds + seconds + $0, 1e12)) },
      arrival: Instant(sinceBoot: .seconds(1000 + seconds)))
  }

  static func recorder(
    _ segments: [[Fix]], minInterval: Double = 1, minDistance: Double = 0
  ) -> TrackRecorder {
    var recorder = TrackRecorder(minInterval: minInterval, minDistance: minDistance)
    for segment in segments {
      recorder.lost()
      for fix in segment { recorder.fixed(fix) }
    }
    return recorder
  }

  /// `nil` if there is no fix. The machine's own clock is wrong by a day.
  static func track(_ segments: [[Fix]]) -> RecordedTrack? {
    RecordedTrack(self.recorder(segments), boot: self.noon.seconds - 1000 + 86_400)
  }

  static func written(_ track: RecordedTrack, _ format: TrackFormat) -> String {
    var text = ""
    format.write(track, to: &text)
    return text
  }
}
