import Positioning

/// The open prompts, and the agents that show them.
///
/// Each user has one prompt at a time, at all agents that may answer it; the first answer counts. A prompt that no
/// agent has any more ends without an answer at once.
struct PromptQueue: Sendable {
  /// How long a person has to answer.
  static let timeout: Duration = .seconds(120)
  static let maximumPrompts = 3
  static let period: Duration = .seconds(600)

  struct OpenPrompt: Sendable {
    let prompt: Prompt
    fileprivate(set) var deadline: Instant
    /// The user's state at the start of the prompt, without answers for one time.
    let before: Authorization.State
    /// The agents that have it.
    var agents: Set<ClientID>
    /// The answer is being stored, and takes effect afterwards.
    var isAnswered = false
  }

  /// The result of asking.
  enum AskResult: Hashable {
    /// The prompt went to these agents.
    case put(Prompt, to: [ClientID])
    /// The user has an open prompt already.
    case isOpen(Prompt)
    case nobody
    case tooOften
  }

  private(set) var open: [UInt32: OpenPrompt] = [:]
  /// The connected agents.
  private(set) var agents: Set<ClientID> = []
  private var asked: [UInt32: [Instant]] = [:]
  private var nextPrompt: UInt64 = 0
  /// When each prompt without an answer ends.
  private var deadlines = DeadlineQueue<UInt32>()

  /// When `takeDue` must be asked.
  var nextDeadline: Instant? { self.deadlines.next }

  /// Takes the user whose prompt ends the soonest, if it is time.
  mutating func takeDue(now: Instant) -> UInt32? { self.deadlines.popDue(now: now) }

  /// The daemon did not run for so long: persons have that much longer to answer.
  mutating func putOff(by gap: Duration) {
    for (uid, open) in self.open { self.open[uid]?.deadline = open.deadline + gap }
    self.deadlines.putOff(by: gap)
  }

  /// - Parameter agents: The agents that may answer for the principal.
  mutating func ask(
    _ principal: Principal, level: AuthorizationLevel, precision: Precision, from before: Authorization.State,
    agents: [ClientID], now: Instant
  ) -> AskResult {
    if let open = self.open[principal.uid] {
      var prompt = open.prompt
      prompt.question.expiresIn = max(.zero, open.deadline - now)
      return .isOpen(prompt)
    }
    guard !agents.isEmpty else { return .nobody }
    let recent = self.asked[principal.uid, default: []].filter { now - $0 < Self.period }
    guard recent.count < Self.maximumPrompts else { return .tooOften }
    // Users without recent prompts are forgotten.
    if self.asked.count > 64 { self.asked = self.asked.filter { now - ($0.value.last ?? now) < Self.period } }
    self.asked[principal.uid] = recent + [now]
    self.nextPrompt += 1
    let question = PermissionPrompt(
      principal: principal, level: level, precision: precision, expiresIn: Self.timeout)
    let prompt = Prompt(id: PromptID(self.nextPrompt), question: question)
    self.open[principal.uid] = OpenPrompt(
      prompt: prompt, deadline: now + Self.timeout, before: before, agents: Set(agents))
    self.deadlines.set(now + Self.timeout, for: principal.uid)
    return .put(prompt, to: agents)
  }

  /// The principals of the open prompts.
  var principals: [Principal] { self.open.keys.sorted().compactMap { self.open[$0]?.prompt.question.principal } }

  /// The client is an agent for these users from now on.
  ///
  /// - Returns: The prompts for it; none if it was an agent before.
  mutating func join(_ agent: ClientID, for users: [UInt32], now: Instant) -> [Prompt] {
    guard self.agents.insert(agent).inserted else { return [] }
    return users.compactMap { uid -> Prompt? in
      guard var open = self.open[uid], !open.isAnswered, open.agents.insert(agent).inserted else { return nil }
      self.open[uid] = open
      var prompt = open.prompt
      prompt.question.expiresIn = max(.zero, open.deadline - now)
      return prompt
    }
  }

  /// The client is no agent any more.
  ///
  /// - Returns: The users whose prompt no agent has now.
  mutating func leave(_ agent: ClientID) -> [UInt32] {
    self.agents.remove(agent)
    return self.decline(agent, nil)
  }

  /// The agent does not answer the prompt; `nil`: it answers none any more.
  ///
  /// - Returns: The users whose prompt no agent has now.
  mutating func decline(_ agent: ClientID, _ prompt: PromptID?) -> [UInt32] {
    let declined = self.open.filter { _, open in
      !open.isAnswered && (prompt == nil || prompt == open.prompt.id) && open.agents.contains(agent)
    }
    return declined.keys.sorted().filter { uid in
      // In place, as each change of a copy would copy the set.
      self.open[uid]?.agents.remove(agent)
      return self.open[uid]?.agents.isEmpty ?? false
    }
  }

  /// The first answer to a prompt that the agent has.
  ///
  /// - Returns: The prompt, and the other agents that have it; `nil` if the agent does not have it.
  mutating func answered(_ id: PromptID, by agent: ClientID) -> (prompt: Prompt, others: [ClientID])? {
    guard let uid = self.open.first(where: { $0.value.prompt.id == id })?.key, let open = self.open[uid],
      !open.isAnswered, open.agents.contains(agent)
    else { return nil }
    self.open[uid]?.isAnswered = true
    self.deadlines.set(nil, for: uid)
    return (open.prompt, open.agents.subtracting([agent]).sorted())
  }

  /// The prompt ends. Returns the agents that still have it.
  mutating func end(_ uid: UInt32) -> (prompt: Prompt, agents: [ClientID])? {
    self.deadlines.set(nil, for: uid)
    return self.open.removeValue(forKey: uid).map { ($0.prompt, $0.isAnswered ? [] : $0.agents.sorted()) }
  }
}
