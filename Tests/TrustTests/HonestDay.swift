import Geodesy
import Positioning
import ReceiverPorts

import func Glibc.cos
import func Glibc.exp
import func Glibc.log
import func Glibc.sin

@testable import Trust

/// A simulated day of an honest receiver, a report each second: rest indoors and outdoors, walks, drives through a town
/// and on a motorway, tunnels, reflections, hands over the antenna, cold starts, hours without the receiver, a clock that
/// is corrected, links that stall.
struct HonestDay {
  private enum Phase: CaseIterable {
    case rest, indoors, walk, town, motorway, asleep
  }

  private var random: SeededRandom
  private(set) var judge = IntegrityJudge()
  /// Seconds since boot, by this machine's clock and as the receiver would count them.
  private var now = 5000.0
  private var receiverClock = 1_700_000_000.0
  private var place = Coordinate(latitude: 48.1, longitude: 11.5)
  private var speed = 0.0
  private var course = 0.0
  private var noise = (east: 0.0, north: 0.0)
  /// Metres by which reflections move the position, and towards which they move it.
  private var reflection = (east: 0.0, north: 0.0)
  private var reflectionGoal = (east: 0.0, north: 0.0)
  /// Seconds since the last start or tunnel, and metres by which the first position was wrong.
  private var sinceStart = 1000.0
  private var startError = 0.0
  private var strengths = (0..<12).map { 26 + Double($0) * 1.8 }
  private var dampening = Array(repeating: 0.0, count: 12)
  /// Seconds that the receiver's UTC is wrong until it has heard the leap seconds.
  private var leapError = 0.0
  private var leapErrorEnd = 0.0
  /// Seconds by which the link is behind.
  private var stall = 0.0

  /// The reasons that were ever given, the epochs with a fix, and those that were trusted.
  private(set) var reasons: Set<IntegrityReason> = []
  private(set) var fixes = 0
  private(set) var trusted = 0
  /// What happened when a reason was given first.
  private(set) var story = ""

  init(seed: UInt64) { self.random = SeededRandom(seed: seed) }

  mutating func live() {
    let end = self.now + 86_400
    self.start(isCold: true)
    while self.now < end {
      let phase = Phase.allCases[Int.random(in: 0..<Phase.allCases.count, using: &self.random)]
      self.live(phase)
    }
  }

  private mutating func live(_ phase: Phase) {
    switch phase {
    case .rest: self.stay(seconds: self.number(300...5400), noise: 2, error: 3)
    case .indoors:
      self.dampening = self.dampening.map { _ in self.number(3...15) }
      self.stay(seconds: self.number(300...5400), noise: 7, error: 12)
      self.dampening = self.dampening.map { _ in 0 }
    case .walk:
      for _ in 0..<Int(self.number(300...1800)) {
        (self.speed, self.course) = (1.4, self.course + self.normal() * 4)
        self.second(noise: 3, error: 5)
      }
    case .town:
      for _ in 0..<Int(self.number(20...80)) { self.street() }
    case .motorway:
      let turn = self.number(-0.3...0.3)
      for _ in 0..<Int(self.number(600...3600)) {
        self.speed = min(self.speed + 2, 33)
        self.course += turn
        self.second(noise: 1.5, error: 3)
      }
      if self.chance(0.7) { self.tunnel(seconds: Int(self.number(10...240))) }
      while self.speed > 0 {
        self.speed = max(0, self.speed - 3)
        self.second(noise: 1.5, error: 3)
      }
    case .asleep:
      let hours = self.number(0.1...6)
      self.judge.sessionEnded()
      self.pass(seconds: hours * 3600)
      if self.chance(0.3) {
        self.place = self.place.moved(metres: self.number(0...(hours * 100_000)), course: self.number(0...360))
      }
      self.start(isCold: hours > 4)
    }
  }

  private mutating func stay(seconds: Double, noise: Double, error: Double) {
    self.speed = 0
    for _ in 0..<Int(seconds) { self.second(noise: noise, error: error) }
  }

  /// One street and a turn at its end, with a stop, a tunnel or a hand over the antenna now and then.
  private mutating func street() {
    let limit = self.number(6...15)
    for _ in 0..<Int(self.number(5...40)) {
      self.speed = min(limit, self.speed + 2)
      self.second(noise: 3, error: 5)
    }
    if self.chance(0.05) { self.tunnel(seconds: Int(self.number(5...90))) }
    if self.chance(0.1) { self.dampening = self.dampening.map { _ in self.number(0...14) } }
    if self.chance(0.4) {
      while self.speed > 0 {
        self.speed = max(0, self.speed - 3)
        self.second(noise: 3, error: 5)
      }
      self.stay(seconds: self.number(2...60), noise: 3, error: 5)
    }
    let turn = [-90.0, 0, 90][Int.random(in: 0..<3, using: &self.random)]
    for _ in 0..<5 {
      self.course += turn / 5
      self.second(noise: 3, error: 5)
    }
    self.dampening = self.dampening.map { $0 * 0.5 }
  }

