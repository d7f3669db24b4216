import Positioning

/// The unit that turns the receiver off and the one that turns it on never run together, also when daemons are killed.
struct OneUnit: Law {
  static let promise = Promise(
    "docs/power.md",
    "The two never run at one time: each is started once systemd says that the other has ended, also after a restart of positiond."
  )

  private(set) var breaches: [Breach] = []
  private var running: Set<String> = []

  mutating func observe(_ observation: Observation, in world: World) {
    guard case .unit(let unit, let isRunning) = observation else { return }
    if isRunning { self.running.insert(unit) } else { self.running.remove(unit) }
    guard self.running.count > 1 else { return }
    self.breaches.append(self.breach("\(self.running.sorted()) run together", in: world))
  }
}
