import Positioning

/// A device at rest causes few starts and few lines of the log.
struct RestIsQuiet: Law {
  static let promise = Promise("docs/protocol.md", "every 10 minutes while it is at rest")
  private static let hour: Duration = .seconds(3600)
  /// Starts of the receiver in an hour for those who need it only now and then: visits' probes, those of regions, and of
  /// significant changes.
  private static let starts = 40
  private static let lines = 200

  private(set) var breaches: [Breach] = []
  private var startMoments: [Duration] = []
  private var lineMoments: [Duration] = []
  private var wasWatched = false
  private var isReported = false

  mutating func observe(_ observation: Observation, in world: World) {
    switch observation {
    case .hardware(let isWatched, _):
      if isWatched, !self.wasWatched { self.startMoments.append(world.elapsed) }
      self.wasWatched = isWatched
    case .logged: self.lineMoments.append(world.elapsed)
    case .tick: self.check(in: world)
    case _: break
    }
  }

  private mutating func check(in world: World) {
    let since = world.elapsed - Self.hour
    self.startMoments.removeAll { $0 < since }
    self.lineMoments.removeAll { $0 < since }
    guard !self.isReported, !world.hasCompanions, world.desktopPrograms.isEmpty,
      !world.script.isDisturbed(from: since, to: world.elapsed, margin: .seconds(600))
    else {
      return
    }
    let programs = world.programs.filter { $0.plan.from < world.elapsed && $0.plan.to > since }
    let asks = programs.count { if case .asks = $0.plan.kind { true } else { false } }
    // Near the edge of a region the receiver looks as often as the device could have reached it.
    let watches = programs.count { $0.plan.kind.watchesRegions }
    // A receiver that is off at once after each look is started more often while the device moves.
    let isAtRest = world.script.track.greatestSpeed(from: max(.zero, since), to: world.elapsed) == 0
    let beats = world.script.rung == .watch ? 0 : programs.reduce(0) { $0 + $1.plan.kind.startsForItsBeat }
    if watches == 0, self.startMoments.count > Self.starts + asks * 60 + beats,
      world.script.rung == .watch || isAtRest
    {
      self.isReported = true
      self.breaches.append(self.breach("\(self.startMoments.count) starts in an hour", in: world))
    }
    // Whoever takes a fix a minute is given the position and not given it any more each time, and the receiver rests
    // between. It is started often where a region's edge is near.
    let follows = programs.count { if case .follows = $0.plan.kind { true } else { false } }
    if self.lineMoments.count > Self.lines * (1 + asks + follows * 2 + watches) {
      self.isReported = true
      self.breaches.append(self.breach("\(self.lineMoments.count) lines of the log in an hour", in: world))
    }
  }
}

extension ProgramPlan.Kind {
  /// In an hour, if the receiver is off at once after each fix. "A fix that comes a little early, by at most a tenth of the
  /// interval or 30 s, counts"; with less than ten seconds the receiver is needed all the time.
  fileprivate var startsForItsBeat: Int {
    switch self {
    case .follows(let interval, _), .collects(let interval, _):
      interval < 10 ? 0 : Int((3600 / (interval - min(interval / 10, 30))).rounded(.up))
    case _: 0
    }
  }
}
