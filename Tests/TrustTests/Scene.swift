import Geodesy
import Positioning
import ReceiverPorts

import func Glibc.cos
import func Glibc.sin

@testable import Trust

/// One receiver that is judged, epoch by epoch, each a second after the last.
struct Scene {
  private(set) var judge = IntegrityJudge()
  private(set) var now = Instant(sinceBoot: .seconds(5000))
  /// The receiver's time at boot.
  var clock = Timestamp(seconds: 1_700_000_000)
  var place = Coordinate(latitude: 50, longitude: 8)
  var speed: Double? = 0
  var course: Double?
  /// gpsd's estimate in metres.
  var error = 4.0
  var device = "/dev/ttyACM0"
  /// The receiver's indicator.
  var jamming: Int?
  /// What it says of its reception with each epoch.
  var reception: Reception?
  /// The strengths of the satellites.
  var strengths: [Double]?

  var verdict: Verdict { self.judge.verdict(of: self.device) }

  /// The next epoch. Its place is what the caller has made of it.
  mutating func epoch(after seconds: Double = 1) {
    self.now = self.now + .seconds(seconds)
    self.report()
  }

  /// What the receiver reports now.
  mutating func report(device: String? = nil, at place: Coordinate? = nil) {
    var report = PositionReport(
      device: device ?? self.device, mode: .threeDimensional,
      time: Timestamp(seconds: self.clock.seconds + self.now.sinceBoot.seconds), arrival: self.now)
    let place = place ?? self.place
    (report.latitude, report.longitude) = (place.latitude, place.longitude)
    (report.speed, report.track, report.eph) = (self.speed, self.course, self.error)
    report.jamming = self.jamming
    self.judge.received(report, maximumSpeed: 500)
    if let reception { self.hear(reception, from: report.device) }
    guard let strengths else { return }
    let satellites = strengths.enumerated().map {
      Sky.Satellite(constellation: .gps, svid: $0.offset + 1, snr: $0.element, isUsed: true)
    }
    self.judge.received(SkyReport(device: self.device, satellites: satellites, arrival: self.now))
  }

  /// What a receiver says now.
  mutating func hear(_ reception: Reception, from device: String?) {
    self.judge.received(ReceptionReport(device: device, reception: reception, arrival: self.now))
  }

  /// Epochs of a device that moves as it reports.
  ///
  /// - Parameter change: What is wrong with each of them.
  mutating func run(_ seconds: Int, _ change: (inout Scene) -> Void = { _ in }) {
    for _ in 0..<seconds {
      let path = (self.speed ?? 0, self.course ?? 0)
      self.place = self.place.moved(metres: path.0, course: path.1)
      change(&self)
      self.epoch()
    }
  }

  /// Epochs until a verdict, and after how many it came.
  mutating func seconds(until integrity: Integrity, inFirst limit: Int, _ change: (inout Scene) -> Void) -> Int? {
    for second in 1...limit {
      self.run(1, change)
      if self.verdict.integrity == integrity { return second }
    }
    return nil
  }

  mutating func noFix() {
    self.now = self.now + .seconds(1)
    self.judge.received(
      PositionReport(
        device: self.device, mode: .noFix, time: Timestamp(seconds: self.clock.seconds + self.now.sinceBoot.seconds),
        arrival: self.now), maximumSpeed: 500)
  }

  /// The daemon releases the receiver, and needs it again.
  mutating func rest(seconds: Double) {
    self.judge.sessionEnded()
    self.now = self.now + .seconds(seconds)
  }
}

extension Coordinate {
  func moved(metres: Double, course: Double) -> Coordinate {
    let direction = course * .pi / 180
    return Geodesy.moved(self, east: metres * sin(direction), north: metres * cos(direction))
  }
}
