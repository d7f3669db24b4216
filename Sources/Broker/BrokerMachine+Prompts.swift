import Positioning

/// Asking persons through agents.
extension BrokerMachine {
  static let unansweredRemedy =
    "nobody answered in time; ask again, or an administrator adds the user to a group that a rule names"

  // MARK: Asking

  /// Asks a person for the missing permission, and lets the call wait. If nobody can be asked the call is denied.
  mutating func ask(
    for what: Call, as call: CallID, _ denial: CallFailure, mayAsk: Bool, _ turn: inout Turn
  ) throws(CallFailure) -> Answering {
    guard let access = self.clients[call.client]?.access, access.authorization.state == .notDetermined,
      access.isAskable, case let row = what.row, row.requirement != .administrator
    else { throw denial }
    guard mayAsk else { throw .notDetermined(remedy: Self.unansweredRemedy) }
    let isLasting = row.requirement == .durable || row.requirement == .preciseDurable
    let request = AuthorizationRequest(level: isLasting ? .always : .whenInUse, precision: access.ceiling)
    switch self.ask(request, as: call, &turn) {
    case .put, .isOpen:
      guard row.mayWait else {
        throw .notDetermined(
          remedy: "a person is being asked; try again after authorization.changed")
      }
      return try self.awaitAuthorization(what, as: call, &turn)
    case .nobody: throw denial
    case .tooOften: throw Self.tooManyPrompts
    }
  }

  private static let tooManyPrompts = CallFailure.limitExceeded(
    name: "prompts per principal", value: PromptQueue.maximumPrompts)

  mutating func requestAuthorization(
    _ request: AuthorizationRequest, as asker: Asker<Authorization>, mayAsk: Bool, _ turn: inout Turn
  ) throws(CallFailure) -> Answering {
    guard let access = self.clients[asker.client]?.access else { return .later }
    let isDenied = access.authorization.state == .denied && !request.isForced
    guard mayAsk, access.isAskable, !isDenied, !access.covers(request) else {
      return asker.now(access.authorization)
    }
    switch self.ask(request, as: asker.id, &turn) {
    case .put, .isOpen: return try self.awaitAuthorization(.requestAuthorization(request), as: asker.id, &turn)
    case .nobody: return asker.now(access.authorization)
    case .tooOften: throw Self.tooManyPrompts
    }
  }

  /// Asks a person, if there is an agent and the user has no open prompt.
  private mutating func ask(
    _ request: AuthorizationRequest, as call: CallID, _ turn: inout Turn
  ) -> PromptQueue.AskResult {
    guard let client = self.clients[call.client] else { return .nobody }
    let agents = self.prompts.agents.sorted().filter { self.mayAnswer($0, for: client.principal) }
    let asking = self.prompts.ask(
      client.principal, level: request.level, precision: min(request.precision, client.access.ceiling),
      from: self.access(of: client.principal).authorization.state, agents: agents, now: turn.now)
    switch asking {
    case .put(let prompt, let agents):
      for agent in agents { turn.act(.ask(agent, prompt)) }
      self.notifyPrompted(prompt.question, to: call.client, &turn)
    case .isOpen(let prompt): self.notifyPrompted(prompt.question, to: call.client, &turn)
    case .nobody, .tooOften: break
    }
    return asking
  }

  private mutating func notifyPrompted(_ prompt: PermissionPrompt, to client: ClientID, _ turn: inout Turn) {
    turn.notify(client, .prompted(prompt.level, prompt.precision, expiresIn: prompt.expiresIn))
  }

  // MARK: Waiting calls

  private mutating func awaitAuthorization(
    _ what: Call, as call: CallID, _ turn: inout Turn
  ) throws(CallFailure) -> Answering {
    try self.checkRoomForRequest(call)
    let awaiting = AwaitingCall(call: call, what: what, began: turn.now, maxRequestTime: self.settings.maxRequestTime)
    self.insert(.awaitingAuthorization(awaiting))
    return .later
  }

  /// Continues the waiting calls of a user's clients: a person answered, or nobody will.
  private mutating func resumeAwaiting(of uid: UInt32, _ turn: inout Turn) {
    let awaiting = self.clients.ids(of: uid).flatMap { self.calls.awaitingAuthorization(of: $0) }
    for awaiting in awaiting.sorted(by: { $0.began < $1.began }) {
      guard self.remove(awaiting.call) != nil else { continue }
      self.perform(awaiting.what, as: awaiting.call, since: awaiting.began, mayAsk: false, &turn)
    }
  }

  // MARK: Agents

  func mayAnswer(_ agent: ClientID, for principal: Principal) -> Bool {
    guard let client = self.clients[agent] else { return false }
    return switch client.access.agent {
    case .none: false
    case .own: client.principal.uid == principal.uid
    case .all: true
    }
  }

