import Positioning

/// Visits: where the device stays, as long as anybody wants to know.
extension BrokerMachine {
  mutating func subscribeVisits(durable: DurableRequest?, as call: CallID, now: Instant, into actions: inout [Action]) {
    guard let durable else {
      guard let id = self.newSubscription(of: call, into: &actions) else { return }
      self.insertVisits(id, now: now)
      return self.answerSubscribed(id, as: call, now: now, into: &actions)
    }
    if let failure = self.refusal(of: durable, as: call) { return actions.append(.answer(call, .failed(failure))) }
    let name = self.name(for: durable, as: call, now: now, into: &actions)
    self.insertVisits(name.visits, now: now)
    self.changes.append(.putVisits(name.id))
    self.plan(now: now, into: &actions)
    self.tellAvailability(now: now, into: &actions)
    self.committed.append(
      .answer(call, .durableSubscribed(name: name.id.name, .waiting, self.availability(of: name.holder))))
  }

  mutating func insertVisits(_ id: SubscriptionID, now: Instant) {
    self.visits[id] = VisitSubscription(id: id, view: self.view(of: id.client))
    self.refreshVisits(now: now)
  }

  mutating func findVisits(by fix: Fix, now: Instant, into actions: inout [Action]) {
    // A fix that is too vague says nothing, and a look that brought one goes on.
    guard self.visitLook != nil, VisitDetector.canTell(fix) else { return }
    let events = self.visitDetector.fixed(fix)
    self.visitLook?.fixed(next: self.visitDetector.nextLook(now: now), now: now)
    self.refreshVisits(now: now)
    self.keepVisits(isPressing: !events.isEmpty, now: now)
    for event in events {
      for id in self.visits.keys where self.isPrecise(id.client) {
        self.visits.modify(id) { $0.updates += 1 }
        self.tell(.visit(id, event.visit), to: id.client, now: now, into: &actions)
      }
    }
  }

  /// Keeps what was learned, where something durable depends on it.
  mutating func keepVisits(isPressing: Bool, now: Instant) {
    guard self.visits.contains(where: { $0.id.client.isDurable }),
      let snapshot = self.visitKeeper.snapshotToKeep(
        of: self.visitDetector.snapshot, isPressing: isPressing, now: now)
    else { return }
    self.changes.append(.putVisitMemory(snapshot, of: .everything))
  }

  mutating func visitDeadlineReached(now: Instant) {
    self.visitLook?.deadlineReached(now: now)
    self.refreshVisits(now: now)
  }

  /// Keeps when visits want to be looked for, and what they need.
  mutating func refreshVisits(now: Instant) {
    // While all are suspended, visits are nobody's.
    if self.visits.count(in: .precise) == 0 {
      self.visitLook = nil
    } else if self.visitLook == nil {
      self.visitLook = ProbeSchedule(lastFix: self.current?.arrival, now: now)
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
