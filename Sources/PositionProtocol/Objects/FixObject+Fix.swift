public import Positioning

extension FixObject {
  /// The fix as it is told at `now`.
  public init(_ fix: Fix, now: Instant) {
    self.init(
      latitude: fix.latitude.toCoordinate, longitude: fix.longitude.toCoordinate,
      horizontalAccuracy: fix.horizontalAccuracy?.toThousandths,
      horizontalAccuracy95: fix.horizontalAccuracy95?.toThousandths, altitude: fix.altitude?.toThousandths,
      ellipsoidalAltitude: fix.ellipsoidalAltitude?.toThousandths,
      verticalAccuracy: fix.verticalAccuracy?.toThousandths, speed: fix.speed?.toThousandths,
      speedAccuracy: fix.speedAccuracy?.toThousandths, course: fix.course?.toThousandths,
      courseAccuracy: fix.courseAccuracy?.toThousandths, time: fix.time,
      arrival: max(0, fix.arrival.wireSeconds), age: max(.zero, fix.age(at: now)).wireSeconds, mode: fix.mode,
      status: fix.status, device: fix.device, satellitesUsed: fix.satellitesUsed, isReduced: fix.isReduced)
  }

  /// The fix, exact to what the wire rounds.
  public var fix: Fix {
    // What the wire rounds is no other law.
    let round = self.horizontalAccuracy.map { $0 / Fix.ratio68To95 }
    let isRound = abs((round ?? 0) - (self.horizontalAccuracy95 ?? 0)) < 0.002
    return Fix(
      latitude: self.latitude, longitude: self.longitude, horizontalAccuracy: self.horizontalAccuracy,
      altitude: self.altitude, ellipsoidalAltitude: self.ellipsoidalAltitude, verticalAccuracy: self.verticalAccuracy,
      speed: self.speed, speedAccuracy: self.speedAccuracy, course: self.course, courseAccuracy: self.courseAccuracy,
      time: self.time, arrival: Instant(sinceBoot: .bounded(seconds: self.arrival)), mode: self.mode,
      status: self.status, device: self.device, satellitesUsed: self.satellitesUsed, isReduced: self.isReduced,
      horizontalAccuracy95: isRound ? nil : self.horizontalAccuracy95)
  }
}
