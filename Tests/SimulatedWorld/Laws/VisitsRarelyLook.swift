import Positioning

/// While the device rests, and only visits are watched, the receiver is on for some seconds now and then.
struct VisitsRarelyLook: Law {
  static let promise = Promise(
    "docs/protocol.md",
    "every 2.5 minutes while the device moves, every 10 minutes while it is at rest, and after 10 seconds if a fix suggests"
  )
  private static let hour: Duration = .seconds(3600)
  /// Of an hour: six looks, each with a start and the linger, and one that is doubted.
  private static let bound: Duration = .seconds(900)
  /// Until the visit has begun, looks are more frequent.
  private static let arriving: Duration = .seconds(1200)

  private(set) var breaches: [Breach] = []
  /// When the receiver was watched.
  private var times: [Range<Duration>] = []
  private var watchedSince: Duration?
  /// Since when nobody is there who wants anything else.
  private var aloneSince: Duration = .zero
  private var isReported = false

  mutating func observe(_ observation: Observation, in world: World) {
    switch observation {
    case .hardware(let isWatched, _):
      if isWatched { self.watchedSince = self.watchedSince ?? world.elapsed }
      if !isWatched, let since = self.watchedSince.take() { self.times.append(since..<world.elapsed) }
    case .tick: self.check(in: world)
    case .sent(let program, _): if !Self.isCheap(program.plan.kind) { self.aloneSince = world.elapsed }
    case .entered: self.aloneSince = world.elapsed
    case _: break
    }
  }

  private static func isCheap(_ kind: ProgramPlan.Kind) -> Bool {
    switch kind {
    case .visits, .watchesStatus, .overhears: true
    case _: false
    }
  }

  private mutating func check(in world: World) {
    let since = world.elapsed - Self.hour
    self.times.removeAll { $0.upperBound < since }
    if world.programs.contains(where: { $0.isConnected && !Self.isCheap($0.plan.kind) })
      || world.doorPrograms.contains(where: \.isConnected) || world.hasCompanions
    {
      self.aloneSince = world.elapsed
    }
    guard !self.isReported, self.aloneSince < since - Self.arriving, since > Self.arriving,
      world.script.track.greatestSpeed(from: since - Self.arriving, to: world.elapsed) == 0,
      !world.script.isDisturbed(from: since, to: world.elapsed, margin: Self.arriving),
      // What outlives its program needs the receiver too.
      world.programs.allSatisfy({ $0.durableName == nil || Self.isCheap($0.plan.kind) })
    else {
      return
    }
    let on = (self.times + (self.watchedSince.map { [$0..<world.elapsed] } ?? [])).reduce(Duration.zero) {
      $0 + ($1.upperBound - max($1.lowerBound, since))
    }
    guard on > Self.bound else { return }
    self.isReported = true
    self.breaches.append(self.breach("in an hour of rest, the receiver was on for \(on)", in: world))
  }
}
