import Positioning

/// What was decided about a user is so on each later connection, whatever happens to the daemon and the machine.
struct DecisionsAreKept: Law {
  static let promise = Promise(
    "docs/agents.md", "A remembered answer is stored for all programs of the user, by name and number together.")
  /// After so long a decision is stored, if the disk works.
  private static let storing: Duration = .seconds(10)

  /// What is known of the decision about a user.
  private struct Known {
    /// What a new connection was said, and when that was; `nil`: nothing, or it may have changed since.
    var state: (text: String, at: Duration)?
    /// Replies since then that are to be stored.
    var replies: [(text: String, at: Duration)] = []
  }

  private(set) var breaches: [Breach] = []
  private var known: [UInt32: Known] = [:]
  /// Programs that have asked nothing yet on their connections.
  private var isNew: Set<String> = []

  mutating func observe(_ observation: Observation, in world: World) {
    switch observation {
    case .connected(let program): self.isNew.insert(program.plan.name)
    case .replied(_, let prompt, let act): self.take(act, prompt, in: world)
    case .notified(_, "$/cancelRequest", _):
      // Whose answer counted is not known.
      for user in self.known.keys { self.doubt(user) }
    case .administered(let request, _):
      if let user = JSON(request)?["params"]?["user"]?.number { self.doubt(UInt32(user)) }
    case .fault(let fault, _):
      switch fault.kind {
      case .denied(let user), .reduced(let user), .granted(let user), .renamed(let user), .deleted(let user):
        self.doubt(user)
      case .disabled: for user in self.known.keys { self.doubt(user) }
      case _: break
      }
    case .answered(let program, let request, let message) where request.method == "authorization.get":
      guard world.script.asks(program.plan), program.plan.relay == nil,
        program.plan.number == nil, self.isNew.remove(program.plan.name) != nil,
        let text = Self.text(message["result"])
      else {
        return
      }
      self.compare(text, of: program, request, in: world)
    case _: break
    }
  }

  /// What a stored decision says.
  private static func text(_ authorization: JSON?) -> String? {
    guard let state = authorization?["state"]?.string, state != "disabled" else { return nil }
    return state == "denied" || state == "notDetermined"
      ? state : "\(state) \(authorization?["precision"]?.string ?? "")"
  }

  private mutating func doubt(_ user: UInt32) { self.known[user] = Known() }

  private mutating func take(_ act: ProgramPlan.PromptReply.Act, _ prompt: JSON, in world: World) {
    guard let user = prompt["params"]?["principal"]?["uid"]?.number,
      let level = prompt["params"]?["level"]?.string, let precision = prompt["params"]?["precision"]?.string
    else {
      return
    }
    let text: String
    switch act {
    case .allow(let isReduced, isRemembered: true): text = "\(level) \(isReduced ? "reduced" : precision)"
    case .deny(isRemembered: true): text = "denied"
    case .allow, .deny, .fail, .wait, .leave: return
    }
    self.known[UInt32(user), default: Known()].replies.append((text, world.elapsed))
  }

  private mutating func compare(
    _ text: String, of program: Program, _ request: Observation.Request, in world: World
  ) {
    let user = program.plan.uid
    guard !world.isAdministering else { return self.doubt(user) }
    let known = self.known[user] ?? Known()
    defer { self.known[user] = Known(state: (text, world.elapsed)) }
    let since = known.replies.first?.at ?? known.state?.at ?? .zero
    let isStored =
      request.sentAt - since > Self.storing
      && !world.script.isDisturbed(
        from: since - Self.storing, to: world.elapsed, margin: .seconds(2),
        by: { $0 == .diskFull || $0 == .diskBroken || $0 == .locked || $0 == .disabled })
      // Programs that connected before still have the former name, by which it was decided.
      && !world.script.isDisturbed(
        from: since - Self.storing, to: world.elapsed, by: { $0 == .renamed(uid: user) || $0 == .deleted(uid: user) })
      && !world.script.isDisturbed(
        from: since, to: since + Self.storing, margin: .seconds(2), by: { $0.isAbsence || $0 == .busy })
    guard isStored else { return }
    let expected: String
    switch (known.replies.count, known.state) {
    case (0, let state?): expected = state.text
    // What was asked for more, and refused, leaves what was granted.
    case (1, let state?): expected = Self.after(state.text, known.replies[0].text)
    case _: return
    }
    guard text != expected else { return }
    self.breaches.append(
      self.breach("\(program.plan.name) of \(user): \(expected) was decided, and it is \(text)", in: world))
  }

  private static func after(_ state: String, _ reply: String) -> String {
    reply == "denied" && (state.hasPrefix("always") || state.hasPrefix("whenInUse")) ? state : reply
  }
}
