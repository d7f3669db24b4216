import Positioning

/// When the machines need the next call. Each has its own deadlines; those that have passed are handled in order of
/// time, across all machines.
extension BrokerParts {
  /// The most deadlines that one turn handles.
  private static let turnDeadlines = 256

  /// The owner of a deadline. Of two at the same moment the one that is listed first is handled first.
  private enum DeadlineOwner: CaseIterable {
    case calls, subscriptions, wakes, regions, prompts, permissions, visits, filter, planner, commits
  }

  /// The soonest of all.
  func nextDeadline(now: Instant) -> Instant? {
    // Deadlines of reports that follow when everything else is settled, and of the feeds' next fixes, for which the
    // receiver is planned again.
    self.earliest().map(\.deadline).earlier(self.usage.nextDeadline).earlier(self.status.nextDeadline)
      .earlier(self.headingDeadline(now: now)).earlier(self.feedDeadline(now: now))
      .earlier(self.idle.nextDeadline(after: self.settings.exitWhenIdle))
  }

  mutating func deadlinesReached(_ turn: inout Turn) {
    var left = Self.turnDeadlines
    while left > 0, let due = self.earliest(), due.deadline <= turn.now {
      left -= 1
      self.deadlineReached(of: due.owner, &turn)
    }
  }

  private func earliest() -> (owner: DeadlineOwner, deadline: Instant)? {
    var earliest: (owner: DeadlineOwner, deadline: Instant)?
    for owner in DeadlineOwner.allCases {
      guard let deadline = self.nextDeadline(of: owner) else { continue }
      if earliest.map({ deadline < $0.deadline }) ?? true { earliest = (owner, deadline) }
    }
    return earliest
  }

  private func nextDeadline(of owner: DeadlineOwner) -> Instant? {
    switch owner {
    case .calls: self.calls.nextDeadline
    case .subscriptions: self.subscriptions.nextDeadline
    case .wakes: self.names.nextDeadline
    case .regions: self.feeds.nextDeadline
    case .prompts: self.prompts.nextDeadline
    case .permissions: self.permissions.nextDeadline
    case .visits: self.visits.nextDeadline
    // Reports of a receiver that nobody needs are ignored.
    case .filter: self.demand.isOn ? self.receiver.nextDeadline : nil
    case .planner: self.demand.nextDeadline
    case .commits: self.commits.nextDeadline
    }
  }

  private mutating func deadlineReached(of owner: DeadlineOwner, _ turn: inout Turn) {
    let now = turn.now
    switch owner {
    case .calls: if let call = self.calls.takeDue(now: now) { _ = self.timeOut(call, &turn) }
    case .subscriptions: if let id = self.subscriptions.takeDue(now: now) { self.deadlineReached(of: id, &turn) }
    case .wakes: if let id = self.names.takeDue(now: now) { self.wake(id, &turn) }
    case .regions: if let feed = self.feeds.takeDue(now: now) { self.regionDeadlineReached(in: feed, &turn) }
    case .prompts: if let uid = self.prompts.takeDue(now: now) { self.endPrompt(of: uid, &turn) }
    case .permissions: self.carryOut(self.permissions.deadlineReached(now: now), &turn)
    case .visits: self.visits.deadlineReached(now: now)
    case .filter: self.take(self.receiver.deadlineReached(now: now), &turn)
    case .planner: self.plan(&turn)
    case .commits: self.answerOverdue(&turn)
    }
  }
}
