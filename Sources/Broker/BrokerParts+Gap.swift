import Positioning

/// Time in which the daemon did not run.
///
/// Nobody searched, waited or served then. So every deadline that measures an effort is put off: of searches and probes,
/// of requests, of the disk, of a person's answer, of lingers and heartbeats. What measures how old knowledge is, or was
/// promised for a moment, is not: ages, a loss, the next look, the end of a duration.
extension BrokerParts {
  mutating func putOff(by gap: Duration, _ turn: inout Turn) {
    self.calls.putOff(by: gap)
    self.subscriptions.putOff(by: gap)
    self.prompts.putOff(by: gap)
    self.permissions.putOff(by: gap)
    self.visits.putOff(by: gap)
    self.feeds.putOff(by: gap, now: turn.now)
    self.demand.putOff(by: gap, now: turn.now)
    self.commits.putOff(by: gap)
    self.idle.putOff(by: gap)
  }
}
