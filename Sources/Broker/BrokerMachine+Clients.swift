import Positioning

/// Clients that connect and leave.
extension BrokerMachine {
  mutating func admit(_ id: ClientID, _ principal: Principal, _ turn: inout Turn) {
    if let user = principal.user {
      self.removeFormerOwner(principal.uid, but: user, &turn)
      for name in self.names.ids(of: principal.uid) where self.names[name]?.isSuspended == true {
        self.adopt(name, with: principal.holderGroups, &turn)
      }
    }
    let access = self.access(of: principal)
    self.clients.admit(id, principal, access)
    self.enter(access.feed, now: turn.now)
    turn.act(.clear(id, access.limit))
  }

  /// The client has introduced itself.
  mutating func introduce(_ id: ClientID, name: String?, purpose: String?) {
    self.clients.introduce(id, name: name, purpose: purpose)
    let holder = Holder.client(id)
    let held = self.calls.count(of: id) + self.subscriptions.count(of: holder) + self.feeds.regionCount(of: holder)
    if self.clients[id] != nil, held > 0 { self.status.introduced() }
  }

  /// Frees all that a client has open, in the turn in which it leaves.
  ///
  /// - Parameter isWritten: Whether its queue is still being written.
  mutating func forget(_ id: ClientID, isWritten: Bool, _ turn: inout Turn) {
    // This is cheap for a client with nothing open, since clients may come and go quickly.
    guard let client = self.clients.remove(id, isWritten: isWritten) else { return }
    let (holder, user) = (Holder.client(id), client.principal.uid)
    self.feeds.leave(client.access.feed)
    self.carryOut(self.prompts.left(id, isConnected: false), &turn)
    for name in self.detach(id, of: user) { self.wake(name, now: turn.now) }
    self.forgetRegions(of: holder, &turn)
    for call in self.calls.ids(of: id) { _ = self.calls.remove(call, of: user) }
    if self.subscriptions.removeAll(of: holder) { self.refreshVisits(now: turn.now) }
  }

  /// How much a client holds that may notify it.
  func holdings(of client: ClientID) -> Int {
    let holder = Holder.client(client)
    return self.subscriptions.count(of: holder) + self.feeds.regionCount(of: holder)
      + self.names.ids(attachedTo: client, of: self.user(of: client)).count
      + self.commits.waitingNotifications(of: client)
  }

  /// In the order in which they connected.
  var clientInfos: [ClientInfo] {
    self.clients.ids.compactMap { id in
      self.clients[id].map { client in
        ClientInfo(
          principal: client.principal, authorization: client.access.authorization, requests: self.calls.count(of: id),
          subscriptions: self.subscriptions.count(of: .client(id)), regions: self.feeds.regionCount(of: .client(id)))
      }
    }
  }
}

/// The present users of stored data, by lookups.
extension BrokerMachine {
  /// The users of whom something is stored, or who are connected, to look up: their groups may have changed.
  var keptUsers: Set<UInt32> {
    self.names.users.union(self.permissions.decidedUsers).union(self.clients.namedUsers)
  }

  /// Removes the data of a number that belongs to another name now.
  mutating func removeFormerOwner(_ uid: UInt32, but user: String?, _ turn: inout Turn) {
    var isDisowned = false
    if let decision = self.permissions.decision(for: uid), decision.user != user {
      self.carryOut(self.permissions.forget(uid), &turn)
      isDisowned = true
    }
    for id in self.names.ids(of: uid) {
      guard let name = self.names[id], name.user != user else { continue }
      if let client = name.attachment?.client {
        turn.notify(client, .durableEnded(name: id.name, .cancelled))
      }
      self.forgetName(name, &turn)
      isDisowned = true
    }
    guard isDisowned else { return }
    turn.log(
      .ownerChanged,
      "user \(uid, .user) is \(user ?? "nobody") now: what was kept for the one who had the number is removed")
    self.reconsider(user: uid, &turn)
  }

  /// Updates the users' names and groups; the caller then updates their access.
  mutating func updateOwners(_ owners: [UInt32: OwnerAccount], _ turn: inout Turn) {
    for (uid, owner) in owners.sorted(by: { $0.key < $1.key }) {
      switch owner {
      case .unknown: continue
      case .nobody:
        // The user is gone, or a directory has answered before it knew its users. The data waits until the user is found
        // again, and is removed when another user has the number.
        let names = self.names.ids(of: uid).filter { self.names[$0]?.isSuspended == false }
        for id in names { self.names.suspend(id) }
        guard !names.isEmpty else { continue }
        turn.log(
          .ownerChanged,
          "there is no user \(uid, .user): \(names.count) durable names wait until the system knows it again")
      case .user(let user, let groups):
        self.removeFormerOwner(uid, but: user, &turn)
        for id in self.names.ids(of: uid) {
          self.names.learn(groups, of: id)
        }
        self.clients.learn(user, groups: groups, uid: uid)
      }
    }
  }
}
