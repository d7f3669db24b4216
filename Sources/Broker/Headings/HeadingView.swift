import Positioning
import ReceiverPorts

/// The newest heading, from the best that the receiver's side tells: a sensor, else the course of the moving device.
///
/// Each has its own staleness. A sensor holds at rest, so its word counts before the course; the course stands in when
/// the sensor has fallen silent. Whether there can be a heading at all is judged for each session with the receiver.
struct HeadingView: Hashable, Sendable {
  /// What a sensor, and what a course is worth; three of the device's cycles where that is more.
  static let sensorLifetime: Duration = .seconds(3)
  static let courseLifetime: Duration = .seconds(5)
  /// A receiver whose fixes of a moving device have had no course for so long tells none.
  static let patience: Duration = .seconds(30)

  private struct Reading: Hashable {
    let heading: Heading
    let device: String?
    /// Whether it is from the receiver whose fixes are believed.
    let isBelieved: Bool
    let expiry: Instant
  }

  private var settings: HeadingSettings
  private var declination: Declination
  private var sensor: Reading?
  private var course: Reading?
  /// Whether this session with the receiver has brought a sensor's report or a course.
  private var hasSource = false
  /// The fixes of a device that does not rest, none of which had a course: the first and the newest of them in a row.
  private var courseless: (first: Instant, newest: Instant)? {
    get { self.courselessFirst.flatMap { first in self.courselessNewest.map { (first, $0) } } }
    set { (self.courselessFirst, self.courselessNewest) = (newValue?.first, newValue?.newest) }
  }
  private var courselessFirst: Instant?
  private var courselessNewest: Instant?
  /// Whether there can be no heading in this session with the receiver.
  private(set) var isUnavailable = false

  init(settings: HeadingSettings, declination: Declination = Declination()) {
    self.settings = settings
    self.declination = declination
  }

  /// The administrator changed something; holds from the next report on.
  mutating func change(_ settings: HeadingSettings) { self.settings = settings }

  // MARK: What the receiver's side tells

  /// A sensor's report. A compass may be a device of its own beside the receiver: one is heard at a time, the
  /// receiver's own before any other.
  ///
  /// - Parameters:
  ///   - isBelieved: whether the fixes of that device are believed.
  ///   - cycle: the time between two reports of the device.
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

  /// A position of the receiver that is believed: it may tell the declination there.
  mutating func received(_ report: PositionReport) {
    let report = report.sound
    guard let degrees = report.declination, let latitude = report.latitude, let longitude = report.longitude,
      (-90...90).contains(latitude), (-180...180).contains(longitude)
    else { return }
    self.declination.reported(
      degrees, at: Coordinate(latitude: latitude, longitude: longitude), now: report.arrival)
  }

  /// A fix, or a better one of the same epoch.
  mutating func fixed(_ fix: Fix, cycle: Duration) {
    self.declination.moved(to: fix)
    let isResting = fix.speed.map { $0 < self.settings.courseMinSpeed } ?? false
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

  /// The session with the receiver ended; the next one may be with another receiver.
  mutating func sessionEnded() {
    self.hasSource = false
    self.courseless = nil
    self.isUnavailable = false
  }

  // MARK: What follows

  /// Where the device points; `nil` where nothing young enough says so.
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

  /// When `heading` becomes another one, or none, if nothing is told until then.
  func nextExpiry(now: Instant) -> Instant? { self.reading(now: now)?.expiry }

  /// Whether magnetic north was taken from a model whose time is over.
  var usesExpiredModel: Bool { self.declination.isModelExpired }

  private func reading(now: Instant) -> Reading? {
    if let sensor = self.sensor, now < sensor.expiry { return sensor }
    guard let course = self.course, now < course.expiry else { return nil }
    // Headings never go back in arrival.
    if let sensor = self.sensor, course.heading.arrival < sensor.heading.arrival { return nil }
    return course
  }

  // MARK: From reports to headings

  /// Either way of the compass; the declination leads from one to the other.
  private mutating func heading(of report: AttitudeReport) -> Heading? {
    let told = report.heading.flatMap(Self.direction)
    var magnetic = report.magneticHeading.flatMap(Self.direction)
    var heading = Heading(source: .sensor, arrival: report.arrival)
    if let told, !report.isMagnetic {
      heading.trueHeading = told
      heading.magneticHeading = self.magnetic(told, now: report.arrival) ?? magnetic
      return heading
    }
    magnetic = told ?? magnetic
    guard let magnetic else { return nil }
    heading.magneticHeading = magnetic
    heading.trueHeading = self.declination.degrees(now: report.arrival).map { (magnetic + $0).wrappedCourse }
    return heading
  }

  private mutating func magnetic(_ direction: Double, now: Instant) -> Double? {
    self.declination.degrees(now: now).map { (direction - $0).wrappedCourse }
  }

  /// Receivers leave the course out at rest; one that leaves it out on the way has none to tell.
  private mutating func missedCourse(_ fix: Fix, isResting: Bool, cycle: Duration) {
    guard !self.hasSource, !isResting else { return self.courseless = nil }
    let gap = Self.courseLifetime(cycle)
    let first = self.courseless.flatMap { fix.arrival - $0.newest <= gap ? $0.first : nil } ?? fix.arrival
    self.courseless = (first, fix.arrival)
    if fix.arrival - first >= Self.patience { self.isUnavailable = true }
  }

  private static func courseLifetime(_ cycle: Duration) -> Duration { max(self.courseLifetime, cycle * 3) }

  /// A direction in 0..<360; `nil` where the number is none: one compass was seen to tell 14223.
  private static func direction(_ degrees: Double) -> Double? {
    (0...360).contains(degrees) ? degrees.wrappedCourse : nil
  }
}
