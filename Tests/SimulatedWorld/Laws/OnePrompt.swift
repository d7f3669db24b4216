import Positioning

/// A person is asked about a user once at a time, and seldom.
struct OnePrompt: Law {
  static let promise = Promise("docs/agents.md", "There is one prompt about a user at a time.")
  /// "at most three prompts about a user in ten minutes".
  private static let most = 3
  private static let period: Duration = .seconds(600 - 2)

  private(set) var breaches: [Breach] = []
  /// The open prompts of each agent's connection: the user of each number.
  private var open: [String: [Int: UInt32]] = [:]
  private var moments: [String: [Duration]] = [:]

  mutating func observe(_ observation: Observation, in world: World) {
    switch observation {
    case .connected(let program), .disconnected(let program): self.forget(program.plan.name)
    case .prompted(let program, let prompt): self.take(prompt, program, in: world)
    case .replied(let program, let prompt, _):
      guard let id = prompt["id"]?.number else { return }
      self.open[program.plan.name]?[Int(id)] = nil
    case .notified(let program, "$/cancelRequest", let message):
      guard let id = message["params"]?["id"]?.number else { return }
      self.open[program.plan.name]?[Int(id)] = nil
    case _: break
    }
  }

  private mutating func forget(_ agent: String) {
    self.open[agent] = nil
    self.moments = self.moments.filter { !$0.key.hasPrefix("\(agent) ") }
  }

  private mutating func take(_ prompt: JSON, _ program: Program, in world: World) {
    let agent = program.plan.name
    guard let id = prompt["id"]?.number, let user = prompt["params"]?["principal"]?["uid"]?.number else {
      return self.breaches.append(self.breach("\(agent) is asked about nobody: \(prompt.text)", in: world))
    }
    let uid = UInt32(user)
    if world.script.isAgentOfItself(program.plan.uid), uid != program.plan.uid {
      self.breaches.append(self.breach("\(agent) of \(program.plan.uid) is asked about \(uid)", in: world))
    }
    if (self.open[agent] ?? [:]).values.contains(uid) {
      self.breaches.append(self.breach("\(agent) is asked about \(uid), and has a prompt about it already", in: world))
    }
    self.open[agent, default: [:]][Int(id)] = uid
    let recent = (self.moments["\(agent) \(uid)"] ?? []).filter { world.elapsed - $0 < Self.period } + [world.elapsed]
    self.moments["\(agent) \(uid)"] = recent
    guard recent.count > Self.most else { return }
    self.breaches.append(self.breach("\(agent) is asked about \(uid) at \(recent)", in: world))
  }
}
