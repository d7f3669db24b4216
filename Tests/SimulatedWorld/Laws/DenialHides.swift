import Positioning

/// After a withdrawal no coordinate comes that is no longer allowed.
struct DenialHides: Law {
  static let promise = Promise(
    "docs/permission.md",
    "After it no coordinate is sent that the client may no longer know, queued ones included, and every request still gets its one answer."
  )

  private(set) var breaches: [Breach] = []
  private var denied: Set<String> = []

  mutating func observe(_ observation: Observation, in world: World) {
    switch observation {
    case .notified(let program, "authorization.changed", let message):
      let state = message["params"]?["state"]?.string ?? ""
      if state == "always" || state == "whenInUse" {
        self.denied.remove(program.plan.name)
      } else {
        self.denied.insert(program.plan.name)
      }
    case .connected(let program), .disconnected(let program): self.denied.remove(program.plan.name)
    case .notified(let program, _, let message), .answered(let program, _, let message):
      guard self.denied.contains(program.plan.name), Self.isRevealing(message) else { return }
      self.breaches.append(self.breach("\(program.plan.name) is denied, and gets \(message.text)", in: world))
    case _: break
    }
  }

  private static func isRevealing(_ json: JSON) -> Bool {
    switch json {
    case .object(let members): members["latitude"] != nil || members.values.contains { Self.isRevealing($0) }
    case .array(let elements): elements.contains { Self.isRevealing($0) }
    case .null, .bool, .number, .string: false
    }
  }
}
