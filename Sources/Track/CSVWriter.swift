import Positioning
import Printable

/// Writes a track as CSV (RFC 4180) for spreadsheets: a line for each fix, with the units in the header. Unknown values are
/// empty.
enum CSVWriter {
  private static let columns: [(name: String, value: @Sendable (TrackPoint) -> String?)] = [
    ("latitude_deg", { $0.place.latitude.fixed(8) }), ("longitude_deg", { $0.place.longitude.fixed(8) }),
    ("accuracy_m", { $0.horizontalAccuracy?.fixed(2) }), ("altitude_m", { $0.altitude?.fixed(2) }),
    ("ellipsoid_m", { $0.ellipsoidalAltitude?.fixed(2) }), ("vertical_m", { $0.verticalAccuracy?.fixed(2) }),
    ("speed_mps", { $0.speed?.fixed(2) }), ("course_deg", { $0.course?.fixed(1) }),
    ("satellites", { $0.satellitesUsed.map { "\($0)" } }),
    ("hdop", { $0.hdop?.fixed(2) }), ("mode", { $0.mode.rawValue }),
  ]

  /// The first line.
  static let header = (["time"] + Self.columns.map(\.name) + ["segment"]).joined(separator: ",") + "\r\n"

  static func write(_ track: RecordedTrack, to output: inout some TextOutputStream) {
    output.write(self.header)
    for (number, segment) in track.segments.enumerated() {
      for (point, time) in zip(segment.points, segment.times) {
        output.write(self.line(point, time, segment: number + 1))
      }
    }
  }

  /// - Parameter segment: From 1 on; a new one begins where fixes are missing.
  static func line(_ point: TrackPoint, _ time: Timestamp, segment: Int) -> String {
    (["\(time)"] + Self.columns.map { $0.value(point) ?? "" } + ["\(segment)"]).joined(separator: ",") + "\r\n"
  }
}
