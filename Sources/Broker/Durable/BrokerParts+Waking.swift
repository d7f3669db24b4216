import Positioning

/// Waking: a unit is started for events of a durable name without an attached client.
///
/// Whether to start it follows from the state alone. So it is checked whenever that may have changed, and again when
/// the start is stored and about to happen.
extension BrokerParts {
  /// Root needs no rule. A grant by unit does not hold for the unit's user.
  func mayWake(_ unit: String, _ principal: Principal) -> Bool {
    principal.uid == 0 || self.access(of: principal.asHolder, once: nil).wake.contains(unit)
  }

  /// The unit to start for the name's waiting events; `nil`: none, or none that is allowed.
  private func owedStart(of id: DurableID) -> String? {
    guard let name = self.names[id], name.isStartOwed, !name.isSuspended, let unit = name.wake,
      self.mayWake(unit, name.principal)
    else { return nil }
    return unit
  }

  /// Starts the name's unit if an event waits, now or as soon as it may be started again.
  mutating func wake(_ id: DurableID, _ turn: inout Turn) {
    guard !self.isStopping, let unit = self.owedStart(of: id) else { return self.names.setWake(at: nil, for: id) }
    let target = WakeTarget(uid: id.uid, unit: unit)
    if self.names.mayStart(target, now: turn.now) {
      guard !self.commits.isBehind(id) else {
        self.names.setWake(at: nil, for: id)
        return self.commits.owe(id)
      }
      for over in self.names.started(target, now: turn.now) { turn.store(.removeWakeStart(over)) }
      turn.store(.putWakeStart(target, turn.now))
      turn.afterCommit(.startUnit(unit, for: id))
    }
    // A start that does not happen is tried again as soon as it may be.
    self.names.setWake(at: self.names.nextStart(of: target), for: id)
  }

  /// The start is stored. Returns whether it happens, which is checked again.
  mutating func takeStart(of unit: String, for id: DurableID, _ turn: inout Turn) -> Bool {
    guard self.owedStart(of: id) == unit else { return false }
    self.names.modify(id) { $0.wokenThrough = $0.inbox.lastEvent }
    self.names.setWake(at: nil, for: id)
    return true
  }

  mutating func unitStarted(for id: DurableID, error: String?, _ turn: inout Turn) {
    guard let unit = self.names[id]?.wake else { return }
    self.names.modify(id) { $0.wakeError = error }
    if let error {
      turn.log(
        .unitNotStarted,
        "\(unit, .unit) was not started for \(id.name, .durableName) of user \(id.uid, .user): \(error)")
    } else {
      turn.log(.unitStarted, "\(unit, .unit) was started for \(id.name, .durableName) of user \(id.uid, .user)")
    }
  }
}
