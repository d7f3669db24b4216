import Positioning

@testable import Broker

/// What must hold of durable names: in their clients' eyes, in the store, and after a restart.
extension DurableExpectations {
  // MARK: Answers

  mutating func answeredOfNames(
    _ asked: Call, since: Instant, as call: CallID, _ answer: Answer, isCommitted: Bool, now: Instant
  ) {
    guard case (.listDurables, .durables(let infos)) = (asked, answer) else {
      self.expect(isCommitted, "\(asked) was answered before it was kept")
      return self.kept(asked, since: since, as: call, answer)
    }
    // What is asked first of all after a restart holds all that was promised; later there may be more, or less.
    guard call.serial == 0, let uid = self.clients[call.client] else { return }
    for id in self.names.keys.sorted() where id.uid == uid {
      let missing = self.names[id]?.missing(from: infos.first { $0.name == id.name }, now: now)
      if let missing { self.expect(false, "after a restart \(id) lacks \(missing)") }
    }
    let known = self.names.keys.filter { $0.uid == uid }.map(\.name)
    self.expect(Set(infos.map(\.name)) == Set(known), "after a restart there are \(infos.map(\.name)), not \(known)")
  }

  private mutating func kept(_ asked: Call, since: Instant, as call: CallID, _ answer: Answer) {
    switch (asked, answer) {
    case (.subscribe(let parameters, let request?), .durableSubscribed):
      self.registered(request, as: call) {
        $0.position = parameters
        $0.isPaused = false
      }
    case (.subscribeVisits(let request?), .durableSubscribed):
      self.registered(request, as: call) { $0.hasVisits = true }
    case (.addRegion(let region, let request?), .region):
      self.registered(request, as: call) { $0.regions[region.id] = (region, since) }
    case (.removeRegion(let id, let name?), .region): self.names[self.id(name, of: call)]?.regions[id] = nil
    case (.attachDurable(let name, let since), .durable):
      let id = self.id(name, of: call)
      if let since { self.names[id]?.acknowledged(through: since) }
      guard self.clients[call.client] != nil else { return }
      self.names[id]?.attached(to: call.client)
    case (.acknowledgeDurable(let name, let event), .durable):
      self.names[self.id(name, of: call)]?.acknowledged(through: event)
    case (.removeDurable(let name), .durable(let info)):
      let id = self.id(name, of: call)
      self.names[id] = nil
      self.retired[id.uid] = max(self.retired[id.uid] ?? 0, info.lastEvent)
    case (.steerDurable(let name, let order), .durableSubscribed):
      if order == .pause || order == .resume { self.names[self.id(name, of: call)]?.isPaused = order == .pause }
    case (_, _): self.expect(false, "\(answer) does not answer \(asked)")
    }
  }

  private mutating func registered(
    _ request: DurableRequest, as call: CallID, _ change: (inout ExpectedName) -> Void
  ) {
    let id = self.id(request.name, of: call)
    var name = self.names[id] ?? ExpectedName(last: self.retired[id.uid] ?? 0)
    name.wake = request.wake ?? name.wake
    change(&name)
    self.names[id] = name
  }

  // MARK: Events

  mutating func notified(_ client: ClientID, _ name: String, _ event: DurableEvent) {
    self.durableEvents += 1
    let id = DurableID(uid: self.clients[client] ?? 0, name: name)
    self.expect(self.names[id] != nil, "an event of no name: \(name)")
    if let complaint = self.names[id]?.told(event, client: client) { self.expect(false, "\(id): \(complaint)") }
  }

  mutating func overflowed(_ client: ClientID, _ name: String, _ dropped: Int) {
    self.overflows += 1
    let id = DurableID(uid: self.clients[client] ?? 0, name: name)
    self.expect(self.names[id] != nil, "an overflow of no name: \(name)")
    if let complaint = self.names[id]?.told(dropped: dropped, client: client) { self.expect(false, complaint) }
  }

  /// Another client took the name, or removed it.
  mutating func detached(_ client: ClientID, _ name: String) {
    let id = DurableID(uid: self.clients[client] ?? 0, name: name)
    self.expect(self.names[id]?.attachment?.client == client, "\(id) was taken from one that is not attached")
    self.names[id]?.attachment = nil
  }

  mutating func started(_ unit: String, for id: DurableID, store: VirtualStore) {
    self.starts += 1
    self.expect(store.names[id]?.wake == unit, "\(unit) is not the unit of \(id)")
  }

  // MARK: The store

  /// A batch is being committed over what the store has.
  mutating func committed(_ changes: [StoreChange], over store: VirtualStore) {
    for id in self.names.keys { self.names[id]?.commitBegan() }
    for change in changes {
      switch change {
      case .removeName(let id):
        self.stored[id] = nil
        self.storedVisits[id] = nil
      case .putRegion(let id, let kept):
        self.stored[id, default: [:]][kept.region.id, default: ExpectedRegion(region: kept.region)]
          .replaced(by: kept.region)
      case .removeRegion(let id, let region): self.stored[id]?[region] = nil
      case .putEvent(let id, let event): self.stored(event, of: id)
      case .overflow(let id, let through, let dropped):
        self.names[id]?.overflowed(through: through, dropped: dropped)
      case .putName, .setRegionStanding, .putPosition, .removePosition, .putVisits, .removeVisits, .acknowledge,
        .putVisitMemory, .setView, .putDecision, .removeDecision, .putEnabled, .putDisguise:
        break
      }
    }
  }

  private mutating func stored(_ event: DurableEvent, of id: DurableID) {
    switch event.content {
    case .position(let update):
      let isOrdered = update.reason == .flush || update.reason == .ended
      self.expect(isOrdered || !(self.names[id]?.isPaused ?? false), "\(id) is paused, and kept \(update)")
    case .region(let event):
      self.regionEvents += 1
      if let complaint = self.stored[id]?[event.region]?.told(event) { self.expect(false, "\(id): \(complaint)") }
    case .visit(let visit):
      self.visits += 1
      let complaint = self.storedVisits[id, default: ExpectedVisits()].told(visit)
      if let complaint { self.expect(false, "\(id): \(complaint)") }
    }
  }

  /// The states in the store are what its events told.
  mutating func compare(_ store: VirtualStore) {
    for (id, regions) in self.stored {
      for kept in store.names[id]?.regions ?? [] {
        guard let state = regions[kept.region.id]?.state else { continue }
        self.expect(kept.standing.state == state, "\(id): \(kept.region.id) is kept as \(kept.standing.state)")
      }
    }
  }

  // MARK: After a restart

  mutating func restarted(machine: BrokerMachine, now: Instant) {
    for id in self.names.keys.sorted() {
      let waiting = machine.names[id]?.inbox.events ?? []
      for event in self.names[id]?.owed ?? [] {
        self.expect(waiting.contains(event), "\(id): event \(event.id) is lost, or another, after a restart")
      }
    }
  }

  /// A client was sent everything that waits for it.
  mutating func drained(_ id: DurableID) {
    let last = self.names[id]?.attachment?.last ?? 0
    for event in self.names[id]?.owed ?? [] {
      self.expect(event.id <= last, "\(id): event \(event.id) did not come again")
    }
  }

  /// Everything was committed: what the clients know is what there is.
  mutating func finished(machine: BrokerMachine) {
    self.expect(Set(machine.names.keys) == Set(self.names.keys), "names appeared, or disappeared")
  }

  private func id(_ name: String, of call: CallID) -> DurableID {
    DurableID(uid: self.clients[call.client] ?? self.left[call.client] ?? 0, name: name)
  }
}
