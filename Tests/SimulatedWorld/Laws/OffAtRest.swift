import Positioning

/// Once nobody needs the receiver, the configured way turns it off, or the status says what keeps it from that.
struct OffAtRest: Law {
  static let promise = Promise(
    "docs/power.md",
    "Four minutes after the last need the receiver is off in the configured way, or the report says what keeps it from that"
  )
  /// The linger, a start that must be finished, and units that take their time.
  private static let bound: Duration = .seconds(240)

  private(set) var breaches: [Breach] = []
  private var isOn = true
  private var power: [String: JSON] = [:]
  private var idleSince: Duration?
  private var isReported = false
  /// Durable names that exist, or may exist.
  private var names: Set<String> = []

  mutating func observe(_ observation: Observation, in world: World) {
    switch observation {
    case .radio(let isOn): self.isOn = isOn
    case .notified(let program, "status.update", let message):
      self.power[program.plan.name] = message["params"]?["power"]
    case .disconnected(let program): self.power[program.plan.name] = nil
    case .sent(let program, let request):
      if let name = program.durableName, request.method != "durable.remove" { self.names.insert(name) }
    case .answered(let program, let request, let message):
      if request.method == "durable.remove", let name = program.durableName, message["error"] == nil {
        self.names.remove(name)
      }
    case .tick: self.check(in: world)
    case _: break
    }
  }

  private mutating func check(in world: World) {
    let isIdle =
      self.names.isEmpty && world.programs.allSatisfy { !$0.isConnected || $0.plan.kind == .watchesStatus }
      && world.doorPrograms.allSatisfy { !$0.isConnected } && !world.hasCompanions
    guard world.script.rung != .watch, isIdle, self.isOn else { return self.idleSince = nil }
    let since = self.idleSince ?? world.awake
    self.idleSince = since
    guard world.awake - since > Self.bound, !self.isReported,
      !world.script.isDisturbed(from: world.elapsed - Self.bound * 2, to: world.elapsed)
    else {
      return
    }
    // In the order of the names, so that the same world says the same.
    guard let said = self.power.sorted(by: { $0.key < $1.key }).first?.value, said["problem"] == nil,
      // What nobody has needed since the daemon started is as it was.
      said["state"]?.string != "unknown"
    else {
      return
    }
    self.isReported = true
    self.breaches.append(
      self.breach("nobody needs the receiver, it works since \(since), and the status says \(said.text)", in: world))
  }
}
