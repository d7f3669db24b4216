import Positioning

/// What was decided about a user is of no use to another one who has the number later.
struct NumbersHaveOwners: Law {
  static let promise = Promise(
    "docs/permission.md", "the stored decision for this user counts, by name and number")
  /// A lookup of the last second counts.
  private static let lookup: Duration = .seconds(5)

  private(set) var breaches: [Breach] = []
  /// Since when each number has another owner about whom nobody has decided.
  private var renamed: [UInt32: Duration] = [:]
  private var connected: [String: Duration] = [:]

  mutating func observe(_ observation: Observation, in world: World) {
    switch observation {
    case .connected(let program): self.connected[program.plan.name] = world.elapsed
    case .fault(let fault, let begins):
      switch fault.kind {
      case .renamed(let user): self.renamed[user] = world.isAdministering ? nil : world.elapsed
      // Of a number without a user nothing is decided; afterwards it is the former owner's again.
      case .deleted(let user): self.renamed[user] = begins && !world.isAdministering ? world.elapsed : nil
      // A call of the administrator is under way.
      case .granted(let user), .denied(let user), .reduced(let user): if begins { self.renamed[user] = nil }
      case _: break
      }
    case .administered(let request, _):
      if let user = JSON(request)?["params"]?["user"]?.number { self.renamed[UInt32(user)] = nil }
    case .prompted(_, let prompt):
      if let user = prompt["params"]?["principal"]?["uid"]?.number { self.renamed[UInt32(user)] = nil }
    case .answered(let program, let request, let message) where request.method == "authorization.get":
      guard world.script.asks(program.plan), program.plan.relay == nil, let since = self.renamed[program.plan.uid],
        let began = self.connected[program.plan.name], began - since > Self.lookup,
        message["result"]?["state"]?.isGranted == true
      else {
        return
      }
      self.breaches.append(
        self.breach("\(program.plan.name) has what was granted to the former owner: \(message.text)", in: world))
    case _: break
    }
  }
}
