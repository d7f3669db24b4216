import Positioning

/// Visits: where the device stays, as long as anybody wants to know.
extension BrokerMachine {
  mutating func subscribeVisits(
    durable: DurableRequest?, as call: CallID, _ turn: inout Turn
  ) throws(CallFailure) -> Reply {
    guard let durable else {
      let id = try self.newSubscription(of: call)
      self.insertVisits(id, &turn)
      return .begun(id)
    }
    try self.check(durable, as: call)
    let name = self.name(for: durable, as: call, &turn)
    self.insertVisits(name.visits, &turn)
    turn.store(.putVisits(name.id))
    return .begun(name.visits)
  }

  mutating func insertVisits(_ id: SubscriptionID, _ turn: inout Turn) {
    self.visits[id] = VisitSubscription(id: id, view: self.view(of: id.client))
    self.refreshVisits(&turn)
  }

  mutating func findVisits(by fix: Fix, _ turn: inout Turn) {
    // A fix that is too vague says nothing, and a look that brought one goes on.
    guard self.visitLook != nil, VisitDetector.canTell(fix) else { return }
    let events = self.visitDetector.fixed(fix)
    self.visitLook?.fixed(next: self.visitDetector.nextLook(now: turn.now), now: turn.now)
    self.refreshVisits(&turn)
    self.keepVisits(isPressing: !events.isEmpty, &turn)
    for event in events {
      for id in self.visits.keys where self.isPrecise(id.client) {
        self.visits.modify(id) { $0.updates += 1 }
        self.tell(.visit(id, event.visit), to: id.client, &turn)
      }
    }
  }

  /// Keeps what was learned, where something durable depends on it.
  mutating func keepVisits(isPressing: Bool, _ turn: inout Turn) {
    guard self.visits.contains(where: { $0.id.client.isDurable }),
      let snapshot = self.visitKeeper.snapshotToKeep(
        of: self.visitDetector.snapshot, isPressing: isPressing, now: turn.now)
    else { return }
    turn.store(.putVisitMemory(snapshot))
  }

  mutating func visitDeadlineReached(_ turn: inout Turn) {
    self.visitLook?.deadlineReached(now: turn.now)
    self.refreshVisits(&turn)
  }

  /// Keeps when visits want to be looked for, and what they need.
  mutating func refreshVisits(_ turn: inout Turn) {
    // While all are suspended, visits are nobody's.
    if self.visits.count(in: .precise) == 0 {
      self.visitLook = nil
    } else if self.visitLook == nil {
      self.visitLook = ProbeSchedule(lastFix: self.current?.arrival, now: turn.now)
    }
    self.setDeadline(self.visitLook?.nextDeadline, for: .visits)
    self.needs.set(self.visitLook?.need ?? .none, for: .visits)
  }
}

/// One subscription to visits.
struct VisitSubscription: Hashable, Sendable {
  let id: SubscriptionID
  /// `nil`: its client may know nothing.
  var view: FixViewKey?
  var updates = 0
}
