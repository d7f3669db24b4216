/// No more events wait under a durable name than may.
struct InboxesAreLimited: Law {
  static let promise = Promise(
    "docs/protocol.md", "An inbox holds 1000 events (`inboxEvents`) with up to 4096 fixes.")
  private static let events = 1000

  private(set) var breaches: [Breach] = []

  mutating func observe(_ observation: Observation, in world: World) {
    guard case .answered(let program, let request, let message) = observation, request.method == "durable.attach",
      let waiting = message["result"]?["waiting"]?.number,
      Int(waiting) > world.script.limits.inboxEvents ?? Self.events
    else {
      return
    }
    self.breaches.append(self.breach("\(program.plan.name) has \(Int(waiting)) waiting events", in: world))
  }
}
