import Positioning

/// While there is a fix, a heartbeat has it.
struct HeartbeatsHaveFixes: Law {
  static let promise = Promise(
    "docs/protocol.md",
    "After this time without a delivery the newest fix is delivered, regardless of `minInterval` and `minDistance`, and even if it was delivered before."
  )

  private(set) var breaches: [Breach] = []

  mutating func observe(_ observation: Observation, in world: World) {
    guard case .notified(let program, "position.update", let message) = observation, let update = message["params"],
      update["repeat"] != nil, update["fix"] == nil, update["availability"]?.string == "available"
    else {
      return
    }
    self.breaches.append(self.breach("\(program.plan.name) gets no fix, and there is one: \(update.text)", in: world))
  }
}
