import Positioning

/// Who may know what, and what follows when that changes.
extension BrokerMachine {
  func access(of principal: Principal, once: Decision?) -> Access {
    self.settings.access.access(
      of: principal, decision: once ?? self.permissions.decision(for: principal.uid),
      isSwitchedOn: self.permissions.isSwitchedOn, unread: self.permissions.unread)
  }

  /// What the user may have whose durable name it is: by the user alone, since no process stands for the name.
  func holderAccess(of name: DurableName) -> Access {
    var access = self.access(of: name.principal, once: nil)
    // What may be known while connected only is nothing for somebody who is not.
    if name.isSuspended || self.isWaiting(name) || access.authorization.state != .always {
      access.authorization.state = .restricted
    }
    return access
  }

  /// The same for the client that would register.
  func holderAccess(of call: CallID) -> Access? {
    guard let principal = self.clients[call.client]?.principal else { return nil }
    let access = self.access(of: principal.asHolder, once: nil)
    return access.authorization.state == .always ? access : nil
  }

  /// Whether nobody can say yet what the name's user may know: it is told nothing meanwhile, and loses nothing. What is
  /// surely taken from it is taken all the same.
  func isWaiting(_ name: DurableName) -> Bool {
    self.settings.access.isEnabled && self.permissions.isSwitchedOn
      && self.settings.access.isInDoubt(
        of: name.principal, self.permissions.decision(for: name.id.uid), isMissing: name.isSuspended)
  }

  // MARK: Clients

  mutating func admit(_ client: ClientID, _ principal: Principal, _ turn: inout Turn) {
    if let user = principal.user {
      self.disown(principal.uid, but: user, &turn)
      self.resume(namesOf: principal.uid, groups: principal.groups, &turn)
    }
    let access = self.access(of: principal, once: nil)
    self.clients[client] = Client(principal: principal, access: access)
    self.userClients.put(client, in: principal.uid)
    self.enter(access.view, &turn)
    turn.act(.clear(client, self.clearance(access)))
  }

  /// What a client lacks for a call; `nil`: nothing.
  func denial(of call: CallID, for what: Call) -> CallFailure? { self.denial(what.requirement, of: call) }

  /// What a call that needs so much is surely refused with, whatever else it says; `nil`: it might be done, or have a
  /// person asked.
  package func denial(of call: CallID, _ requirement: Call.Requirement) -> CallFailure? {
    guard let failure = self.denial(requirement, of: call), let client = self.clients[call.client] else {
      return nil
    }
    let isAskable = client.access.authorization.state == .notDetermined && client.access.isAskable
    guard requirement != .administrator, isAskable else { return failure }
    return self.agents.contains { self.mayAnswer($0, for: client.principal) } ? nil : failure
  }

  private func denial(_ requirement: Call.Requirement, of call: CallID) -> CallFailure? {
    guard let client = self.clients[call.client] else { return nil }
    let access = client.access
    switch requirement {
    case .nothing: return nil
    case .administrator:
      guard !access.isAdministrator else { return nil }
      return .restricted(
        what: "this is for administrators", rule: access.authorization.rule,
        remedy: "root asks, or a client whose rule in positiond.conf has admin=yes")
    case .position: return access.authorization.state.isGranted ? nil : self.denial(access, of: client)
    case .precise: return self.precisionDenial(access, of: client)
    case .durable: return self.durationDenial(access, of: client, call)
    case .preciseDurable:
      return self.durationDenial(access, of: client, call) ?? self.precisionDenial(access, of: client)
    }
  }

  private func precisionDenial(_ access: Access, of client: Client) -> CallFailure? {
    guard access.authorization.state.isGranted else { return self.denial(access, of: client) }
    guard access.authorization.precision == .reduced else { return nil }
    return .accuracyLimited(
      what: "satellites, headings and visits tell more than a reduced position",
      remedy: access.authorization.remedy ?? Self.precisionRemedy)
  }

  private func durationDenial(_ access: Access, of client: Client, _ call: CallID) -> CallFailure? {
    let authorization = access.authorization
    let remedy = authorization.remedy ?? "an administrator gives this user grant=always in a rule of positiond.conf"
    switch authorization.state {
    case .always:
      guard self.holderAccess(of: call) == nil else { return nil }
      return .restricted(
        what: "what outlives a connection belongs to a user, and only a unit of this user may always know the position",
        rule: authorization.rule, remedy: "an administrator gives the user, or a group of it, grant=always in a rule")
    case .whenInUse:
      let what = "the position may be known while connected only"
      if let rule = authorization.rule { return .restricted(what: what, rule: rule, remedy: remedy) }
      return .denied(what: what, at: self.decision(of: client)?.at, remedy: remedy)
    case .notDetermined, .denied, .restricted, .disabled: return self.denial(access, of: client)
    }
  }

