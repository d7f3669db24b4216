import Positioning

/// After a short absence of gpsd the receiver is watched again soon, however long an earlier absence was.
struct ReconnectsSoon: Law {
  static let promise = Promise("docs/gpsd.md", "Once reports come, the next loss begins with half a second again.")
  /// How long the receiver must have reported before.
  private static let reported = 30
  private static let short: Duration = .seconds(10)
  /// The way to gpsd, and the opening of the receiver.
  private static let slack: Duration = .seconds(5)

  private(set) var breaches: [Breach] = []
  private var isWatched = false
  /// Whether the receiver had reported for long enough when gpsd ended.
  private var isExpected = false
  /// When gpsd was back, and how long it was gone.
  private var back: (at: Duration, absence: Duration)?

  mutating func observe(_ observation: Observation, in world: World) {
    switch observation {
    case .fault(let fault, let begins):
      guard fault.kind == .gpsdDown else { return }
      if begins {
        self.back = nil
        self.isExpected =
          (world.reported.newest(of: SimulatedGpsd.configuredDevice)?.row ?? 0) > Self.reported
          && (world.reported.lastReport.map { world.elapsed - $0.at < .seconds(3) } ?? false)
      } else if self.isExpected, fault.lasts <= Self.short, self.isNeeded(in: world) {
        self.back = (world.elapsed, fault.lasts)
      }
    case .hardware(let isWatched, _):
      self.isWatched = isWatched
      if isWatched { self.check(in: world) }
    case .tick: self.check(in: world)
    case _: break
    }
  }

  /// Whether somebody takes each fix all the time.
  private func isNeeded(in world: World) -> Bool {
    world.programs.contains {
      guard case .follows(let interval, _) = $0.plan.kind, interval < 5 else { return false }
      return $0.isConnected && $0.plan.from < world.elapsed - .seconds(60) && $0.plan.to > world.elapsed + .seconds(60)
    }
  }

  private mutating func check(in world: World) {
    guard let (at, absence) = self.back, self.isNeeded(in: world) else { return }
    let waited = world.elapsed - at
    if self.isWatched { self.back = nil }
    // Each pause is twice the one before, and a quarter of it is drawn.
    guard waited > absence * 2 + Self.slack else { return }
    self.back = nil
    guard !world.script.isDisturbed(from: at - .seconds(60), to: world.elapsed, by: { $0 != .gpsdDown }) else { return }
    self.breaches.append(
      self.breach("gpsd was gone for \(absence), and is watched \(waited) after its return", in: world))
  }
}
