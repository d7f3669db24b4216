import Positioning

/// Of two receivers that report, fixes come from one for some time.
struct ReceiversStay: Law {
  static let promise = Promise(
    "docs/gpsd.md", "Of two receivers that both report, the other one takes over once it was better for five seconds.")
  /// Seconds, less two epochs: those that begin and end them.
  private static let bound: Duration = .seconds(3)

  private(set) var breaches: [Breach] = []
  /// From which receiver the fixes of each program come, and since when.
  private var source: [String: (device: String, since: Duration)] = [:]

  mutating func observe(_ observation: Observation, in world: World) {
    guard case .notified(let program, "position.update", let message) = observation,
      let fix = message["params"]?["fix"], let epoch = world.reported.epoch(of: fix)
    else {
      if case .connected(let program) = observation { self.source[program.plan.name] = nil }
      return
    }
    let before = self.source[program.plan.name]
    let device = fix["device"]?.string ?? ""
    guard before?.device != device else { return }
    self.source[program.plan.name] = (device, epoch.moment)
    guard let before, epoch.moment - before.since < Self.bound, epoch.row > 15, world.isCalmForReports else { return }
    self.breaches.append(
      self.breach(
        "\(program.plan.name) gets fixes of \(before.device) for \(epoch.moment - before.since), then of \(device)",
        in: world))
  }
}
