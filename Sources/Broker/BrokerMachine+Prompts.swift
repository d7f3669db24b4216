import Positioning

/// Asking persons: through agents, which put the question to whoever sits in front of the device.
extension BrokerMachine {
  static let unansweredRemedy =
    "nobody answered in time; ask again, or an administrator adds the user to a group that a rule names"

  // MARK: Who lacks something

  /// Has a person asked for what the client lacks for a call, and the call wait. Where nobody can be asked it is denied.
  mutating func ask(
    for what: Call, as call: CallID, _ denial: CallFailure, mayAsk: Bool, _ turn: inout Turn
  ) throws(CallFailure) -> Reply {
    guard let access = self.clients[call.client]?.access, access.authorization.state == .notDetermined,
      access.isAskable, what.requirement != .administrator
    else { throw denial }
    guard mayAsk else { throw .notDetermined(remedy: Self.unansweredRemedy) }
    let isLasting = what.requirement == .durable || what.requirement == .preciseDurable
    let wish = AuthorizationWish(level: isLasting ? .always : .whenInUse, precision: access.ceiling)
    switch self.ask(wish, as: call, &turn) {
    case .put, .isOpen:
      guard what.mayWait else {
        throw .notDetermined(
          remedy: "a person is being asked; try again once authorization.changed tells the answer")
      }
      return try self.park(what, as: call, &turn)
    case .nobody: throw denial
    case .tooOften: throw Self.tooManyPrompts
    }
  }

  private static let tooManyPrompts = CallFailure.limitExceeded(
    name: "prompts per principal", value: PromptDesk.maximumPrompts)

  mutating func requestAuthorization(
    _ wish: AuthorizationWish, as call: CallID, mayAsk: Bool, _ turn: inout Turn
  ) throws(CallFailure) -> Reply {
    guard let access = self.clients[call.client]?.access else { return .later }
    let isDenied = access.authorization.state == .denied && !wish.isForced
    guard mayAsk, access.isAskable, !isDenied, !access.covers(wish) else {
      return .now(.authorization(access.authorization))
    }
    switch self.ask(wish, as: call, &turn) {
    case .put, .isOpen: return try self.park(.requestAuthorization(wish), as: call, &turn)
    case .nobody: return .now(.authorization(access.authorization))
    case .tooOften: throw Self.tooManyPrompts
    }
  }

  /// Has a person asked, where there is an agent, and nobody asks the user already.
  private mutating func ask(
    _ wish: AuthorizationWish, as call: CallID, _ turn: inout Turn
  ) -> PromptDesk.Asking {
    guard let client = self.clients[call.client] else { return .nobody }
    let agents = self.agents.sorted().filter { self.mayAnswer($0, for: client.principal) }
    let asking = self.desk.ask(
      client.principal, level: wish.level, precision: min(wish.precision, client.access.ceiling),
      from: self.access(of: client.principal, once: nil).authorization.state, agents: agents, now: turn.now)
    switch asking {
    case .put(let prompt, let agents):
      for agent in agents { turn.act(.ask(agent, prompt)) }
      self.setDeadline(turn.now + prompt.expiresIn, for: .prompt(client.principal.uid))
      self.tellPrompted(prompt, to: call.client, &turn)
    case .isOpen(let prompt): self.tellPrompted(prompt, to: call.client, &turn)
    case .nobody, .tooOften: break
    }
    return asking
  }

  private mutating func tellPrompted(
    _ prompt: Prompt, to client: ClientID, _ turn: inout Turn
  ) {
    let notification = Notification.prompted(prompt.level, prompt.precision, expiresIn: prompt.expiresIn)
    self.tell(notification, to: client, &turn)
  }

  // MARK: Calls that wait

  private mutating func park(_ what: Call, as call: CallID, _ turn: inout Turn) throws(CallFailure) -> Reply {
    try self.checkRoomForRequest(call)
    let parked = ParkedCall(call: call, what: what, began: turn.now, maxRequestTime: self.settings.maxRequestTime)
    self.parked[call] = parked
    self.countRequests(1, of: call.client)
    self.setDeadline(parked.deadline, for: .request(call))
    return .later
  }