  /// Why a client that is granted nothing gets nothing.
  private func denial(_ access: Access, of client: Client) -> CallFailure {
    let authorization = access.authorization
    let remedy = authorization.remedy ?? ""
    switch authorization.state {
    case .notDetermined: return .notDetermined(remedy: remedy)
    case .disabled: return .switchedOff(remedy: remedy)
    case .denied: return .denied(what: "a person answered no", at: self.decision(of: client)?.at, remedy: remedy)
    case .restricted, .whenInUse, .always:
      let rule = authorization.rule
      return .restricted(
        what: rule.map { "rule \($0) does not let this client know the position" }
          ?? "the position is not for this client",
        rule: rule, remedy: remedy)
    }
  }

  func tooFine(for call: CallID, what: String) -> CallFailure {
    let remedy = self.clients[call.client]?.access.authorization.remedy
    return .accuracyLimited(
      what: "\(what) is more than a reduced position tells", remedy: remedy ?? Self.precisionRemedy)
  }

  private static let precisionRemedy = "an administrator sets precision=precise in the rule in positiond.conf"

  func decision(of client: Client) -> Decision? {
    client.decision ?? self.permissions.decision(for: client.principal.uid)
  }

  func clearance(_ access: Access) -> Clearance {
    Clearance(precision: access.view?.precision, refusal: self.lateDenial(access))
  }

  /// What becomes of an answer that may not be given any more.
  private func lateDenial(_ access: Access) -> CallFailure {
    let authorization = access.authorization
    let remedy = authorization.remedy ?? ""
    switch authorization.state {
    case .whenInUse, .always:
      return .accuracyLimited(what: "the position was made rough meanwhile", remedy: remedy)
    case .notDetermined: return .notDetermined(remedy: remedy)
    case .disabled: return .switchedOff(remedy: remedy)
    case .denied: return .denied(what: "a person answered no", at: nil, remedy: remedy)
    case .restricted:
      return .restricted(
        what: "the position is not for this client any more", rule: authorization.rule, remedy: remedy)
    }
  }

  func authorization(of client: ClientID) -> Reply {
    self.clients[client].map { .now(.authorization($0.access.authorization)) } ?? .later
  }

  // MARK: Changes

  /// Looks again what everybody may know, or those of one user, and does what follows where that changed.
  mutating func reconsider(user uid: UInt32? = nil, _ turn: inout Turn) {
    for id in (uid.map { self.userClients.members(of: $0) } ?? Array(self.clients.keys)).sorted() {
      guard let client = self.clients[id] else { continue }
      let (old, new) = (client.access, self.access(of: client.principal, once: client.decision))
      guard old != new else { continue }
      self.clients[id]?.access = new
      turn.act(.clear(id, self.clearance(new)))
      if old.authorization != new.authorization {
        turn.notify(id, .authorization(new.authorization, previous: old.authorization))
      }
      // What outlives the connection comes to those alone who may know it always: it attaches again when it may.
      if new.authorization.state != .always { _ = self.detach(id, of: client.principal.uid, &turn) }
      if new.agent == .none, self.agents.remove(id) != nil { self.agentLeft(id, &turn) }
      if old.view != new.view { self.move(id, from: old.view, to: new.view, &turn) }
    }
    for id in uid.map({ self.names.keys(of: $0) }) ?? self.names.keys {
      self.reconsider(id, &turn)
      // What happened before wakes its client as soon as it may be woken.
      self.wake(id, &turn)
    }
    self.clearLeaving(of: uid, &turn)
    self.endIdlePrompts(of: uid, &turn)
  }

  /// Those who have left are still written what waits for them: no more of it than they may know now.
  private mutating func clearLeaving(of uid: UInt32?, _ turn: inout Turn) {
    for (id, client) in self.leaving.sorted(by: { $0.key < $1.key })
    where uid.map({ $0 == client.principal.uid }) ?? true {
      let access = self.access(of: client.principal, once: client.decision)
      guard access != client.access else { continue }
      self.leaving[id]?.access = access
      turn.act(.clear(id, self.clearance(access)))
    }
  }

