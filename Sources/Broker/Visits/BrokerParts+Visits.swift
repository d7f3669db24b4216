import Positioning

/// Visits: where the device stays, as long as anybody subscribes to them.
extension BrokerParts {
  mutating func subscribeVisits(
    durable: DurableRequest?, as asker: Asker<SubscriptionAnswer>, _ turn: inout Turn
  ) throws(CallFailure) -> Answering {
    guard let durable else {
      let id = try self.newSubscription(of: asker.id)
      self.insertVisits(id, &turn)
      return asker.begun(id)
    }
    try self.check(durable, as: asker.id)
    let name = self.name(for: durable, as: asker.id, &turn)
    if self.subscriptions[name.visits] == nil { self.insertVisits(name.visits, &turn) }
    turn.store(.putVisits(name.id))
    return asker.begun(name.visits)
  }

  mutating func insertVisits(_ id: SubscriptionID, _ turn: inout Turn) {
    self.insert(.visits(VisitSubscription(id: id, feed: self.feed(of: id.holder))))
    self.refreshVisits(&turn)
  }

  mutating func findVisits(by fix: Fix, _ turn: inout Turn) {
    guard let events = self.visits.fixed(fix, now: turn.now) else { return }
    self.report(events, &turn)
  }

  /// What an earlier daemon knew is known only now.
  mutating func restoreVisits(_ memory: VisitDetector.Snapshot, _ turn: inout Turn) {
    self.report(self.visits.restore(memory), &turn)
  }

  private mutating func report(_ events: [VisitEvent], _ turn: inout Turn) {
    self.keepVisits(isPressing: !events.isEmpty, &turn)
    for event in events {
      for id in self.subscriptions.visitors {
        guard case .visits(var subscription) = self.subscriptions[id] else { continue }
        subscription.updates += 1
        self.subscriptions.update(.visits(subscription))
        self.notify(id.holder, .visit(id, event.visit), &turn)
      }
    }
  }

  /// Stores the memory of visits, whoever subscribed to them: after a restart no arrival is reported again, and no
  /// number is used again.
  mutating func keepVisits(isPressing: Bool, _ turn: inout Turn) {
    guard let snapshot = self.visits.takeSnapshotToKeep(isPressing: isPressing, now: turn.now) else { return }
    turn.store(.putVisitMemory(snapshot))
  }

  /// Looks for visits while anybody with permission subscribes to them.
  mutating func refreshVisits(_ turn: inout Turn) {
    // While all are suspended, nobody needs visits.
    let isOver = self.visits.change(
      isWanted: self.subscriptions.visitorCount > 0, isOwed: self.isStopping || self.isVisitorWaiting,
      lastFix: self.receiver.current?.arrival, now: turn.now)
    if isOver { self.keepVisits(isPressing: true, &turn) }
  }

  /// Whether a name has lost its permission only until its user is looked up: it loses nothing.
  private var isVisitorWaiting: Bool {
    self.subscriptions.suspendedVisitors.contains { id in
      id.holder.durable.flatMap { self.names[$0] }.map { self.isWaiting($0) } ?? false
    }
  }
}

/// One subscription to visits.
struct VisitSubscription: Hashable, Sendable {
  let id: SubscriptionID
  /// `nil`: its client may know nothing.
  var feed: FixFeedKey?
  var updates = 0
}
