import CGPS
import Positioning
import ReceiverPorts

/// Converts the shim's flat report to the broker's reports. Values that are not numbers or are out of range become
/// `nil` here.
enum ReportMapping {
  static func position(_ report: cgps_report, device: String?, arrival: Instant) -> PositionReport {
    var position = PositionReport(
      device: device, mode: PositionReport.Mode(rawValue: Int(report.mode)) ?? .unknown,
      status: max(0, Int(report.status)), time: Self.timestamp(report.time), arrival: arrival)
    position.latitude = Self.number(report.latitude, in: -90...90)
    position.longitude = Self.number(report.longitude, in: -180...180)
    position.altitude = Self.number(report.altitude_msl, in: Self.altitudes)
    position.ellipsoidalAltitude = Self.number(report.altitude_hae, in: Self.altitudes)
    position.speed = Self.number(report.speed, in: 0...20_000)
    position.track = Self.direction(report.track)
    position.eph = Self.estimate(report.eph)
    position.epx = Self.estimate(report.epx)
    position.epy = Self.estimate(report.epy)
    position.epv = Self.estimate(report.epv)
    position.eps = Self.estimate(report.eps)
    position.epd = Self.number(report.epd, in: 0...180)
    position.declination = Self.number(report.magnetic_variation, in: -180...180)
    position.jamming = report.jamming < 0 ? nil : Int(report.jamming)
    position.antenna = Self.antennas[Int(report.antenna)]
    return position
  }

  /// By gpsd's numbers, which are not u-blox's.
  private static let antennas: [Int: Reception.Antenna] = [1: .connected, 2: .open, 3: .short]

  static func errorEstimate(_ report: cgps_report, device: String?, arrival: Instant) -> ErrorEstimateReport {
    ErrorEstimateReport(
      device: device, time: Self.timestamp(report.time), latitude: Self.estimate(report.latitude_deviation),
      longitude: Self.estimate(report.longitude_deviation), altitude: Self.estimate(report.altitude_deviation),
      arrival: arrival)
  }

  static func attitude(_ report: cgps_report, device: String?, arrival: Instant) -> AttitudeReport {
    AttitudeReport(
      device: device, heading: Self.direction(report.heading), isMagnetic: report.is_magnetic,
      magneticHeading: Self.direction(report.magnetic_heading), arrival: arrival)
  }

  static func sky(
    _ report: cgps_report, satellites: [cgps_satellite]?, device: String?, arrival: Instant
  ) -> SkyReport {
    SkyReport(
      device: device, satellites: satellites.map { Sky.Satellite.merged($0.compactMap(Self.satellite)) },
      hdop: Self.number(report.hdop, in: 0...1000), vdop: Self.number(report.vdop, in: 0...1000),
      pdop: Self.number(report.pdop, in: 0...1000), arrival: arrival)
  }

  /// A device's cycle, in seconds. A cycle longer than a minute means that the device sleeps.
  static func cycle(_ seconds: Double) -> Duration? {
    Self.number(seconds, in: 0.001...60).map { .seconds($0) }
  }

  // From below the deepest mine to above every satellite that could carry a receiver, in metres.
  private static let altitudes: ClosedRange<Double> = -20_000...50_000_000

  private static func satellite(_ seen: cgps_satellite) -> Sky.Satellite? {
    guard let number = SatelliteNumber(gnssid: Int(seen.gnssid), svid: Int(seen.svid), prn: Int(seen.prn)) else {
      return nil
    }
    // A satellite without a signal has the value 0 or -1.
    let snr = Self.number(seen.snr, in: 0...254).flatMap { $0 > 0 ? $0 : nil }
    return Sky.Satellite(
      constellation: number.constellation, svid: number.svid, elevation: Self.number(seen.elevation, in: -90...90),
      azimuth: Self.direction(seen.azimuth), snr: snr, isUsed: seen.used)
  }

  private static func number(_ value: Double, in range: ClosedRange<Double>) -> Double? {
    range.contains(value) ? value : nil
  }

  private static func estimate(_ value: Double) -> Double? {
    Self.number(value, in: 0...1_000_000_000)
  }

  /// Degrees in 0..<360. Some receivers send raw units: a heading of 14223 was seen.
  private static func direction(_ value: Double) -> Double? {
    Self.number(value, in: 0...360).map { $0 == 360 ? 0 : $0 }
  }

  private static func timestamp(_ seconds: Double) -> Timestamp? {
    // Up to the year 9999. Receivers may be wrong by decades, which the broker handles.
    Self.number(seconds, in: 1...253_402_300_799).map { Timestamp(seconds: $0) }
  }
}