  mutating func reconsider(_ id: DurableID, _ turn: inout Turn) {
    guard let name = self.names[id] else { return }
    let (old, new) = (name.view, self.holderAccess(of: name).view)
    // Who waits for what the system says, or has waited, loses nothing by that.
    let isKept = self.isWaiting(name) || new == name.keptView
    guard old != new || !isKept else { return }
    self.names.modify(id) { $0.view = new }
    // One who comes back and may know nothing has moved already, with all that was known.
    self.move(name.holder, from: old, to: new, keepsStates: isKept, &turn)
    if isKept { return }
    self.names.modify(id) { name in
      name.keptView = new
      // What it was to tell came about by what its user may know no more.
      name.inbox.acknowledge(through: name.inbox.lastEvent)
    }
    turn.store(.setView(id, new))
    turn.store(.acknowledge(id, through: name.inbox.lastEvent))
    if let stored = self.positions[name.position]?.stored { turn.store(.putPosition(id, stored)) }
  }

  /// What somebody asked for goes on by other fixes, or waits for a permission, or ends.
  ///
  /// - Parameter keepsStates: whether it may go on from what it knew, or will.
  private mutating func move(
    _ holder: ClientID, from old: FixViewKey?, to new: FixViewKey?, keepsStates: Bool = false, _ turn: inout Turn
  ) {
    self.views.join(old, by: -1)
    self.enter(new, &turn)
    self.moveRequests(of: holder, to: new, &turn)
    let availability = self.availability(of: holder)
    for id in self.positions.keys(of: holder) {
      let update =
        self.positions.modify(id) {
          $0.move(to: new, keepsStates: keepsStates, availability: availability, now: turn.now)
        } ?? nil
      if let update { self.tell([update], &turn) }
      self.refresh(id, &turn)
    }
    self.moveHeadings(of: holder, &turn)
    for id in self.visits.keys(of: holder) { self.visits.modify(id) { $0.view = new } }
    self.refreshVisits(&turn)
    self.moveRegions(of: holder, from: old, to: new, keepsStates: keepsStates, &turn)
  }

  private mutating func moveRequests(
    of holder: ClientID, to new: FixViewKey?, _ turn: inout Turn
  ) {
    guard let client = self.clients[holder] else { return }
    for call in self.requests.keys(of: holder) {
      guard let new, self.requests[call]?.request.isAllowed(new.precision) == true else {
        self.drop(call)
        let failure =
          new == nil
          ? self.denial(client.access, of: client) : self.tooFine(for: call, what: "an accuracy of less than 2 km")
        turn.answer(call, .failed(failure))
        continue
      }
      self.requests.modify(call) { $0.move(to: new) }
      self.need(.now, in: new, for: .request(call), &turn)
    }
    guard let failure = self.precisionDenial(client.access, of: client) else { return }
    for call in self.headingRequests.keys(of: holder) {
      self.drop(call)
      turn.answer(call, .failed(failure))
    }
  }

  /// The same for headings and the sky, which are for those alone who may know all.
  private mutating func moveHeadings(of holder: ClientID, _ turn: inout Turn) {
    let need: Need = self.isPrecise(holder) ? .now : .none
    for id in self.skies.keys(of: holder) { self.needs.set(need, for: .subscription(id)) }
    let (heading, state) = (self.headingView.heading(now: turn.now), self.headingView.state(now: turn.now))
    for id in self.headings.keys(of: holder) {
      self.needs.set(need, for: .subscription(id))
      let update =
        self.headings.modify(id) {
          need == .none ? $0.told(nil, .invalid, now: turn.now) : $0.told(heading, state, now: turn.now)
        } ?? nil
      if let update { self.tell(.heading(update), to: id.client, &turn) }
      if update?.state == .unavailable { self.end(id, reason: .unavailable, &turn) }
      self.setDeadline(need == .none ? nil : self.headings[id]?.nextDeadline, for: .subscription(id))
    }
  }

  // MARK: Users

  /// Whose things are kept: those to ask the system about.
  package var keptUsers: Set<UInt32> { Set(self.names.allOwners).union(self.permissions.decidedUsers) }

