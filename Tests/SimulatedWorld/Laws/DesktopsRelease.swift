import Positioning

/// A program on the message bus that has stopped, removed its client or left needs the receiver no longer.
struct DesktopsRelease: Law {
  static let promise = Promise(
    "docs/geoclue.md",
    "It needs the receiver from `Start` to `Stop`, or until it leaves the bus; then the receiver is released as after any other client."
  )
  /// The linger, a start that must be finished, and a bus that is late.
  private static let bound: Duration = .seconds(100)

  private(set) var breaches: [Breach] = []
  private var isWatched = false
  private var idleSince: Duration?
  private var isReported = false

  mutating func observe(_ observation: Observation, in world: World) {
    switch observation {
    case .hardware(let isWatched, _): self.isWatched = isWatched
    case .desktop, .tick, .connected, .disconnected, .entered, .left: break
    case _: return
    }
    guard !world.desktopPrograms.isEmpty, self.isWatched, Self.isIdle(world) else {
      (self.idleSince, self.isReported) = (nil, false)
      return
    }
    let since = self.idleSince ?? world.awake
    self.idleSince = since
    guard world.awake - since > Self.bound, !self.isReported else { return }
    self.isReported = true
    self.breaches.append(
      self.breach("no program on the bus needs the receiver since \(world.awake - since), and it is watched", in: world)
    )
  }

  /// Whether nobody else needs the receiver either.
  private static func isIdle(_ world: World) -> Bool {
    !world.hasCompanions && world.doorPrograms.allSatisfy { !$0.isConnected }
      && world.programs.allSatisfy {
        $0.durableName == nil && (!$0.isConnected || $0.plan.kind == .watchesStatus)
      }
  }
}
