import Broker
import EventLoop

extension NameOwner {
  /// Asks the system, whose answer may come from afar.
  init(of uid: UInt32) {
    switch AccountLookup.user(uid) {
    case .found(let user): self = .user(user.name, groups: user.groups)
    case .absent: self = .nobody
    case .unknown: self = .unknown
    }
  }

  /// Asks for each of them.
  static func owners(of uids: Set<UInt32>) -> [UInt32: NameOwner] {
    Dictionary(uniqueKeysWithValues: uids.map { ($0, NameOwner(of: $0)) })
  }
}

extension StoredState {
  /// The state with what the system says now of the groups of those whose names were kept.
  func withGroups() -> StoredState {
    let owners = NameOwner.owners(of: Set(self.names.map(\.id.uid)))
    var state = self
    for place in state.names.indices {
      guard case .user(let user, let groups)? = owners[state.names[place].id.uid], user == state.names[place].user
      else { continue }
      state.names[place].groups = groups
    }
    return state
  }
}
