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
    fileprivate let prompt: Prompt
    fileprivate var deadline: Instant
    /// The user's state at the start of the prompt, without answers for one time.
    fileprivate let before: Authorization.State
    /// The agents that have it.
    fileprivate(set) var agents: Set<ClientID>
    /// The answer is being stored, and takes effect afterwards.
    fileprivate(set) var isAnswered = false

    fileprivate func prompt(now: Instant) -> Prompt {
      var prompt = self.prompt
      prompt.question.expiresIn = max(.zero, self.deadline - now)
      return prompt
    }
  }

  /// What is to happen, in this order.
  enum Effect: Hashable, Sendable {
    case ask(ClientID, Prompt)
    case withdraw(ClientID, PromptID)
    /// A person has decided about the user, for all its programs; the prompt ends when its waiter is settled.
    case decide(Decision, for: UInt32, Permissions.Waiter?)
    /// A person has decided only for the connections with waiting calls, as long as they last.
    case decideOnce(Decision, for: UInt32)
    /// The waiting calls of the user's clients go on: a person has answered, or nobody will.
    case resume(UInt32)
  }

  private(set) var open: [UInt32: OpenPrompt] = [:]
  /// The connected agents.
  private(set) var agents: Set<ClientID> = []
  private var asked: [UInt32: [Instant]] = [:]
  private var nextPrompt: UInt64 = 0
  /// When each prompt without an answer ends.
  private var deadlines = DeadlineQueue<UInt32>()

  // MARK: Reading

  /// Who asks in a prompt; `nil`: it has ended.
  func principal(of id: PromptID) -> Principal? {
    self.open.values.first { $0.prompt.id == id }?.prompt.question.principal
  }

  /// Who asks in the open prompts.
  ///
  /// - Parameter user: Only this user's; `nil`: all.
  func principals(of user: UInt32?) -> [Principal] {
    (user.map { [$0] } ?? self.open.keys.sorted()).compactMap { self.open[$0]?.prompt.question.principal }
  }

  // MARK: Asking

  /// - Parameters:
  ///   - before: The user's state.
  ///   - agents: The agents that may answer for the principal.
  /// - Returns: What a person is being asked, now or already; `nil`: there is no agent.
  mutating func ask(
    _ principal: Principal, level: AuthorizationLevel, precision: Precision, from before: Authorization.State,
    agents: [ClientID], now: Instant
  ) throws(CallFailure) -> (question: PermissionPrompt, effects: [Effect])? {
    if let open = self.open[principal.uid] { return (open.prompt(now: now).question, []) }
    guard !agents.isEmpty else { return nil }
    let recent = self.asked[principal.uid, default: []].filter { now - $0 < Self.period }
    guard recent.count < Self.maximumPrompts else {
      throw .limitExceeded(name: "prompts per principal", value: Self.maximumPrompts)
    }
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
    return (question, agents.map { .ask($0, prompt) })
  }

  // MARK: Agents

  /// The client is an agent from now on, and gets the open prompts that it may answer.
  mutating func joined(_ agent: ClientID, now: Instant, mayAnswer: (Principal) -> Bool) -> [Effect] {
    guard self.agents.insert(agent).inserted else { return [] }
    return self.open.keys.sorted().compactMap { uid in
      guard let open = self.open[uid], !open.isAnswered, mayAnswer(open.prompt.question.principal),
        self.open[uid]?.agents.insert(agent).inserted ?? false
      else { return nil }
      return .ask(agent, open.prompt(now: now))
    }
  }

  /// The client is no agent any more: it has left, or may not answer any more.
  mutating func left(_ agent: ClientID, isConnected: Bool) -> [Effect] {
    guard self.agents.remove(agent) != nil else { return [] }
    let users = self.open.keys.sorted()
    let had = isConnected ? users.compactMap { self.open[$0] }.filter { $0.agents.contains(agent) } : []
    return had.map { .withdraw(agent, $0.prompt.id) } + users.flatMap { self.declined(by: agent, for: $0) }
  }

  /// The agent does not answer the user's prompt, which ends if no other agent has it.
  private mutating func declined(by agent: ClientID, for uid: UInt32) -> [Effect] {
    // In place, as each change of a copy would copy the set.
    guard self.open[uid]?.isAnswered == false, self.open[uid]?.agents.remove(agent) != nil,
      self.open[uid]?.agents.isEmpty ?? false
    else { return [] }
    return self.end(uid)
  }

  // MARK: Answers

  /// An agent answers a prompt that it has. The first answer counts.
  ///
  /// - Parameters:
  ///   - answer: `nil`: the agent does not answer it, or may not.
  ///   - granted: The level of the decision in force about the user.
  mutating func answered(
    _ id: PromptID, by agent: ClientID, _ answer: PromptAnswer?, granted: AuthorizationLevel?, now: Instant
  ) -> [Effect] {
    guard let uid = self.open.first(where: { $0.value.prompt.id == id })?.key else { return [] }
    guard let answer else { return self.declined(by: agent, for: uid) }
    guard let open = self.open[uid], !open.isAnswered, open.agents.contains(agent) else { return [] }
    self.open[uid]?.isAnswered = true
    self.deadlines.set(nil, for: uid)
    let withdrawn = open.agents.subtracting([agent]).sorted().map { Effect.withdraw($0, id) }
    let question = open.prompt.question
    let decision = Decision(
      user: question.principal.user,
      level: answer.isAllowed ? min(answer.level ?? question.level, question.level) : nil,
      precision: min(answer.precision ?? question.precision, question.precision), at: now)
    // A no to a request for more leaves the existing grant.
    guard decision.level != nil || granted == nil else { return withdrawn + self.end(uid) }
    guard answer.isRemembered, question.principal.mayKeep else {
      return withdrawn + [.decideOnce(decision, for: uid)] + self.end(uid)
    }
    // A denial takes effect at once, without waiting for the disk. The user may be asked something else before it is
    // stored.
    guard decision.level != nil else { return withdrawn + [.decide(decision, for: uid, nil)] + self.end(uid) }
    return withdrawn + [.decide(decision, for: uid, .prompt(uid, decision))]
  }

  /// The user's access is decided anew: a rule or an administrator may have answered the prompt meanwhile.
  mutating func reconsidered(_ uid: UInt32, _ state: Authorization.State) -> [Effect] {
    guard let open = self.open[uid], !open.isAnswered, open.before != state else { return [] }
    return self.end(uid)
  }

  /// The answer is in force, or nobody will give one.
  mutating func end(_ uid: UInt32) -> [Effect] {
    self.deadlines.set(nil, for: uid)
    guard let ended = self.open.removeValue(forKey: uid) else { return [] }
    let agents = ended.isAnswered ? [] : ended.agents.sorted()
    return agents.map { .withdraw($0, ended.prompt.id) } + [.resume(uid)]
  }

  // MARK: Time

  /// When to call `deadlineReached`.
  var nextDeadline: Instant? { self.deadlines.next }

  /// Nobody has answered the prompt whose time is over.
  mutating func deadlineReached(now: Instant) -> [Effect] { self.deadlines.popDue(now: now).map { self.end($0) } ?? [] }

  /// The daemon did not run for so long: persons have that much longer to answer.
  mutating func putOff(by gap: Duration) {
    for (uid, open) in self.open { self.open[uid]?.deadline = open.deadline + gap }
    self.deadlines.putOff(by: gap)
  }
}
