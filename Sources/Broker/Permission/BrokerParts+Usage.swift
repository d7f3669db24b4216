import Positioning

extension BrokerParts {
  /// Updates which users get positions, as far as this turn sends any.
  mutating func noteUsage(_ turn: inout Turn) {
    var isChanged = false
    for ended in self.usage.ended(now: turn.now) {
      isChanged = true
      turn.log(.info, "\(ended.description) is not given the position any more")
    }
    for client in turn.actions.recipientsOfPositions() + turn.followers.recipientsOfPositions() {
      guard let principal = self.clients[client]?.principal else { continue }
      let change = self.usage.notified(principal, now: turn.now)
      isChanged = isChanged || change.isChanged
      if change.isNew, let inUse = self.usage.inUse.last {
        turn.log(.info, "\(inUse.description) is being given the position")
      }
    }
    if isChanged { turn.act(.inUse(self.usage.inUse)) }
  }
}

extension [Action] {
  /// The clients that get a position.
  fileprivate func recipientsOfPositions() -> [ClientID] {
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
