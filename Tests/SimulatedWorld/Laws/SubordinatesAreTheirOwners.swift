import Positioning

/// A program with a subordinate number gets no more than its owner may have, and never what outlives a connection.
struct SubordinatesAreTheirOwners: Law {
  static let promise = Promise(
    "docs/permission.md", "rules, decisions, prompts, `default=`, limits, the status and the log go by the owner")

  private(set) var breaches: [Breach] = []
  /// Owners whom an administrator has denied.
  private var denied: Set<UInt32> = []

  mutating func observe(_ observation: Observation, in world: World) {
    switch observation {
    case .administered(let text, let answer):
      guard let request = JSON(text), let user = request["params"]?["user"]?.number else { return }
      let isDenial = request["params"]?["level"]?.string == "deny" && answer["error"] == nil
      if isDenial { self.denied.insert(UInt32(user)) } else { self.denied.remove(UInt32(user)) }
    // A call that is under way may have taken effect.
    case .fault(let fault, begins: false):
      if case .denied(let user) = fault.kind { self.denied.remove(user) }
    case .notified(let program, _, let message), .answered(let program, _, let message):
      guard program.plan.number != nil else { return }
      self.check(program, message, in: world)
    case _: break
    }
  }

  private mutating func check(_ program: Program, _ message: JSON, in world: World) {
    let authorization = message["params"]?["state"] ?? message["result"]?["state"]
    if authorization?.string == "always" {
      self.breaches.append(self.breach("\(program.plan.name) is granted what outlives it: \(message.text)", in: world))
    }
    // A person may overrule an administrator.
    guard self.denied.contains(program.plan.uid), !world.script.asksPersons,
      (message["result"]?["fix"] ?? message["params"]?["fix"])?["latitude"] != nil
    else {
      return
    }
    self.breaches.append(
      self.breach("the owner of \(program.plan.name) is denied, and it gets \(message.text)", in: world))
  }
}