  /// No fix, and a first one that is wrong by some ten metres.
  private mutating func tunnel(seconds: Int) {
    self.dampening = self.dampening.map { _ in self.number(5...25) }
    self.second(noise: 4, error: 8)
    for _ in 0..<seconds { self.silentSecond() }
    self.dampening = self.dampening.map { _ in 0 }
    (self.sinceStart, self.startError) = (0, self.number(5...40))
  }

  private mutating func start(isCold: Bool) {
    for _ in 0..<Int(isCold ? self.number(25...60) : self.number(1...8)) { self.silentSecond() }
    (self.sinceStart, self.startError) = (0, isCold ? self.number(20...200) : self.number(3...30))
    self.leapError = isCold && self.chance(0.3) ? self.number(-18...3).rounded() : 0
    self.leapErrorEnd = self.now + self.number(10...750)
  }

  private mutating func pass(seconds: Double) {
    self.now += seconds
    // 30 millionths, and 500 while the system's clock is corrected.
    let drift = Int(self.now / 20_000) % 4 == 0 ? 0.0004 : 0.00003
    self.receiverClock += seconds * (1 + drift) - seconds
    self.place = self.place.moved(metres: self.speed * min(seconds, 1), course: self.course)
  }

  private mutating func silentSecond() {
    self.pass(seconds: 1)
    self.judge.received(
      PositionReport(device: "/dev/ttyACM0", mode: .noFix, arrival: Instant(sinceBoot: .seconds(self.now))),
      maximumSpeed: 500)
  }

  private mutating func second(noise: Double, error: Double) {
    self.pass(seconds: 1)
    self.sinceStart += 1
    if self.now > self.leapErrorEnd { self.leapError = 0 }
    self.stall = self.chance(0.0005) ? self.number(1...40) : max(0, self.stall - 0.5)
    let kept = exp(-1.0 / 40)
    let fresh = (1 - kept * kept).squareRoot() * noise
    self.noise = (self.noise.east * kept + self.normal() * fresh, self.noise.north * kept + self.normal() * fresh)
    if self.chance(error > 4 ? 0.01 : 0.001) {
      let reach = self.chance(0.5) ? 0.0 : self.number(0...(2.5 * error))
      let direction = self.number(0...(2 * .pi))
      self.reflectionGoal = (reach * sin(direction), reach * cos(direction))
    }
    self.reflection.east += (self.reflectionGoal.east - self.reflection.east) / 8
    self.reflection.north += (self.reflectionGoal.north - self.reflection.north) / 8
    let wrong = self.startError * exp(-self.sinceStart / 8)
    self.report(
      Geodesy.moved(
        self.place, east: self.noise.east + self.reflection.east + wrong,
        north: self.noise.north + self.reflection.north),
      error: error + wrong)
  }

  private mutating func report(_ place: Coordinate, error: Double) {
    let arrival = Instant(sinceBoot: .seconds(self.now + self.stall + self.number(0...0.2)))
    var report = PositionReport(
      device: "/dev/ttyACM0", mode: .threeDimensional,
      time: Timestamp(seconds: (self.receiverClock + self.now).rounded() + self.leapError), arrival: arrival)
    (report.latitude, report.longitude, report.eph) = (place.latitude, place.longitude, error)
    report.speed = max(0, self.speed + self.normal() * (error > 4 ? 0.3 : 0.1))
    report.track =
      self.speed > 0.5 ? (self.course + self.normal() * 3 + 3600).truncatingRemainder(dividingBy: 360) : nil
    self.judge.received(report, maximumSpeed: 500)
    let satellites = self.strengths.indices.map { index in
      let snr = self.strengths[index] + self.normal() * 1.2 - self.dampening[index]
      return Sky.Satellite(constellation: .gps, svid: index + 1, snr: snr > 8 ? snr.rounded() : nil, isUsed: snr > 15)
    }
    self.judge.received(SkyReport(device: "/dev/ttyACM0", satellites: satellites, arrival: arrival))
    self.note(error)
  }

  private mutating func note(_ error: Double) {
    let verdict = self.judge.verdict(of: "/dev/ttyACM0")
    self.fixes += 1
    self.trusted += verdict.integrity == .trusted ? 1 : 0
    if self.reasons.isEmpty, !verdict.reasons.isEmpty {
      self.story =
        "\(verdict) at \(self.now), \(self.speed) m/s, error \(error), \(self.sinceStart) s after the start, "
        + "leap error \(self.leapError), stall \(self.stall)"
    }
    self.reasons.formUnion(verdict.reasons.list)
  }

  // MARK: Chance

  private mutating func number(_ range: ClosedRange<Double>) -> Double { Double.random(in: range, using: &self.random) }

  private mutating func chance(_ share: Double) -> Bool { self.number(0...1) < share }

  /// By Box and Muller.
  private mutating func normal() -> Double {
    (-2 * log(self.number(1e-12...1))).squareRoot() * cos(2 * .pi * self.number(0...1))
  }
}
