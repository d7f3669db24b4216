import Positioning

/// While nothing can be stored, a person's yes is for the connections that wait, and for no later one.
struct GrantsAreStored: Law {
  static let promise = Promise(
    "docs/agents.md", "an answer holds only for the connections that wait for it.")

  private(set) var breaches: [Breach] = []
  private var isFailing = false
  /// What new connections of each user were said last.
  private var states: [UInt32: String] = [:]
  /// Users who had nothing, and of whom nobody has said anything since the disk fails but a yes.
  private var answered: Set<UInt32> = []

  mutating func observe(_ observation: Observation, in world: World) {
    switch observation {
    case .fault(let fault, let begins):
      guard fault.kind == .diskFull || fault.kind == .diskBroken || fault.kind == .powerCut else { return }
      self.isFailing = begins && fault.kind != .powerCut
      self.answered = []
    case .replied(_, let prompt, .allow):
      guard self.isFailing, let user = prompt["params"]?["principal"]?["uid"]?.number,
        self.states[UInt32(user)] == "notDetermined"
      else {
        return
      }
      self.answered.insert(UInt32(user))
    case .administered(let request, _):
      if let user = JSON(request)?["params"]?["user"]?.number { self.answered.remove(UInt32(user)) }
    case .answered(let program, let request, let message) where request.method == "authorization.get":
      guard let state = message["result"]?["state"], program.plan.relay == nil else { return }
      let user = program.plan.uid
      if self.answered.contains(user), state.isGranted {
        self.breaches.append(
          self.breach("\(program.plan.name) comes later, and is granted what cannot be stored", in: world))
      }
      self.states[user] = state.string
    case _: break
    }
  }
}
