import Positioning

extension BrokerParts {
  /// Updates which users get positions, as far as this turn sends any.
  mutating func noteUsage(_ turn: inout Turn) {
    var isChanged = false
    for ended in self.usage.ended(now: turn.now) {
      isChanged = true
      turn.log(.positionsEnded, "\(ended.description, .user, ended.uid) is not given the position any more")
    }
    for place in turn.actions.indices where self.noteUsage(by: turn.actions[place].recipientOfPosition, &turn) {
      isChanged = true
    }
    for place in turn.followers.indices {
      let client = turn.followers[place].action?.recipientOfPosition
      if self.noteUsage(by: client, &turn) { isChanged = true }
    }
    if isChanged { turn.act(.inUse(self.usage.inUse)) }
  }

  /// - Returns: Whether a position for the client changes who is shown.
  private mutating func noteUsage(by client: ClientID?, _ turn: inout Turn) -> Bool {
    guard let client, let principal = self.clients[client]?.principal else { return false }
    let change = self.usage.notified(principal, now: turn.now)
    if change.isNew, let inUse = self.usage.inUse.last {
      turn.log(.positionsGiven, "\(inUse.description, .user, inUse.uid) is being given the position")
    }
    return change.isChanged
  }
}

extension Action {
  /// The client that gets a position by it; `nil` if it carries none.
  fileprivate var recipientOfPosition: ClientID? {
    switch self {
    case .notify(_, .status), .answer(_, .status): nil
    case .notify(let client, let notification): notification.sensitivity == .open ? nil : client
    case .answer(let call, let answer): answer.sensitivity == .open ? nil : call.client
    default: nil
    }
  }
}
