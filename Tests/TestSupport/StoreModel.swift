package import Broker
package import Positioning

/// The result of changes, without a disk: the one model of the store for tests. `StoreTests` compares it with the real
/// tables.
package struct StoreModel: Hashable, Sendable {
  /// A change of a missing name, or of a missing region's state.
  package struct Missing: Error, Hashable {
    package let id: DurableID
    package var region: String?
  }

  package private(set) var names: [DurableID: StoredName] = [:]
  /// The greatest number of an event of a removed name, by user.
  package private(set) var retired: [UInt32: UInt64] = [:]
  package private(set) var visitMemory: VisitDetector.Snapshot?
  package private(set) var decisions: [UInt32: Decision] = [:]
  package private(set) var isEnabled = true
  package private(set) var unread: String?
  package private(set) var fuzzer: LocationFuzzer.Snapshot?
  package private(set) var wakeStarts: [WakeTarget: Instant] = [:]
  package private(set) var stoppedReceiver: StoppedReceiver?
  package private(set) var receiver = ReceiverMemory()

  package init() {}

  /// The state that the next daemon reads.
  package var state: StoredState {
    var state = StoredState()
    state.names = self.names.values.sorted { $0.id < $1.id }
    state.retired = self.retired
    state.visitMemory = self.visitMemory
    state.decisions = self.decisions
    state.isEnabled = self.isEnabled
    state.unread = self.unread
    state.fuzzer = self.fuzzer
    state.wakeStarts = self.wakeStarts
    state.stoppedReceiver = self.stoppedReceiver
    state.receiver = self.receiver
    return state
  }

  /// Makes all of the changes, or none of them.
  package mutating func commit(_ changes: [StoreChange]) throws(Missing) {
    var model = self
    for change in changes { try model.apply(change) }
    self = model
  }

  private mutating func apply(_ change: StoreChange) throws(Missing) {
    switch change {
    case .putName(let id, let user, let wake): self.putName(id, user: user, wake: wake)
    case .removeName(let id):
      guard let name = self.names.removeValue(forKey: id), name.lastEvent > 0 else { return }
      self.retired[id.uid] = max(self.retired[id.uid] ?? 0, name.lastEvent)
    case .replaceName(let stored):
      let last = self.names[stored.id]?.lastEvent ?? self.retired[stored.id.uid] ?? 0
      var name = stored
      name.lastEvent = max(last, stored.lastEvent)
      name.groups = []
      self.names[stored.id] = name
    case .putRegion(let id, let stored):
      try self.modify(id) { name in
        if let place = name.regions.firstIndex(where: { $0.region.id == stored.region.id }) {
          name.regions[place] = stored
        } else {
          name.regions.append(stored)
        }
      }
    case .removeRegion(let id, let region): try self.modify(id) { $0.regions.removeAll { $0.region.id == region } }
    case .setRegionSnapshot(let id, let region, let snapshot):
      guard let place = self.names[id]?.regions.firstIndex(where: { $0.region.id == region }) else {
        throw Missing(id: id, region: region)
      }
      try self.modify(id) { $0.regions[place].snapshot = snapshot }
    case .resetRegions(let id):
      try self.modify(id) { name in
        for place in name.regions.indices {
          name.regions[place].snapshot = RegionSnapshot(expiry: name.regions[place].snapshot.expiry)
        }
      }
    case .putPosition(let id, let position): try self.modify(id) { $0.position = position }
    case .removePosition(let id): try self.modify(id) { $0.position = nil }
    case .putVisits(let id): try self.modify(id) { $0.hasVisits = true }
    case .putEvent(let id, let event):
      try self.modify(id) { name in
        name.events.removeAll { $0.id == event.id }
        name.events.append(event)
        name.events.sort { $0.id < $1.id }
        name.lastEvent = max(name.lastEvent, event.id)
      }
    case .acknowledge(let id, let through): try self.modify(id) { $0.events.removeAll { $0.id <= through } }
    case .overflow(let id, let through, let dropped):
      try self.modify(id) { name in
        name.events.removeAll { $0.id <= through }
        name.dropped = dropped
        name.lastEvent = max(name.lastEvent, through)
      }
    case .setFeed(let id, let feed): try self.modify(id) { $0.feed = feed }
    case .putVisitMemory(let memory): self.visitMemory = memory
    case .putDecision(let uid, let decision): self.decisions[uid] = decision
    case .removeDecision(let uid): self.decisions[uid] = nil
    case .putEnabled(let isEnabled, let unread): (self.isEnabled, self.unread) = (isEnabled, unread)
    case .putFuzzer(let snapshot): self.fuzzer = snapshot
    case .putWakeStart(let target, let start): self.wakeStarts[target] = start
    case .removeWakeStart(let target): self.wakeStarts[target] = nil
    case .putStoppedReceiver(let stopped): self.stoppedReceiver = stopped
    case .putReceiver(let memory): self.receiver = memory
    }
  }

  private mutating func putName(_ id: DurableID, user: String?, wake: String?) {
    var name = self.names[id] ?? StoredName(id: id)
    if self.names[id] == nil { name.lastEvent = self.retired[id.uid] ?? 0 }
    name.user = user
    name.wake = wake
    self.names[id] = name
  }

  private mutating func modify(_ id: DurableID, _ change: (inout StoredName) -> Void) throws(Missing) {
    guard var name = self.names.removeValue(forKey: id) else { throw Missing(id: id) }
    change(&name)
    self.names[id] = name
  }
}
