import Positioning

/// A receiver that obeys is turned off in the configured way, whatever happens around it.
struct RungIsKept: Law {
  static let promise = Promise(
    "docs/power.md",
    "A receiver that obeys keeps its rung: a plug that is pulled, a covered sky, and a restart of gpsd or positiond end none."
  )

  private(set) var breaches: [Breach] = []
  private var isReported = false

  mutating func observe(_ observation: Observation, in world: World) {
    guard case .notified(_, "status.update", let message) = observation, let power = message["params"]?["power"],
      let rung = power["rung"]?.string, !self.isReported, world.script.rung != .watch, rung == "watch",
      !world.script.faults.contains(where: { $0.kind == .deaf || $0.kind == .gpsdHangs })
    else {
      return
    }
    self.isReported = true
    self.breaches.append(self.breach("the rung is given up: \(power["problem"]?.text ?? "")", in: world))
  }
}
