import Positioning
import TestSupport

@testable import Broker

/// The invariants of durable names: for their clients, in the store, and after a restart.
extension DurableInvariants {
  // MARK: Answers

  mutating func answeredOfNames(
    _ asked: Call, since: Instant, turn: Int, as call: CallID, _ answer: Answer, isCommitted: Bool, now: Instant
  ) {
    guard case (.listDurables, .durables(let infos)) = (asked, answer) else {
      // An attachment is not stored.
      let isAttaching = if case .attachDurable = asked { true } else { false }
      self.expect(isCommitted || isAttaching, "\(asked) was answered before it was kept")
      return self.kept(asked, since: since, turn: turn, as: call, answer)
    }
    // The first list after a restart has all that was promised; later ones may have more, or less.
    guard call.serial == 0, let uid = self.clients[call.client] else { return }
    for id in self.names.keys.sorted() where id.uid == uid && !self.uncertain.contains(id) {
      let missing = self.names[id]?.missing(from: infos.first { $0.name == id.name }, now: now)
      if let missing { self.expect(false, "after a restart \(id) lacks \(missing)") }
    }
    // It is known now whether names with an uncertain removal still exist.
    for id in self.uncertain where id.uid == uid && !infos.contains(where: { $0.name == id.name }) {
      self.uncertain.remove(id)
      self.unknownNumbers.insert(uid)
      self.names[id] = nil
    }
    let unsure = Set(self.uncertain.filter { $0.uid == uid }.map(\.name))
    let known = Set(self.names.keys.filter { $0.uid == uid }.map(\.name)).subtracting(unsure)
    let listed = Set(infos.map(\.name)).subtracting(unsure)
    self.expect(listed == known, "after a restart there are \(listed), not \(known)")
  }

  private mutating func kept(_ asked: Call, since: Instant, turn: Int, as call: CallID, _ answer: Answer) {
    switch (asked, answer) {
    case (.subscribe(let parameters, let request?, _), .subscription(.durable)):
      self.registered(request, as: call) {
        $0.position = parameters
        $0.isPaused = false
      }
    case (.subscribeVisits(let request?, _), .subscription(.durable)):
      self.registered(request, as: call) { $0.hasVisits = true }
    case (.addRegion(let region, let request?, _), .region):
      self.registered(request, as: call) { $0.regions[region.id] = (region, since) }
    case (.removeRegion(let id, let name?, _), .region): self.names[self.id(name, of: call)]?.regions[id] = nil
    case (.attachDurable(let name, let since, _), .durable):
      let id = self.id(name, of: call)
      if let since { self.names[id]?.mayBeAcknowledged(through: since) }
      guard self.clients[call.client] != nil else { return }
      if self.names[id] == nil { self.names[id] = ExpectedName(unknownWith: nil) }
      self.names[id]?.attached(to: call.client, after: since, in: self.turns)
    case (.acknowledgeDurable(let name, let event, _), .durable):
      self.names[self.id(name, of: call)]?.acknowledged(through: event)
    case (.removeDurable(let name, _), .durable(let info)):
      let id = self.id(name, of: call)
      let attachment = self.names[id]?.attachment
      self.names[id] = nil
      // The name was created again meanwhile, and a client is attached to it already.
      if let attachment, attachment.turn > turn { self.names[id] = ExpectedName(unknownWith: attachment) }
      self.uncertain.remove(id)
      self.retired[id.uid] = max(self.retired[id.uid] ?? 0, info.lastEvent)
    case (.commandDurable(let name, let order, _), .subscription(.durable)):
      if order == .pause || order == .resume { self.names[self.id(name, of: call)]?.isPaused = order == .pause }
    case (_, _): self.expect(false, "\(answer) does not answer \(asked)")
    }
  }

  private mutating func registered(
    _ request: DurableRequest, as call: CallID, _ change: (inout ExpectedName) -> Void
  ) {
    let id = self.id(request.name, of: call)
    var name = self.names[id] ?? ExpectedName(last: self.retired[id.uid] ?? 0)
    if self.names[id] == nil { name.isFirstUnknown = self.unknownNumbers.contains(id.uid) }
    if let through = self.lostEarly.removeValue(forKey: id) { name.overflowed(through: through) }
    name.wake = request.wake ?? name.wake
    change(&name)
    self.names[id] = name
  }

