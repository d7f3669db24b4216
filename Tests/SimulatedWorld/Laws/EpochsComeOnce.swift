import Positioning

/// Who takes every fix gets each epoch once.
struct EpochsComeOnce: Law {
  static let promise = Promise(
    "docs/gpsd.md",
    "From ten seconds into a session on, each epoch is delivered once, however many reports gpsd makes of it.")
  /// Seconds into a session, with those until the watch begins.
  private static let known = 15

  private(set) var breaches: [Breach] = []
  /// The last epoch that each program got.
  private var last: [String: ReportedEpochs.Epoch] = [:]

  mutating func observe(_ observation: Observation, in world: World) {
    switch observation {
    case .connected(let program): self.last[program.plan.name] = nil
    case .notified(let program, "position.update", let message):
      guard let fix = message["params"]?["fix"], message["params"]?["replay"] == nil,
        message["params"]?["repeat"] == nil, let epoch = world.reported.epoch(of: fix)
      else {
        return
      }
      let last = self.last.updateValue(epoch, forKey: program.plan.name)
      guard last == epoch, epoch.row > Self.known, world.isCalmForReports else { return }
      self.breaches.append(
        self.breach("\(program.plan.name) gets the epoch of \(epoch.moment) twice: \(fix.text)", in: world))
    case _: break
    }
  }
}

extension World {
  /// Whether nothing has lately kept the daemon from reading gpsd's reports as they came.
  var isCalmForReports: Bool {
    !self.script.isDisturbed(from: self.elapsed - .seconds(60), to: self.elapsed) {
      switch $0 {
      case .jumps: false
      case _: true
      }
    }
  }
}
