import Positioning

/// Clients that connect and leave.
extension BrokerParts {
  mutating func admit(_ id: ClientID, _ principal: Principal, _ turn: inout Turn) {
    if let user = principal.user {
      self.removeFormerOwner(principal.uid, but: user, &turn)
      self.resume(namesOf: principal.uid, groups: principal.holderGroups, &turn)
    }
    let access = self.access(of: principal, once: nil)
    self.clients.admit(id, principal, access)
    self.enter(access.feed, &turn)
    turn.act(.clear(id, self.limit(access)))
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
    self.agentLeft(id, &turn)
    for name in self.detach(id, of: user, &turn) { self.wake(name, &turn) }
    self.forgetRegions(of: holder, &turn)
    for call in self.calls.ids(of: id) { _ = self.calls.remove(call, of: user) }
    for subscription in self.subscriptions.ids(of: holder) { self.remove(subscription, of: user, &turn) }
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
