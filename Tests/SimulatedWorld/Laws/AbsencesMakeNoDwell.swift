import Positioning

/// Time in which the daemon did not run makes no dwell.
struct AbsencesMakeNoDwell: Law {
  static let promise = Promise(
    "docs/protocol.md",
    """
    Time in which the daemon did not run, because the machine slept or it was restarted, counts only if the fix before \
    shows so that the device stayed inside; else the time begins anew.
    """)
  /// A pause that counts as none.
  private static let pause: Duration = .seconds(75)
  /// A device may have been so fast, metres per second.
  private static let speed = 70.0
  /// What the moments of fixes and of their arrivals differ by.
  private static let tolerance: Duration = .seconds(5)

  private(set) var breaches: [Breach] = []
  private var absences: [Range<Duration>] = []
  private var endedAt: Duration?
  /// When each program last attached to its durable name.
  private var attached: [String: Duration] = [:]

  mutating func observe(_ observation: Observation, in world: World) {
    switch observation {
    case .daemonEnded: self.endedAt = self.endedAt ?? world.elapsed
    case .daemonStarted:
      if let endedAt = self.endedAt.take() { self.absences.append(endedAt..<world.elapsed) }
    case .fault(let fault, begins: false):
      if fault.kind == .suspend || fault.kind == .stopped { self.absences.append(fault.at..<world.elapsed) }
    case .answered(let program, let request, _) where request.method == "durable.attach":
      self.attached[program.plan.name] = world.elapsed
    case .notified(_, "region.event", _):
      guard let report = RegionReport(observation), report.kind == "dwell", let dwellTime = report.region.dwellTime
      else {
        return
      }
      self.check(report, Duration.seconds(dwellTime), in: world)
    case _: break
    }
  }

  private mutating func check(_ report: RegionReport, _ dwellTime: Duration, in world: World) {
    // An event without a fix that waited, for its program or for the end of a sleep, has no moment.
    let lately = world.elapsed - Self.tolerance
    let waited =
      report.event["durable"] != nil
      && max(self.attached[report.program.plan.name] ?? .zero, self.absences.last?.upperBound ?? .zero) > lately
    guard let moment = report.moment(in: world) ?? (waited ? nil : world.elapsed) else { return }
    let seen = Self.pause + .seconds(report.region.radius / Self.speed)
    for absence in self.absences
    where absence.upperBound <= moment && absence.upperBound > moment - dwellTime + Self.tolerance
      && absence.upperBound - absence.lowerBound > seen
    {
      self.breaches.append(
        self.breach("\(report.key): dwell of \(dwellTime), and nobody looked from \(absence)", in: world))
    }
  }
}