  mutating func registerAgent(as asker: Asker<AgentAnswer>, _ turn: inout Turn) throws(CallFailure) -> Answering {
    guard let access = self.clients[asker.client]?.access else { return .later }
    guard access.agent != .none else {
      throw .restricted(
        what: "no rule lets this client answer prompts", rule: access.authorization.rule,
        remedy: "an administrator sets agent=yes in a rule for this user in positiond.conf")
    }
    turn.placeAnswer(after: self.commits.newFollowers.count)
    let askable = self.prompts.principals.filter { self.mayAnswer(asker.client, for: $0) }.map(\.uid)
    for prompt in self.prompts.join(asker.client, for: askable, now: turn.now) {
      turn.act(.ask(asker.client, prompt))
    }
    return asker.now(AgentAnswer())
  }

  /// An agent left, or may not answer any more. A prompt that no other agent has ends.
  mutating func agentLeft(_ agent: ClientID, _ turn: inout Turn) {
    guard self.prompts.agents.contains(agent) else { return }
    if self.clients[agent] != nil {
      for open in self.prompts.open.values where open.agents.contains(agent) {
        turn.act(.withdraw(agent, open.prompt.id))
      }
    }
    for uid in self.prompts.leave(agent) { self.endPrompt(of: uid, &turn) }
  }

  /// The prompt is answered, or nobody will answer it.
  mutating func endPrompt(of uid: UInt32, _ turn: inout Turn) {
    guard let ended = self.prompts.end(uid) else { return }
    for agent in ended.agents { turn.act(.withdraw(agent, ended.prompt.id)) }
    self.resumeAwaiting(of: uid, &turn)
  }

  /// Ends prompts that a rule or an administrator has answered meanwhile.
  ///
  /// - Parameter user: Only this user's; `nil`: all.
  mutating func endIdlePrompts(of user: UInt32?, _ turn: inout Turn) {
    for uid in user.map({ [$0] }) ?? self.prompts.open.keys.sorted() {
      guard let open = self.prompts.open[uid], !open.isAnswered else { continue }
      let state = self.access(of: open.prompt.question.principal).authorization.state
      if state != open.before { self.endPrompt(of: uid, &turn) }
    }
  }

  // MARK: Answers

  mutating func answered(
    _ id: PromptID, by agent: ClientID, _ answer: PromptAnswer?, _ turn: inout Turn
  ) {
    // An answer counts only from an agent that has the prompt and may answer it.
    let mayAnswer = self.prompts.open.values.first { $0.prompt.id == id }.map {
      self.mayAnswer(agent, for: $0.prompt.question.principal)
    }
    guard let answer, mayAnswer ?? false else {
      for uid in self.prompts.decline(agent, id) { self.endPrompt(of: uid, &turn) }
      return
    }
    guard let (prompt, others) = self.prompts.answered(id, by: agent) else { return }
    for other in others { turn.act(.withdraw(other, id)) }
    let question = prompt.question
    let principal = question.principal
    let decision = Decision(
      user: principal.user, level: answer.isAllowed ? min(answer.level ?? question.level, question.level) : nil,
      precision: min(answer.precision ?? question.precision, question.precision), at: turn.now)
    // A no to a request for more leaves the existing grant.
    let storedLevel = self.permissions.decision(for: principal.uid)?.level
    guard decision.level != nil || storedLevel == nil else {
      return self.endPrompt(of: principal.uid, &turn)
    }
    guard answer.isRemembered, principal.mayKeep else {
      return self.decideOnce(decision, for: principal.uid, &turn)
    }
    // A denial takes effect at once, without waiting for the disk. The user may be asked something else before it is
    // stored.
    let waiter = decision.level.map { _ in Permissions.Waiter.prompt(principal.uid, decision) }
    self.carryOut(
      self.permissions.decide(decision, for: principal.uid, waiter), &turn)
    if decision.level == nil { self.endPrompt(of: principal.uid, &turn) }
  }

  /// An answer only for the waiting connections, as long as they last.
  mutating func decideOnce(_ decision: Decision, for uid: UInt32, _ turn: inout Turn) {
    for id in self.clients.ids(of: uid) where !self.calls.awaitingAuthorization(of: id).isEmpty {
      self.clients.decide(decision, of: id)
    }
    self.reconsider(user: uid, &turn)
    self.endPrompt(of: uid, &turn)
  }
}

extension Access {
  /// Whether the request is granted in full.
  fileprivate func covers(_ request: AuthorizationRequest) -> Bool {
    let state = self.authorization.state
    guard state == .always || (state == .whenInUse && request.level == .whenInUse) else { return false }
    return self.authorization.precision >= min(request.precision, self.ceiling)
  }
}
