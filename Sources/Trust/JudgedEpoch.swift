import Geodesy
import Positioning
import ReceiverPorts

/// What a receiver reported of one moment, as far as it is judged.
///
/// It is made of what the receiver sent, before anything doubtful is taken out of it: a wrong time is evidence too.
struct JudgedEpoch: Hashable, Sendable {
  /// Receivers without an estimate are assumed to have this error.
  static let assumedError = 30.0
  /// Larger ones, such as that of a receiver that does not know its error, would explain everything.
  static let largestError = 2000.0
  /// The error of the altitude that a receiver assumes for a fix in two dimensions moves the position as well.
  static let flatError = 1000.0

  let arrival: Instant
  private(set) var time: Timestamp?
  private(set) var place: Coordinate
  /// Metres per second; `nil`: not reported.
  private(set) var speed: Double?
  /// Degrees from true north; `nil`: not reported.
  private(set) var course: Double?
  private(set) var isFlat: Bool
  /// Whether it comes from satellites alone.
  private(set) var isFromSatellites: Bool
  /// gpsd's estimate in metres; `nil`: none. What it states depends on the receiver, and every use has room for that.
  private var estimate: Double?

  /// `nil` for a report without a position.
  init?(_ report: PositionReport) {
    guard report.hasPosition, let latitude = report.latitude, let longitude = report.longitude else { return nil }
    self.arrival = report.arrival
    self.time = report.time
    self.place = Coordinate(latitude: latitude, longitude: longitude)
    self.speed = report.speed
    self.course = report.track
    self.isFlat = report.mode != .threeDimensional
    self.isFromSatellites = Self.isFromSatellites(report)
    self.estimate = Self.estimate(of: report)
  }

  /// Whether a report is about the same moment.
  func includes(_ report: PositionReport) -> Bool {
    guard let time, let other = report.time else { return (report.arrival - self.arrival) < .milliseconds(300) }
    return time == other
  }

  mutating func merge(_ report: PositionReport) {
    guard report.hasPosition, let latitude = report.latitude, let longitude = report.longitude else { return }
    self.time = self.time ?? report.time
    self.place = Coordinate(latitude: latitude, longitude: longitude)
    self.speed = report.speed ?? self.speed
    self.course = report.track ?? self.course
    self.isFlat = self.isFlat && report.mode != .threeDimensional
    self.isFromSatellites = self.isFromSatellites && Self.isFromSatellites(report)
    self.estimate = Self.estimate(of: report) ?? self.estimate
  }

  /// Metres, as the receiver states it, and no less than its altitude lets it be.
  var error: Double {
    let stated = min(self.estimate ?? Self.assumedError, Self.largestError)
    return self.isFlat ? max(stated, Self.flatError) : stated
  }

  /// Seconds from an earlier epoch: by the receiver's clock or by this machine's, whichever saw more of them pass. A
  /// link that delivers epochs late and together shortens the one, and a receiver without times has only the other.
  func seconds(since earlier: JudgedEpoch) -> Double {
    let arrivals = (self.arrival - earlier.arrival).seconds
    guard let time, let before = earlier.time else { return max(arrivals, 0) }
    return max(arrivals, (time - before).seconds, 0)
  }

  func distance(from earlier: JudgedEpoch) -> Double { Geodesy.distance(from: earlier.place, to: self.place) }

  private static func isFromSatellites(_ report: PositionReport) -> Bool {
    switch Fix.Status(gpsd: report.status) {
    case .gnss, .dgnss, .rtkFixed, .rtkFloat: true
    case .deadReckoning, .combined, .surveyed, .simulated: false
    }
  }

  private static func estimate(of report: PositionReport) -> Double? {
    if let eph = report.eph, eph > 0 { return eph }
    guard let epx = report.epx, let epy = report.epy, epx > 0, epy > 0 else { return nil }
    return (epx * epx + epy * epy).squareRoot()
  }
}
