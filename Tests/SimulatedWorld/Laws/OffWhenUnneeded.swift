import Positioning

/// When no program is there and nothing outlives one, the receiver is released after the linger.
struct OffWhenUnneeded: Law {
  static let promise = Promise("docs/power.md", "positiond has the receiver on while somebody needs it.")
  /// The linger, and a start that must be finished.
  private static let bound: Duration = .seconds(90)

  private(set) var breaches: [Breach] = []
  private var isWatched = false
  private var idleSince: Duration?
  private var isReported = false
  /// Durable names that exist, or may exist.
  private var names: Set<String> = []

  mutating func observe(_ observation: Observation, in world: World) {
    switch observation {
    case .sent(let program, let request):
      if let name = program.durableName, request.method != "durable.remove" { self.names.insert(name) }
    case .answered(let program, let request, let message):
      if request.method == "durable.remove", let name = program.durableName, message["error"] == nil {
        self.names.remove(name)
      }
    case .hardware(let isWatched, _): self.isWatched = isWatched
    case .tick, .connected, .disconnected, .entered, .left: break
    case .notified, .strange, .fault, .administered, .report, .sentence, .radio, .unit, .daemonStarted, .daemonEnded,
      .logged:
      return
    }
    let isIdle =
      self.names.isEmpty && world.programs.allSatisfy { !$0.isConnected || $0.plan.kind == .watchesStatus }
      && world.doorPrograms.allSatisfy { !$0.isConnected }
    guard isIdle, self.isWatched else {
      (self.idleSince, self.isReported) = (nil, false)
      return
    }
    let since = self.idleSince ?? world.awake
    self.idleSince = since
    guard world.awake - since > Self.bound, !self.isReported else { return }
    self.isReported = true
    self.breaches.append(
      self.breach("nobody needs the receiver since \(world.awake - since), and it is watched", in: world))
  }
}