  /// It is uncertain whether that is stored.
  mutating func doubted(_ asked: Call, of call: CallID) {
    switch asked {
    case .acknowledgeDurable(let name, let event, _):
      self.names[self.id(name, of: call)]?.mayBeAcknowledged(through: event)
    case .attachDurable(let name, let since?, _): self.names[self.id(name, of: call)]?.mayBeAcknowledged(through: since)
    case .subscribe(_, let request?, _), .subscribeVisits(let request?, _), .addRegion(_, let request?, _):
      self.uncertain.insert(self.id(request.name, of: call))
    case .removeRegion(_, let name?, _), .commandDurable(let name, _, _): self.uncertain.insert(self.id(name, of: call))
    case .removeDurable(let name, _):
      self.unknownNumbers.insert(self.id(name, of: call).uid)
      self.uncertain.insert(self.id(name, of: call))
    default: break
    }
  }

  // MARK: Events

  mutating func notified(_ client: ClientID, _ name: String, _ event: DurableEvent) {
    self.durableEvents += 1
    let id = DurableID(uid: self.clients[client] ?? 0, name: name)
    self.expect(self.names[id] != nil, "an event of no name: \(name)")
    guard !self.uncertain.contains(id) else { return self.names[id]?.receivedSomething(event) ?? () }
    if let complaint = self.names[id]?.received(event, client: client) { self.expect(false, "\(id): \(complaint)") }
  }

  mutating func overflowed(_ client: ClientID, _ name: String, _ dropped: Int) {
    self.overflows += 1
    let id = DurableID(uid: self.clients[client] ?? 0, name: name)
    self.expect(self.names[id] != nil, "an overflow of no name: \(name)")
    guard !self.uncertain.contains(id) else { return }
    if let complaint = self.names[id]?.received(dropped: dropped, client: client) { self.expect(false, complaint) }
  }

  /// Another client took the name, or removed it.
  mutating func detached(_ client: ClientID, _ name: String) {
    let id = DurableID(uid: self.clients[client] ?? 0, name: name)
    self.expect(self.names[id]?.attachment?.client == client, "\(id) was taken from one that is not attached")
    self.names[id]?.attachment = nil
  }

  mutating func started(_ unit: String, for id: DurableID, store: StoreModel, now: Instant) {
    self.starts += 1
    self.expect(store.names[id]?.wake == unit, "\(unit) is not the unit of \(id)")
    let target = WakeTarget(uid: id.uid, unit: unit)
    let last = self.startedAt[target]
    self.expect(
      last.map { now - $0 >= .seconds(300) - UnitStarts.lateness } ?? true, "\(target) is started again too soon")
    self.startedAt[target] = now
  }

  // MARK: The store

  /// A batch is about to be committed to the store.
  mutating func committing(_ changes: [StoreChange], over store: StoreModel) {
    var paused = store.names.mapValues { $0.position?.isPaused ?? false }
    for change in changes {
      switch change {
      case .removeName(let id):
        self.searching.remove(id)
        self.stored[id] = nil
        self.storedVisits[id] = nil
      case .putRegion(let id, let kept):
        self.stored[id, default: [:]][kept.region.id, default: ExpectedRegion(region: kept.region)]
          .replaced(by: kept.region)
      case .removeRegion(let id, let region): self.stored[id]?[region] = nil
      case .resetRegions(let id): self.stored[id] = nil
      case .putPosition(let id, let position): paused[id] = position.isPaused
      case .putEvent(let id, let event): self.stored(event, of: id, isPaused: paused[id] ?? false)
      case .overflow(let id, let through, _):
        self.lost(id, through: through)
      case .replaceName(let name):
        // Its changes while the disk was behind were not observed one by one.
        self.searching.remove(name.id)
        self.stored[name.id] = nil
        self.storedVisits[name.id] = nil
        self.lost(name.id, through: (name.events.first?.id ?? name.lastEvent + 1) - 1)
        paused[name.id] = name.position?.isPaused ?? false
      case .putWakeStart(let target, let start):
        let last = store.wakeStarts[target]
        // A start that the disk has held up counts from when it happens.
        self.expect(
          last.map { start == $0 || start - $0 >= .seconds(300) } ?? true || start == self.startedAt[target],
          "\(target) wakes again too soon")
      case .removePosition(let id), .setFeed(let id, _): self.searching.remove(id)
      case .putName, .setRegionSnapshot, .putVisits, .acknowledge, .putVisitMemory, .putDecision, .removeDecision,
        .putEnabled, .putFuzzer, .removeWakeStart,
        .putStoppedReceiver, .putReceiver:
        break
      }
    }
  }

