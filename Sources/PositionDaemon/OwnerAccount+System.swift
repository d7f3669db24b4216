import Broker
import EventLoop

extension OwnerAccount {
  init(_ lookup: AccountLookup<Account>) {
    switch lookup {
    case .found(let user): self = .user(user.name, groups: user.groups)
    case .absent: self = .nobody
    case .unknown: self = .unknown
    }
  }
}

extension [UInt32: OwnerAccount] {
  /// The account lookups so far.
  init(_ answers: [AccountQuery: AccountLookup<Account>]) {
    self = [:]
    for (question, lookup) in answers {
      if case .user(let uid) = question { self[uid] = OwnerAccount(lookup) }
    }
  }
}

extension StoredState {
  /// The users to whom stored names and decisions belong.
  var users: Set<UInt32> { Set(self.names.map(\.id.uid)).union(self.decisions.keys) }

  /// The state after the lookup of its owners' groups.
  func with(_ owners: [UInt32: OwnerAccount]) -> StoredState {
    var state = self
    for place in state.names.indices {
      guard case .user(let user, let groups)? = owners[state.names[place].id.uid], user == state.names[place].user
      else {
        // The name waits: a directory that cannot be asked yet is no reason to forget it.
        state.names[place].isOwnerKnown = false
        continue
      }
      state.names[place].groups = groups
    }
    return state
  }
}
