import Glibc
import Positioning

@testable import Broker

/// The results of a visit detector for the fixes along a path that a test describes in metres and seconds.
struct VisitJourney {
  private(set) var detector: VisitDetector
  /// The events, with their times.
  private(set) var events: [(seconds: Double, event: VisitEvent)] = []
  /// Seconds after boot.
  private(set) var now = 0.0
  /// The device's place, in metres north and east of the origin.
  private(set) var north = 0.0
  private(set) var east = 0.0
  let origin: Coordinate
  /// Seconds between two fixes.
  var interval = 1.0
  /// The 68 % radius in the fixes, in metres.
  var accuracy: Double? = 5
  /// The speed in the fixes, metres per second.
  var speed: Double?
  /// The error of a fix in metres north and east, by the time.
  var error: ((Double) -> (north: Double, east: Double))?

  init(
    from origin: Coordinate = Coordinate(latitude: 48.137, longitude: 11.575), detector: VisitDetector = VisitDetector()
  ) {
    self.origin = origin
    self.detector = detector
  }

  var arrivals: [(seconds: Double, visit: Visit)] {
    self.events.compactMap { if case .arrived(let visit) = $0.event { ($0.seconds, visit) } else { nil } }
  }

  var departures: [(seconds: Double, visit: Visit)] {
    self.events.compactMap { if case .departed(let visit) = $0.event { ($0.seconds, visit) } else { nil } }
  }

  /// Rests for this time, with a fix at its beginning.
  mutating func rest(_ seconds: Double) { self.move(seconds, north: 0, east: 0) }

  /// Moves at constant speeds in metres per second.
  mutating func move(_ seconds: Double, north: Double, east: Double = 0) {
    let (start, startNorth, startEast) = (self.now, self.north, self.east)
    var moment = start
    while moment < start + seconds {
      self.now = moment
      self.north = startNorth + north * (moment - start)
      self.east = startEast + east * (moment - start)
      self.report()
      moment += self.interval
    }
    self.now = start + seconds
    self.north = startNorth + north * seconds
    self.east = startEast + east * seconds
  }

  /// Time passes without any fix.
  mutating func silence(_ seconds: Double, north: Double = 0) {
    self.now += seconds
    self.north += north
  }

  /// When the next probe is due.
  private var nextProbe = 0.0

  /// Probes when the detector requests it, for this time; each probe is one fix.
  ///
  /// - Parameter reported: The speed in the fixes.
  mutating func drive(_ seconds: Double, speed: Double = 0, reported: Double? = nil) -> Int {
    let end = self.now + seconds
    var probes = 0
    self.speed = reported
    while true {
      let pause = max(self.nextProbe - self.now, 0)
      guard self.now + pause < end else { break }
      self.silence(pause, north: speed * pause)
      self.report()
      probes += 1
      self.nextProbe = self.now + self.detector.nextProbe(now: at(self.now)).seconds
    }
    let rest = end - self.now
    self.silence(rest, north: speed * rest)
    return probes
  }

  /// One fix this far beside the device's place, now or a little earlier.
  mutating func report(besideNorth: Double = 0, east: Double = 0, accuracy: Double? = nil, earlier: Double = 0) {
    let error = self.error?(self.now) ?? (north: 0, east: 0)
    let fix = self.fix(
      north: self.north + besideNorth + error.north, east: self.east + east + error.east,
      accuracy: accuracy ?? self.accuracy, seconds: self.now - earlier)
    self.events += self.detector.fixed(fix).map { (self.now, $0) }
  }

  /// One fix without an accuracy.
  mutating func reportWithoutAccuracy(besideNorth: Double) {
    let fix = self.fix(north: self.north + besideNorth, east: self.east, accuracy: nil, seconds: self.now)
    self.events += self.detector.fixed(fix).map { (self.now, $0) }
  }

  /// The daemon ends and starts again: only the snapshot is left.
  mutating func restart() { self.detector = VisitDetector(restoring: self.detector.snapshot) }

  /// The machine boots: its clock begins again, and the snapshot is converted to it.
  mutating func boot() {
    self.detector = VisitDetector(restoring: self.detector.snapshot.shifted(by: .seconds(-self.now)))
    self.now = 0
  }

  func place(north: Double, east: Double = 0) -> Coordinate {
    let latitude = self.origin.latitude + north / 111_200
    let longitude = self.origin.longitude + east / (111_320 * cos(self.origin.latitude * .pi / 180))
    return Coordinate(
      latitude: latitude, longitude: longitude > 180 ? longitude - 360 : longitude < -180 ? longitude + 360 : longitude)
  }

  private func fix(north: Double, east: Double, accuracy: Double?, seconds: Double) -> Fix {
    let place = self.place(north: north, east: east)
    return Fix(
      latitude: place.latitude, longitude: place.longitude, horizontalAccuracy: accuracy, speed: self.speed,
      arrival: at(seconds))
  }
}