  /// What belongs to a number under another name is not this user's: it goes.
  private mutating func disown(_ uid: UInt32, but user: String?, _ turn: inout Turn) {
    var isDisowned = false
    if let decision = self.permissions.decision(for: uid), decision.user != user {
      self.carryOut(self.permissions.forget(uid), &turn)
      isDisowned = true
    }
    for id in self.names.keys(of: uid) {
      guard let name = self.names[id], name.user != user else { continue }
      if let client = name.attachment?.client {
        turn.notify(client, .durableEnded(name: id.name, .cancelled))
      }
      self.forgetName(name, &turn)
      isDisowned = true
    }
    guard isDisowned else { return }
    turn.log(.notice, "user \(uid) is \(user ?? "nobody") now: what was kept for the one who had the number is removed")
    self.reconsider(user: uid, &turn)
  }

  /// The system knows no user of that number, now: a directory that answers too early says so as well. What is kept waits
  /// until the user is there again, and goes when another one has the number.
  private mutating func suspend(namesOf uid: UInt32, _ turn: inout Turn) {
    let names = self.names.keys(of: uid).filter { self.names[$0]?.isSuspended == false }
    for id in names { self.names.modify(id) { $0.isSuspended = true } }
    guard !names.isEmpty else { return }
    turn.log(.notice, "there is no user \(uid): \(names.count) durable names wait until the system knows it again")
  }

  /// A client of the user is there: its groups are the user's.
  private mutating func resume(
    namesOf uid: UInt32, groups: [UInt32], _ turn: inout Turn
  ) {
    for id in self.names.keys(of: uid) where self.names[id]?.isSuspended == true {
      self.names.modify(id) { ($0.groups, $0.isSuspended) = (groups, false) }
      self.reconsider(id, &turn)
      self.wake(id, &turn)
    }
  }

  /// Who the users are now; what they may know is looked at again by the caller.
  mutating func learn(_ owners: [UInt32: NameOwner], _ turn: inout Turn) {
    for (uid, owner) in owners.sorted(by: { $0.key < $1.key }) {
      switch owner {
      case .unknown: continue
      case .nobody: self.suspend(namesOf: uid, &turn)
      case .user(let user, let groups):
        self.disown(uid, but: user, &turn)
        for id in self.names.keys(of: uid) {
          self.names.modify(id) { ($0.groups, $0.isSuspended) = (groups, false) }
        }
        // One who connected while the system could not say has its name from now on.
        for id in self.userClients.members(of: uid) {
          if self.clients[id]?.principal.user == nil { self.clients[id]?.principal.user = user }
        }
      }
    }
  }

  // MARK: Usage

  /// Who is being given positions, as far as this turn tells any.
  mutating func noteUsage(_ turn: inout Turn) {
    var isChanged = false
    for ended in self.usage.ended(now: turn.now) {
      isChanged = true
      turn.log(.info, "\(ended.words) is not given the position any more")
    }
    for client in turn.actions.toldPositions() + turn.followers.toldPositions() {
      guard let principal = self.clients[client]?.principal else { continue }
      let told = self.usage.told(principal, now: turn.now)
      isChanged = isChanged || told.isChanged
      if told.isNew, let inUse = self.usage.inUse.last {
        turn.log(.info, "\(inUse.words) is being given the position")
      }
    }
    if isChanged { turn.act(.inUse(self.usage.inUse)) }
    self.setDeadline(self.usage.nextDeadline, for: .usage)
  }
}

extension FixRequest {
  /// Whether somebody who may know so much may ask for it.
  func isAllowed(_ precision: Precision) -> Bool {
    precision == .precise || (self.accuracy.map { $0.meters >= Disguise.accuracy } ?? true)
  }
}

extension Principal {
  /// The user alone, as what outlives a connection belongs to it.
  var asHolder: Principal { Principal(uid: self.uid, groups: self.groups, user: self.user) }

  /// For people.
  var words: String { "user \(self.user ?? "\(self.uid)")" }
}

extension DurableName {
  var principal: Principal { Principal(uid: self.id.uid, groups: self.groups, user: self.user, name: self.id.name) }
}

extension [Action] {
  /// The clients that are told where the device is.
  fileprivate func toldPositions() -> [ClientID] {
    self.compactMap { action in
      switch action {
      case .notify(_, .status), .answer(_, .status): nil
      case .notify(let client, let notification): notification.sensitivity == .open ? nil : client
      case .answer(let call, let answer): answer.sensitivity == .open ? nil : call.client
      default: nil
      }
    }
  }
}
