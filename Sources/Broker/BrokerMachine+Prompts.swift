import Positioning

/// Asking persons through agents, and the calls that wait for the answer.
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
    guard try self.ask(request, as: call, &turn) else { throw denial }
    guard row.mayWait else {
      throw .notDetermined(remedy: "a person is being asked; try again after authorization.changed")
    }
    return try self.awaitAuthorization(what, as: call, now: turn.now)
  }

  mutating func requestAuthorization(
    _ request: AuthorizationRequest, as asker: Asker<Authorization>, mayAsk: Bool, _ turn: inout Turn
  ) throws(CallFailure) -> Answering {
    guard let access = self.clients[asker.client]?.access else { return .later }
    let isDenied = access.authorization.state == .denied && !request.isForced
    guard mayAsk, access.isAskable, !isDenied, !access.covers(request),
      try self.ask(request, as: asker.id, &turn)
    else { return asker.now(access.authorization) }
    return try self.awaitAuthorization(.requestAuthorization(request), as: asker.id, now: turn.now)
  }

  /// Asks a person, unless the user has an open prompt already.
  ///
  /// - Returns: Whether a person is being asked; otherwise there is no agent.
  private mutating func ask(
    _ request: AuthorizationRequest, as call: CallID, _ turn: inout Turn
  ) throws(CallFailure) -> Bool {
    guard let client = self.clients[call.client] else { return false }
    let agents = self.prompts.agents.sorted().filter { self.mayAnswer($0, for: client.principal) }
    let asked = try self.prompts.ask(
      client.principal, level: request.level, precision: min(request.precision, client.access.ceiling),
      from: self.access(of: client.principal).authorization.state, agents: agents, now: turn.now)
    guard let (question, effects) = asked else { return false }
    self.carryOut(effects, &turn)
    turn.notify(call.client, .prompted(question.level, question.precision, expiresIn: question.expiresIn))
    return true
  }

  private mutating func awaitAuthorization(
    _ what: Call, as call: CallID, now: Instant
  ) throws(CallFailure) -> Answering {
    try self.checkRoomForRequest(call)
    let awaiting = AwaitingCall(call: call, what: what, began: now, maxRequestTime: self.settings.maxRequestTime)
    self.insert(.awaitingAuthorization(awaiting))
    return .later
  }

  // MARK: Agents and their answers

  func mayAnswer(_ agent: ClientID, for principal: Principal) -> Bool {
    self.clients[agent]?.mayAnswer(for: principal) ?? false
  }

  mutating func registerAgent(as asker: Asker<AgentAnswer>, _ turn: inout Turn) throws(CallFailure) -> Answering {
    guard let client = self.clients[asker.client] else { return .later }
    guard client.access.agent != .none else {
      throw .restricted(
        what: "no rule lets this client answer prompts", rule: client.access.authorization.rule,
        remedy: "an administrator sets agent=yes in a rule for this user in positiond.conf")
    }
    turn.placeAnswer(after: self.commits.newFollowers.count)
    self.carryOut(self.prompts.joined(asker.client, now: turn.now) { client.mayAnswer(for: $0) }, &turn)
    return asker.now(AgentAnswer())
  }

  /// An answer counts only from an agent that has the prompt and may answer it.
  mutating func answered(_ id: PromptID, by agent: ClientID, _ answer: PromptAnswer?, _ turn: inout Turn) {
    guard let principal = self.prompts.principal(of: id) else { return }
    let effects = self.prompts.answered(
      id, by: agent, self.mayAnswer(agent, for: principal) ? answer : nil,
      granted: self.permissions.decision(for: principal.uid)?.level, now: turn.now)
    self.carryOut(effects, &turn)
  }

  mutating func carryOut(_ effects: [PromptQueue.Effect], _ turn: inout Turn) {
    for effect in effects {
      switch effect {
      case .ask(let agent, let prompt): turn.act(.ask(agent, prompt))
      case .withdraw(let agent, let prompt): turn.act(.withdraw(agent, prompt))
      case .decide(let decision, let uid, let waiter):
        self.carryOut(self.permissions.decide(decision, for: uid, waiter), &turn)
      case .decideOnce(let decision, let uid): self.decideOnce(decision, for: uid, &turn)
      case .resume(let uid): self.resumeAwaiting(of: uid, &turn)
      }
    }
  }

  /// An answer only for the waiting connections, as long as they last.
  mutating func decideOnce(_ decision: Decision, for uid: UInt32, _ turn: inout Turn) {
    for id in self.clients.ids(of: uid) where !self.calls.awaitingAuthorization(of: id).isEmpty {
      self.clients.decide(decision, of: id)
    }
    self.reconsider(user: uid, &turn)
  }

  private mutating func resumeAwaiting(of uid: UInt32, _ turn: inout Turn) {
    let awaiting = self.clients.ids(of: uid).flatMap { self.calls.awaitingAuthorization(of: $0) }
    for awaiting in awaiting.sorted(by: { $0.began < $1.began }) {
      guard self.remove(awaiting.call) != nil else { continue }
      self.perform(awaiting.what, as: awaiting.call, since: awaiting.began, mayAsk: false, &turn)
    }
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
