import Positioning

/// When no program is there and nothing outlives one, the receiver is released after the linger.
struct OffWhenUnneeded: Law {
  static let promise = Promise("docs/power.md", "positiond has the receiver on while somebody needs it.")
  /// The linger, and a start that must be finished.
  private static let bound: Duration = .seconds(90)

  private(set) var breaches: [Breach] = []
  private var isWatched = false
  private var idleSince: Duration?
  /// Since when nobody needs the receiver.
  private var unneededSince: Duration?
  private var isReported = false
  /// Durable names that exist, or may exist.
  private var names: Set<String> = []
  /// Programs whose subscription has ended.
  private var ended: Set<String> = []

  mutating func observe(_ observation: Observation, in world: World) {
    switch observation {
    case .notified(let program, "subscription.ended", _): self.ended.insert(program.plan.name)
    case .sent(let program, let request):
      self.ended.remove(program.plan.name)
      if let name = program.durableName, request.method != "durable.remove" { self.names.insert(name) }
    case .answered(let program, let request, let message):
      if request.method == "durable.remove", let name = program.durableName, message["error"] == nil {
        self.names.remove(name)
      }
    case .hardware(let isWatched, _):
      if isWatched, !self.isWatched { self.checkStart(in: world) }
      self.isWatched = isWatched
    case .tick, .connected, .disconnected, .entered, .left: break
    case _:
      return
    }
    let isIdle =
      self.names.isEmpty && world.programs.allSatisfy { !self.mayNeed($0) }
      && world.doorPrograms.allSatisfy { !$0.isConnected } && !world.hasCompanions
    self.unneededSince = isIdle ? self.unneededSince ?? world.elapsed : nil
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

  /// Nobody needs the receiver for long, and it is started.
  private mutating func checkStart(in world: World) {
    guard let unneededSince, !world.hasCompanions, world.elapsed - unneededSince > Self.bound,
      // Nobody inherits a receiver that is stopped.
      world.elapsed < world.script.length + Script.calm,
      // A receiver that was found stopped, or could not be turned off, is started too.
      !world.script.isDisturbed(from: unneededSince, to: world.elapsed, margin: .seconds(600))
    else {
      return
    }
    self.breaches.append(
      self.breach("nobody needs the receiver since \(unneededSince), and it is started", in: world))
  }

  /// Whether it may need the receiver: it is there, and neither overhears what others need nor has its subscription ended.
  private func mayNeed(_ program: Program) -> Bool {
    guard program.isConnected, !self.ended.contains(program.plan.name) else { return false }
    switch program.plan.kind {
    case .watchesStatus, .overhears, .requests, .answersPrompts, .crowds, .lies: return false
    case .asks, .follows, .borrows, .collects, .notices, .watches, .visits, .watchesSky, .inherits, .watchesAsGpsd,
      .readsSentences, .isStarted, .subscribes, .shutsDown:
      return true
    }
  }
}
