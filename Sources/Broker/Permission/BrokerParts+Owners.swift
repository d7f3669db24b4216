import Positioning

/// The present users of stored data, by lookups.
extension BrokerParts {
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

  /// The lookup finds no user with this number, which may also mean that a directory has answered too early. The data
  /// waits until the user is found again, and is removed when another user has the number.
  private mutating func suspend(namesOf uid: UInt32, _ turn: inout Turn) {
    let names = self.names.ids(of: uid).filter { self.names[$0]?.isSuspended == false }
    for id in names { self.names.modify(id) { $0.isSuspended = true } }
    guard !names.isEmpty else { return }
    turn.log(
      .ownerChanged,
      "there is no user \(uid, .user): \(names.count) durable names wait until the system knows it again")
  }

  /// A client of the user connects: its groups are the user's.
  mutating func resume(
    namesOf uid: UInt32, groups: [UInt32], _ turn: inout Turn
  ) {
    for id in self.names.ids(of: uid) where self.names[id]?.isSuspended == true {
      self.names.modify(id) { ($0.groups, $0.isSuspended) = (groups, false) }
      self.reconsider(id, &turn)
      self.wake(id, &turn)
    }
  }

  /// Updates the users' names and groups; the caller then updates their access.
  mutating func updateOwners(_ owners: [UInt32: OwnerAccount], _ turn: inout Turn) {
    for (uid, owner) in owners.sorted(by: { $0.key < $1.key }) {
      switch owner {
      case .unknown: continue
      case .nobody: self.suspend(namesOf: uid, &turn)
      case .user(let user, let groups):
        self.removeFormerOwner(uid, but: user, &turn)
        for id in self.names.ids(of: uid) {
          self.names.modify(id) { ($0.groups, $0.isSuspended) = (groups, false) }
        }
        self.clients.learn(user, groups: groups, uid: uid)
      }
    }
  }
}

extension Principal {
  /// The user alone, without a process, since durable registrations belong to the user.
  var asHolder: Principal {
    var holder = Principal(
      uid: self.uid, groups: self.holderGroups, user: self.user, relay: self.relay, subordinate: self.subordinate)
    if self.accountGroups == nil { holder.accountGroups = nil }
    return holder
  }

  /// For people.
  var description: String { "user \(self.user ?? "\(self.uid)")" }
}