  /// Events up to this one were dropped; the answer that the name exists may still follow.
  private mutating func lost(_ id: DurableID, through event: UInt64) {
    if self.names[id] == nil {
      self.lostEarly[id] = max(self.lostEarly[id] ?? 0, event)
    } else {
      self.names[id]?.overflowed(through: event)
    }
  }

  private mutating func stored(_ event: DurableEvent, of id: DurableID, isPaused: Bool) {
    switch event.content {
    case .position(let update):
      let isOrdered = update.reason == .flush || update.reason == .ended
      let isEnd = update.reason == .acquisitionFailed || update.reason == .expired
      self.expect(isOrdered || isEnd || !isPaused, "\(id) is paused, and kept \(update)")
      self.stored(update, of: id)
    case .region(let event):
      self.regionEvents += 1
      if let complaint = self.stored[id]?[event.id]?.received(event) { self.expect(false, "\(id): \(complaint)") }
    case .visit(let visit):
      self.visits += 1
      let complaint = self.storedVisits[id, default: ExpectedVisits()].received(visit)
      if let complaint { self.expect(false, "\(id): \(complaint)") }
    }
  }

  /// A change is stored once, and the outcome of its search before the next one, whatever is killed.
  private mutating func stored(_ update: PositionUpdate, of id: DurableID) {
    switch update.reason {
    case .significantChange:
      self.expect(
        self.searching.insert(id).inserted, "\(id): another change before the outcome of the last one's search")
    case .acquired, .acquisitionFailed: self.searching.remove(id)
    default: break
    }
  }

  /// The states in the store are those of its events.
  mutating func committed(_ store: StoreModel) {
    for (id, regions) in self.stored {
      for kept in store.names[id]?.regions ?? [] {
        guard let state = regions[kept.region.id]?.state else { continue }
        self.expect(kept.snapshot.state == state, "\(id): \(kept.region.id) is kept as \(kept.snapshot.state)")
      }
    }
  }

  // MARK: After a restart

  mutating func restarted(_ machine: BrokerMachine) {
    // A start that was late counts from its decision if the daemon was killed before it could store that.
    let known = machine.names.wakeStarts
    self.startedAt = self.startedAt.filter { known[$0.key] != nil }.merging(known) { min($0, $1) }
    for id in self.names.keys.sorted() where !self.uncertain.contains(id) {
      let waiting = machine.names[id]?.inbox.events ?? []
      for event in self.names[id]?.owed ?? [] {
        self.expect(waiting.contains(event), "\(id): event \(event.id) is lost, or another, after a restart")
      }
    }
  }

  /// A client was sent all waiting events.
  mutating func drained(_ id: DurableID) {
    let last = self.names[id]?.attachment?.last ?? 0
    for event in self.names[id]?.owed ?? [] {
      self.expect(event.id <= last, "\(id): event \(event.id) did not come again")
    }
  }

  /// Everything was committed: the clients' knowledge agrees with the state.
  mutating func finished(_ machine: BrokerMachine) {
    self.expect(
      Set(machine.names.ids).subtracting(self.uncertain) == Set(self.names.keys).subtracting(self.uncertain),
      "names appeared, or disappeared")
  }

  private func id(_ name: String, of call: CallID) -> DurableID {
    DurableID(uid: self.clients[call.client] ?? self.left[call.client] ?? 0, name: name)
  }
}
