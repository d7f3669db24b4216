import JSONRPC
import PositionProtocol
import Positioning
import TestSupport

/// Values that this target's tests share, in addition to a daemon's sample data.
extension Samples {
  /// When commands run: 0.4 s after the arrival of the sample's fix.
  static let moment = CodingMoment(sinceBoot: .milliseconds(1_000_400), since1970: .seconds(1_769_860_800))

  static let fixLine =
    "48.137154 N, 11.576124 E ±11 m (house), 3D, 9 satellites, 545 m, 1.2 m/s, course 271°, 0.4 s ago"

  static let sky = Sky(
    satellites: [
      .init(constellation: .gps, svid: 5, elevation: 45, azimuth: 120, snr: 38.4, isUsed: true),
      .init(constellation: .glonass, svid: 12, elevation: 10, azimuth: 300, snr: 21, isUsed: false),
      .init(constellation: .galileo, svid: 3, elevation: 80, azimuth: 10, snr: 45, isUsed: true),
      .init(constellation: .gps, svid: 31, isUsed: false),
    ], hdop: 0.9, vdop: 1.4, pdop: 1.7, arrival: Instant(sinceBoot: .milliseconds(999_900)))
}
