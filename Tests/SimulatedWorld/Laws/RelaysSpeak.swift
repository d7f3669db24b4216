import Positioning

/// A relay's connection is that of the user for whom it asks, and no more.
struct RelaysSpeak: Law {
  static let promise = Promise("docs/permission.md", "From then on the connection is that user's")

  private(set) var breaches: [Breach] = []

  mutating func observe(_ observation: Observation, in world: World) {
    switch observation {
    case .answered(let program, let request, let message) where request.method == "session.hello":
      guard let relay = program.plan.relay else { return }
      guard let principal = message["result"]?["principal"] else {
        // Only a rule makes a relay.
        if world.script.isRelay(relay), message["error"]?["code"]?.number != -32002 { return }
        if !world.script.isRelay(relay) { return }
        // "an unknown fact matches a rule that denies, and no other rule": on such a machine a lookup takes too long.
        if world.script.isDisturbed(from: request.sentAt, to: world.elapsed, margin: .seconds(2), by: { $0 == .busy }) {
          return
        }
        return self.breaches.append(self.breach("\(program.plan.name) may not ask: \(message.text)", in: world))
      }
      let uid = principal["uid"]?.number, by = principal["relay"]?.number
      if !world.script.isRelay(relay) || uid != Double(program.plan.uid) || by != Double(relay) {
        self.breaches.append(
          self.breach("\(program.plan.name) of \(relay) asks for \(program.plan.uid): \(principal.text)", in: world))
      }
      self.check(message["result"]?["authorization"], of: program, in: world)
    case .notified(let program, "authorization.changed", let message):
      // One that no rule lets speak for others stays what it is.
      if program.plan.relay.map({ world.script.isRelay($0) }) ?? false {
        self.check(message["params"], of: program, in: world)
      }
    case _: break
    }
  }

  private mutating func check(_ authorization: JSON?, of program: Program, in world: World) {
    guard authorization?["state"]?.string == "always" else { return }
    self.breaches.append(self.breach("\(program.plan.name) has more than a connection's permission", in: world))
  }
}
