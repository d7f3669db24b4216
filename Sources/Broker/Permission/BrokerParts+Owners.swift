import Positioning

/// Who the users are, by the system's word, whose things are kept.
extension BrokerParts {
  /// Whose things are kept: those to ask the system about.
  var keptUsers: Set<UInt32> { self.names.users.union(self.permissions.decidedUsers) }

  /// What belongs to a number under another name is not this user's: it goes.
  mutating func disown(_ uid: UInt32, but user: String?, _ turn: inout Turn) {
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
    turn.log(.notice, "user \(uid) is \(user ?? "nobody") now: what was kept for the one who had the number is removed")
    self.reconsider(user: uid, &turn)
  }

  /// The system knows no user of that number, now: a directory that answers too early says so as well. What is kept waits
  /// until the user is there again, and goes when another one has the number.
  private mutating func suspend(namesOf uid: UInt32, _ turn: inout Turn) {
    let names = self.names.ids(of: uid).filter { self.names[$0]?.isSuspended == false }
    for id in names { self.names.modify(id) { $0.isSuspended = true } }
    guard !names.isEmpty else { return }
    turn.log(.notice, "there is no user \(uid): \(names.count) durable names wait until the system knows it again")
  }

  /// A client of the user is there: its groups are the user's.
  mutating func resume(
    namesOf uid: UInt32, groups: [UInt32], _ turn: inout Turn
  ) {
    for id in self.names.ids(of: uid) where self.names[id]?.isSuspended == true {
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
        for id in self.names.ids(of: uid) {
          self.names.modify(id) { ($0.groups, $0.isSuspended) = (groups, false) }
        }
        self.clients.name(user, uid: uid)
      }
    }
  }
}

extension Principal {
  /// The user alone, as what outlives a connection belongs to it.
  var asHolder: Principal { Principal(uid: self.uid, groups: self.groups, user: self.user) }

  /// For people.
  var words: String { "user \(self.user ?? "\(self.uid)")" }
}
