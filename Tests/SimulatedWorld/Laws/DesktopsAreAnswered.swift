import Positioning

/// A program that uses GeoClue's interface is answered when it starts.
struct DesktopsAreAnswered: Law {
  static let promise = Promise("docs/geoclue.md", "`Start` asks positiond whether the user may know.")
  /// Of a bus and a program that are late.
  private static let bound: Duration = .seconds(60)

  private(set) var breaches: [Breach] = []
  private var waiting: [String: Duration] = [:]

  mutating func observe(_ observation: Observation, in world: World) {
    switch observation {
    case .desktop(let program, .starts): self.waiting[program.plan.name] = world.elapsed
    case .desktop(let program, .started), .desktop(let program, .refused), .desktop(let program, .ends),
      .desktop(let program, .lost):
      self.waiting[program.plan.name] = nil
    case .tick: self.check(in: world)
    case _: break
    }
  }

  private mutating func check(in world: World) {
    for (name, since) in self.waiting.sorted(by: { $0.key < $1.key })
    where world.elapsed - since > Self.bound
      && !world.script.isDisturbed(from: since, to: world.elapsed, margin: .seconds(10), by: \.disturbsDesktop)
    {
      self.waiting[name] = nil
      self.breaches.append(self.breach("\(name) has called Start at \(since), and gets no answer", in: world))
    }
  }
}

extension Fault.Kind {
  /// Whether the bus, the bridge or the daemon is away meanwhile, or anything of it is slow.
  var disturbsDesktop: Bool {
    switch self {
    case .busDown, .desktopBridgeKilled, .busy: true
    case _: self.isAbsence
    }
  }
}