  /// The calls of a user's clients go on: a person answered, or nobody does.
  private mutating func resumeParked(of uid: UInt32, _ turn: inout Turn) {
    let calls = self.userClients.members(of: uid).flatMap { self.parked.keys(of: $0) }
    for parked in calls.compactMap({ self.parked[$0] }).sorted(by: { $0.began < $1.began }) {
      self.drop(parked.call)
      self.perform(parked.what, as: parked.call, since: parked.began, mayAsk: false, &turn)
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

  mutating func registerAgent(as call: CallID, _ turn: inout Turn) throws(CallFailure) -> Reply {
    guard let access = self.clients[call.client]?.access else { return .later }
    guard access.agent != .none else {
      throw .restricted(
        what: "no rule lets this client answer prompts", rule: access.authorization.rule,
        remedy: "an administrator sets agent=yes in a rule for this user in positiond.conf")
    }
    turn.placeAnswer()
    guard self.agents.insert(call.client).inserted else { return .now(.agentRegistered) }
    let askable = self.desk.principals.filter { self.mayAnswer(call.client, for: $0) }.map(\.uid)
    for prompt in self.desk.join(call.client, for: askable, now: turn.now) { turn.act(.ask(call.client, prompt)) }
    return .now(.agentRegistered)
  }

  /// The agent left, or may answer no more. A question that nobody else has ends.
  mutating func agentLeft(_ agent: ClientID, _ turn: inout Turn) {
    if self.clients[agent] != nil {
      for open in self.desk.open.values where open.agents.contains(agent) {
        turn.act(.withdraw(agent, open.prompt.id))
      }
    }
    for uid in self.desk.leave(agent) { self.endPrompt(of: uid, &turn) }
  }

  /// Nobody answers the question any more, or it is answered.
  mutating func endPrompt(of uid: UInt32, _ turn: inout Turn) {
    self.setDeadline(nil, for: .prompt(uid))
    guard let ended = self.desk.end(uid) else { return }
    for agent in ended.agents { turn.act(.withdraw(agent, ended.prompt.id)) }
    self.resumeParked(of: uid, &turn)
  }

  /// Questions that are answered by a rule, or by an administrator, meanwhile.
  ///
  /// - Parameter user: whose; `nil`: everybody's.
  mutating func endIdlePrompts(of user: UInt32?, _ turn: inout Turn) {
    for uid in user.map({ [$0] }) ?? self.desk.open.keys.sorted() {
      guard let open = self.desk.open[uid], !open.isAnswered else { continue }
      let state = self.access(of: open.prompt.principal, once: nil).authorization.state
      if state != open.before { self.endPrompt(of: uid, &turn) }
    }
  }

  // MARK: Answers

  mutating func answered(
    _ id: PromptID, by agent: ClientID, _ answer: PromptAnswer?, _ turn: inout Turn
  ) {
    // Who may not answer any more, or was not asked, decides nothing.
    let mayAnswer = self.desk.open.values.first { $0.prompt.id == id }.map {
      self.mayAnswer(agent, for: $0.prompt.principal)
    }
    guard let answer, mayAnswer ?? false else {
      for uid in self.desk.leave(agent, id) { self.endPrompt(of: uid, &turn) }
      return
    }
    guard let (prompt, others) = self.desk.answered(id, by: agent) else { return }
    for other in others { turn.act(.withdraw(other, id)) }
    let principal = prompt.principal
    self.setDeadline(nil, for: .prompt(principal.uid))
    let decision = Decision(
      user: principal.user, level: answer.isAllowed ? min(answer.level ?? prompt.level, prompt.level) : nil,
      precision: min(answer.precision ?? prompt.precision, prompt.precision), at: turn.now)
    // A no to more than somebody has leaves what it has.
    let standing = self.permissions.decision(for: principal.uid)?.level
    guard decision.level != nil || standing == nil else {
      return self.endPrompt(of: principal.uid, &turn)
    }
    guard answer.isRemembered, principal.mayKeep else {
      return self.decideOnce(decision, for: principal.uid, &turn)
    }
    // A no counts at once: nobody waits for the disk, and the user may be asked something else before it has it.
    let waiter = decision.level.map { _ in PermissionBook.Waiter.prompt(principal.uid, decision) }
    self.carryOut(
      self.permissions.decide(decision, for: principal.uid, waiter, now: turn.now), &turn)
    if decision.level == nil { self.endPrompt(of: principal.uid, &turn) }
  }

  /// The answer counts for those who waited for it, as long as they are connected.
  private func waitingClients(of uid: UInt32) -> Set<ClientID> {
    Set(self.userClients.members(of: uid).filter { !self.parked.keys(of: $0).isEmpty })
  }

  /// The answer holds for the connections alone that waited for it.
  mutating func decideOnce(_ decision: Decision, for uid: UInt32, _ turn: inout Turn) {
    for client in self.waitingClients(of: uid) { self.clients[client]?.decision = decision }
    self.reconsider(user: uid, &turn)
    self.endPrompt(of: uid, &turn)
  }
}

/// A call that waits for a person's answer.
struct ParkedCall: Sendable {
  let call: CallID
  let what: Call
  let began: Instant
  /// When it is answered without; `nil`: when nobody answers the question any more.
  let deadline: Instant?

  init(call: CallID, what: Call, began: Instant, maxRequestTime: Duration) {
    self.call = call
    self.what = what
    self.began = began
    self.deadline =
      switch what {
      case .getFix(let request) where !request.delaysUntilAuthorized:
        request.deadline(began: began, maxRequestTime: maxRequestTime)
      case .getHeading(let request):
        PendingHeading(call: call, request: request, began: began, maxRequestTime: maxRequestTime).deadline
      default: nil
      }
  }

  /// As its client lists it; `nil` where it is none that is listed.
  func info(now: Instant) -> RequestInfo? {
    let asked: RequestInfo.Asked
    switch self.what {
    case .getFix(let request): asked = .fix(request)
    case .getHeading(let request): asked = .heading(request)
    default: return nil
    }
    let remaining = self.deadline.map { max(.zero, $0 - now) } ?? PromptDesk.patience
    return RequestInfo(call: self.call, asked: asked, elapsed: now - self.began, remaining: remaining)
  }
}

extension Access {
  /// Whether nothing is left of the wish to be granted.
  fileprivate func covers(_ wish: AuthorizationWish) -> Bool {
    let state = self.authorization.state
    guard state == .always || (state == .whenInUse && wish.level == .whenInUse) else { return false }
    return self.authorization.precision >= min(wish.precision, self.ceiling)
  }
}
