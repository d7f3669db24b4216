import Positioning
import Printable
import Track

/// The progress line while a track is recorded.
enum TrackLine {
  /// At most as long as the terminal is wide, so that it can be redrawn.
  static func text(_ recorder: TrackRecorder, availability: Availability, columns: Int) -> String {
    var parts: [String] = []
    if let first = recorder.segments.first?.first, let newest = recorder.newest {
      parts += [
        recorder.count.counted("fix", "fixes"), Distance.words(recorder.odometer.length),
        FixFormat.accuracy(newest.horizontalAccuracy, level: nil), TimeSpan.words(newest.arrival - first.arrival),
      ]
    }
    if availability != .available { parts.append(availability.text) }
    return String(parts.joined(separator: "; ").prefix(max(0, columns - 1)))
  }
}
