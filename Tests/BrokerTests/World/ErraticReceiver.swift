import Positioning
import ReceiverPorts

@testable import Broker

/// A receiver with all known faults: it repeats itself, goes back in time, jumps across the globe, omits members, loses
/// its fix for a moment, and reports meaningless estimates.
struct ErraticReceiver {
  let device: String
  /// The error of its clock in seconds, from the start.
  let clockOffset: Double
  /// Its greatest speed in either direction, metres per second.
  var pace = 20.0
  private var random: SeededRandom
  private var place = Coordinate(latitude: 50, longitude: 8)
  private var clock = 0.0
  private var last: PositionReport?
  /// Whether it has a course, and a compass.
  private let reportsHeading: Bool

  init(device: String, clockOffset: Double, reportsHeading: Bool, seed: UInt64) {
    self.device = device
    self.clockOffset = clockOffset
    self.reportsHeading = reportsHeading
    self.random = SeededRandom(seed: seed)
  }

  /// Its next report, `elapsed` after the last one.
  mutating func next(now: Instant, elapsed: Duration) -> ReceiverEvent {
    self.move(elapsed)
    var report = self.report(now)
    switch Int.random(in: 0..<28, using: &self.random) {
    case 0:
      // The same epoch again, perhaps with missing members.
      report = self.last ?? report
      report.arrival = now
      if self.random.oneIn(2) { report.eph = Double.random(in: 1...20, using: &self.random) }
    case 1: report.time = report.time.map { $0 + .seconds(-Double.random(in: 0...100, using: &self.random)) }
    case 2: report = PositionReport(device: self.device, mode: .unknown, time: report.time, arrival: now)
    case 3, 4: report = PositionReport(device: self.device, mode: .noFix, time: report.time, arrival: now)
    case 5: report.latitude = nil
    case 6:
      report.latitude = self.random.oneIn(2) ? .nan : 91
      report.speed = .infinity
    case 7: report.latitude = Double.random(in: -90...90, using: &self.random)
    case 8, 9:
      return .errorEstimate(
        ErrorEstimateReport(
          device: self.device, time: self.random.oneIn(3) ? nil : report.time,
          latitude: Double.random(in: 0...20, using: &self.random), longitude: 3, arrival: now))
    case 10: return .sky(self.sky(now))
    case 11, 12, 13: if self.reportsHeading { return .attitude(self.attitude(now)) }
    case 14: report.track = nil
    default: break
    }
    self.last = report
    return .position(report)
  }

  private mutating func move(_ elapsed: Duration) {
    let degrees = self.pace * min(elapsed.seconds, 3600) / 111_000
    self.place.latitude += Double.random(in: -degrees...degrees, using: &self.random)
    self.place.longitude += Double.random(in: -degrees...degrees, using: &self.random)
    self.clock += elapsed.seconds
    let weeks = 1024.0 * 7 * 86400
    switch Int.random(in: 0..<200, using: &self.random) {
    case 0: self.clock += weeks
    case 1: self.clock -= weeks
    case 2, 3, 4: self.clock -= elapsed.seconds
    default: break
    }
  }

  private mutating func report(_ now: Instant) -> PositionReport {
    let hasTime = !self.random.oneIn(10)
    let mode: PositionReport.Mode = self.random.oneIn(5) ? .twoDimensional : .threeDimensional
    var report = PositionReport(
      device: self.device, mode: mode, time: hasTime ? utc(self.clock + self.clockOffset) : nil, arrival: now)
    report.latitude = self.place.latitude
    report.longitude = self.place.longitude
    report.eph = [3, 4, 8, 14, 40, 200, 700, 1899.81, 0, -1, nil, nil].randomElement(using: &self.random) ?? nil
    report.speed = self.random.oneIn(2) ? Double.random(in: 0...30, using: &self.random) : nil
    report.epv = self.random.oneIn(3) ? nil : 12
    report.track = self.reportsHeading ? Double.random(in: 0...360, using: &self.random) : nil
    report.declination = self.random.oneIn(2) ? Double.random(in: -30...30, using: &self.random) : nil
    return report
  }

  private mutating func attitude(_ now: Instant) -> AttitudeReport {
    let directions: [Double?] = [0, 360, 14223, .nan, -1, nil, Double.random(in: 0...360, using: &self.random)]
    return AttitudeReport(
      device: self.device, heading: directions.randomElement(using: &self.random) ?? nil,
      isMagnetic: self.random.oneIn(3), magneticHeading: directions.randomElement(using: &self.random) ?? nil,
      arrival: now)
  }

  private mutating func sky(_ now: Instant) -> SkyReport {
    let satellites = (1...9).map { Sky.Satellite(constellation: .gps, svid: $0, isUsed: $0 < 6) }
    return SkyReport(
      device: self.device, satellites: self.random.oneIn(2) ? nil : satellites, hdop: 0.9, arrival: now)
  }
}
