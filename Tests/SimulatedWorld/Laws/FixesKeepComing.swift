import Positioning

/// While a receiver reports positions, who takes each gets them.
struct FixesKeepComing: Law {
  static let promise = Promise(
    "docs/gpsd.md",
    "No wrong clock keeps a receiver's positions back for more than a minute from a program that takes `any`.")
  /// A minute, and how often this looks.
  private static let bound: Duration = .seconds(90)

  private(set) var breaches: [Breach] = []
  /// When each program got its last fix, or was answered, by the time that the daemon ran.
  private var last: [String: Duration] = [:]

  mutating func observe(_ observation: Observation, in world: World) {
    switch observation {
    case .connected(let program), .disconnected(let program): self.last[program.plan.name] = nil
    case .answered(let program, let request, let message) where request.method == "position.subscribe":
      guard case .follows(let interval, _) = program.plan.kind, interval < 5, message["error"] == nil,
        program.plan.integrity == "any"
      else { return }
      self.last[program.plan.name] = world.awake
    case .notified(let program, "position.update", let message) where message["params"]?["fix"] != nil:
      if self.last[program.plan.name] != nil { self.last[program.plan.name] = world.awake }
    case .tick:
      for program in world.programs { self.check(program, in: world) }
    case _: break
    }
  }

  private mutating func check(_ program: Program, in world: World) {
    guard world.script.speech != nil, let last = self.last[program.plan.name], world.awake - last > Self.bound,
      world.isDaemonAwake, program.isReading,
      // Whichever of them reports.
      let epoch = ["/dev/ttyACM0", "/dev/ttyACM1"].compactMap({ world.reported.newest(of: $0) }).max(by: {
        $0.moment < $1.moment
      }), .seconds(epoch.row) > Self.bound, world.elapsed - epoch.moment < .seconds(2),
      !world.script.isDisturbed(
        from: world.elapsed - Self.bound * 2, to: world.elapsed,
        by: {
          switch $0 {
          case .receiver(.clockBack): false
          case _: true
          }
        })
    else {
      return
    }
    self.last[program.plan.name] = nil
    self.breaches.append(
      self.breach(
        "\(program.plan.name) has got no fix for \(world.awake - last), and there were \(epoch.row)", in: world))
  }
}
