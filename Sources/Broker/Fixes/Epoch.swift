import Positioning
import ReceiverPorts

/// Everything that one receiver reported about one moment, in any number of reports.
struct Epoch: Hashable, Sendable {
  /// Rises with every epoch of the filter, for all receivers together.
  let number: Int
  /// The receiver's time, from the first report with a time.
  private(set) var time: Timestamp?
  let firstArrival: Instant
  private(set) var lastArrival: Instant
  /// The merged fields of all reports with a position; `nil` if none had one.
  private(set) var report: PositionReport?
  var estimate: ErrorEstimateReport?

  init(number: Int, first: PositionReport) {
    self.number = number
    self.time = first.time
    self.firstArrival = first.arrival
    self.lastArrival = first.arrival
  }

  /// Merges a report: a later value replaces an earlier one, an absent one changes nothing.
  mutating func add(_ report: PositionReport) {
    self.lastArrival = report.arrival
    self.time = self.time ?? report.time
    guard var merged = self.report else {
      self.report = report
      return
    }
    if report.mode.rawValue > merged.mode.rawValue { merged.mode = report.mode }
    if report.status > 1 { merged.status = report.status }
    merged.time = merged.time ?? report.time
    merged.latitude = report.latitude ?? merged.latitude
    merged.longitude = report.longitude ?? merged.longitude
    merged.altitude = report.altitude ?? merged.altitude
    merged.ellipsoidalAltitude = report.ellipsoidalAltitude ?? merged.ellipsoidalAltitude
    merged.speed = report.speed ?? merged.speed
    merged.track = report.track ?? merged.track
    merged.eph = report.eph ?? merged.eph
    merged.epx = report.epx ?? merged.epx
    merged.epy = report.epy ?? merged.epy
    merged.epv = report.epv ?? merged.epv
    merged.eps = report.eps ?? merged.eps
    merged.epd = report.epd ?? merged.epd
    merged.declination = report.declination ?? merged.declination
    self.report = merged
  }

  /// Sets the time, if the first report had none.
  mutating func noteTime(of report: PositionReport) { self.time = self.time ?? report.time }

  /// The fix of the epoch so far. `arrival` is that of the first report with a position: a later report makes the fix
  /// better, not younger. Its errors are computed separately, with what is known of the receiver.
  var fix: Fix? {
    guard let report = self.report, let latitude = report.latitude, let longitude = report.longitude else { return nil }
    return Fix(
      latitude: latitude, longitude: longitude, altitude: report.altitude,
      ellipsoidalAltitude: report.ellipsoidalAltitude, speed: report.speed, course: report.track, time: self.time,
      arrival: report.arrival, mode: report.mode == .threeDimensional ? .threeDimensional : .twoDimensional,
      status: Fix.Status(gpsd: report.status), device: report.device)
  }
}
