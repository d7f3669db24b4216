import Positioning
import ReceiverPorts

/// The newest heading from the best source: a sensor, or else the course of the moving device.
///
/// Each has its own staleness. A sensor works at rest, so it has precedence; the course is used when the sensor has
/// become silent. Whether headings are possible at all is decided for each session with the receiver.
struct HeadingView: Hashable, Sendable {
  /// The staleness of a sensor's heading and of a course; or three of the device's cycles, if that is longer.
  static let sensorLifetime: Duration = .seconds(3)
  static let courseLifetime: Duration = .seconds(5)
  /// If fixes of a moving device have had no course for so long, the receiver is taken for one that reports none.
  static let timeout: Duration = .seconds(30)

  private struct Reading: Hashable {
    let heading: Heading
    let device: String?
    /// Whether it comes from the chosen receiver.
    let isBelieved: Bool
    let expiry: Instant
  }

  private var settings: HeadingSettings
  private var declination: Declination
  private var sensor: Reading?
  private var course: Reading?
  /// Whether this session with the receiver has had a sensor's report or a course.
  private var hasSource = false
  /// The first and the newest of consecutive fixes of a moving device without a course.
  private var courseless: (first: Instant, newest: Instant)? {
    get { self.courselessFirst.flatMap { first in self.courselessNewest.map { (first, $0) } } }
    set { (self.courselessFirst, self.courselessNewest) = (newValue?.first, newValue?.newest) }
  }
  private var courselessFirst: Instant?
  private var courselessNewest: Instant?
  /// Whether no heading is possible in this session.
  private(set) var isUnavailable = false

  init(settings: HeadingSettings, declination: Declination = Declination()) {
    self.settings = settings
    self.declination = declination
  }

  /// New settings, for the next report on.
  mutating func change(_ settings: HeadingSettings) { self.settings = settings }

  // MARK: Reports

  /// A sensor's report. A compass may be a device of its own: one is used at a time, the receiver's own first.
  ///
  /// - Parameters:
  ///   - isBelieved: Whether it is the chosen receiver.
  ///   - cycle: The time between two reports of the device.
  mutating func received(_ report: AttitudeReport, isBelieved: Bool, cycle: Duration) {
    if let sensor = self.sensor, sensor.device != report.device, report.arrival < sensor.expiry {
      guard isBelieved, !sensor.isBelieved else { return }
    }
    self.hasSource = true
    self.isUnavailable = false
    guard let heading = self.heading(of: report) else { return }
    self.sensor = Reading(
      heading: heading, device: report.device, isBelieved: isBelieved,
      expiry: report.arrival + max(Self.sensorLifetime, cycle * 3))
  }

  /// A position of the chosen receiver, which may have the declination.
  mutating func received(_ report: PositionReport) {
    let report = report.sanitized
    guard let degrees = report.declination, let latitude = report.latitude, let longitude = report.longitude,
      (-90...90).contains(latitude), (-180...180).contains(longitude)
    else { return }
    self.declination.reported(
      degrees, at: Coordinate(latitude: latitude, longitude: longitude), now: report.arrival)
  }

  /// A fix, or a better one of the same epoch.
  mutating func fixed(_ fix: Fix, cycle: Duration) {
    self.declination.moved(to: fix)
    let isResting = fix.isSpeedExplained || fix.speed.map { $0 < self.settings.courseMinSpeed } ?? false
    guard let course = fix.course.flatMap(Self.direction) else {
      return self.missedCourse(fix, isResting: isResting, cycle: cycle)
    }
    self.hasSource = true
    self.isUnavailable = false
    self.courseless = nil
    guard !isResting, fix.speed != nil else { return }
    self.course = Reading(
      heading: Heading(
        trueHeading: course, magneticHeading: self.magnetic(course, now: fix.arrival), accuracy: fix.courseAccuracy,
        source: .course, time: fix.time, arrival: fix.arrival),
      device: fix.device, isBelieved: true, expiry: fix.arrival + Self.courseLifetime(cycle))
  }

  /// The session has ended; the next one may be with another receiver.
  mutating func sessionEnded() {
    self.hasSource = false
    self.courseless = nil
    self.isUnavailable = false
  }

  // MARK: Results

  /// The heading; `nil` if nothing recent reports one.
  func heading(now: Instant) -> Heading? { self.reading(now: now)?.heading }

  func state(now: Instant) -> HeadingState {
    if self.reading(now: now) != nil { return .valid }
    return self.isUnavailable ? .unavailable : .invalid
  }

  /// The newest heading, however old.
  func newest(now: Instant) -> Heading? {
    if let reading = self.reading(now: now) { return reading.heading }
    return [self.sensor?.heading, self.course?.heading].compactMap { $0 }.max { $0.arrival < $1.arrival }
  }

  /// When `heading` changes if nothing is reported until then.
  func nextExpiry(now: Instant) -> Instant? { self.reading(now: now)?.expiry }

  /// Whether magnetic north comes from an expired model.
  var usesExpiredModel: Bool { self.declination.isModelExpired }

  private func reading(now: Instant) -> Reading? {
    if let sensor = self.sensor, now < sensor.expiry { return sensor }
    guard let course = self.course, now < course.expiry else { return nil }
    // Headings never go back in arrival.
    if let sensor = self.sensor, course.heading.arrival < sensor.heading.arrival { return nil }
    return course
  }

  // MARK: Conversion

  /// The direction from either north; the declination converts one to the other.
  private mutating func heading(of report: AttitudeReport) -> Heading? {
    let reported = report.heading.flatMap(Self.direction)
    var magnetic = report.magneticHeading.flatMap(Self.direction)
    var heading = Heading(source: .sensor, arrival: report.arrival)
    if let reported, !report.isMagnetic {
      heading.trueHeading = reported
      heading.magneticHeading = self.magnetic(reported, now: report.arrival) ?? magnetic
      return heading
    }
    magnetic = reported ?? magnetic
    guard let magnetic else { return nil }
    heading.magneticHeading = magnetic
    heading.trueHeading = self.declination.degrees(now: report.arrival).map { (magnetic + $0).wrappedCourse }
    return heading
  }

  private mutating func magnetic(_ direction: Double, now: Instant) -> Double? {
    self.declination.degrees(now: now).map { (direction - $0).wrappedCourse }
  }

  /// Receivers omit the course at rest; one that omits it while the device moves reports none.
  private mutating func missedCourse(_ fix: Fix, isResting: Bool, cycle: Duration) {
    guard !self.hasSource, !isResting else { return self.courseless = nil }
    let gap = Self.courseLifetime(cycle)
    let first = self.courseless.flatMap { fix.arrival - $0.newest <= gap ? $0.first : nil } ?? fix.arrival
    self.courseless = (first, fix.arrival)
    if fix.arrival - first >= Self.timeout { self.isUnavailable = true }
  }

  private static func courseLifetime(_ cycle: Duration) -> Duration { max(self.courseLifetime, cycle * 3) }

  /// A direction in 0..<360; `nil` for an invalid number: one compass was seen to send 14223.
  private static func direction(_ degrees: Double) -> Double? {
    (0...360).contains(degrees) ? degrees.wrappedCourse : nil
  }
}
