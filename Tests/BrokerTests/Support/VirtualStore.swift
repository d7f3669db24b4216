import Positioning

@testable import Broker

/// A store in memory: what would be on disk.
struct VirtualStore {
  private(set) var names: [DurableID: StoredName] = [:]
  /// The greatest number that an event of a removed name had, by user.
  private var retired: [UInt32: UInt64] = [:]
  private(set) var visitMemories: [FixViewKey: VisitDetector.Snapshot] = [:]
  private(set) var decisions: [UInt32: Decision] = [:]
  private(set) var isEnabled = true
  private(set) var disguise: Disguise.Snapshot?

  var state: StoredState {
    var state = StoredState()
    state.names = self.names.keys.sorted().compactMap { self.names[$0] }
    state.visitMemories = self.visitMemories
    state.decisions = self.decisions
    state.isEnabled = self.isEnabled
    state.disguise = self.disguise
    state.retired = self.retired
    return state
  }

  /// Its events' numbers begin after those of names that are gone.
  private func newName(_ id: DurableID, user: String?) -> StoredName {
    var name = StoredName(id: id, user: user)
    name.lastEvent = self.retired[id.uid] ?? 0
    return name
  }

  mutating func apply(_ changes: [StoreChange]) {
    for change in changes { self.apply(change) }
  }

  private mutating func apply(_ change: StoreChange) {
    switch change {
    case .putName(let id, let user, let wake):
      var name = self.names[id] ?? self.newName(id, user: user)
      name.wake = wake
      self.names[id] = name
    case .removeName(let id):
      self.retired[id.uid] = max(self.retired[id.uid] ?? 0, self.names[id]?.lastEvent ?? 0)
      self.names[id] = nil
    case .putRegion(let id, let region):
      let place = self.names[id]?.regions.firstIndex { $0.region.id == region.region.id }
      if let place {
        self.names[id]?.regions[place] = region
      } else {
        self.names[id]?.regions.append(region)
      }
    case .removeRegion(let id, let region): self.names[id]?.regions.removeAll { $0.region.id == region }
    case .setRegionStanding(let id, let region, let standing):
      guard let place = self.names[id]?.regions.firstIndex(where: { $0.region.id == region }) else { return }
      self.names[id]?.regions[place].standing = standing
    case .putPosition(let id, let position): self.names[id]?.position = position
    case .removePosition(let id): self.names[id]?.position = nil
    case .putVisits(let id): self.names[id]?.hasVisits = true
    case .removeVisits(let id): self.names[id]?.hasVisits = false
    case .putEvent(let id, let event):
      self.names[id]?.events.append(event)
      self.names[id]?.lastEvent = event.id
    case .acknowledge(let id, let through): self.names[id]?.events.removeAll { $0.id <= through }
    case .overflow(let id, let through, let dropped):
      self.names[id]?.events.removeAll { $0.id <= through }
      self.names[id]?.dropped = dropped
    case .putVisitMemory(let memory, let view): self.visitMemories[view] = memory
    case .setView(let id, let view): self.names[id]?.view = view
    case .putDecision(let uid, let decision): self.decisions[uid] = decision
    case .removeDecision(let uid): self.decisions[uid] = nil
    case .putEnabled(let isEnabled): self.isEnabled = isEnabled
    case .putDisguise(let snapshot): self.disguise = snapshot
    }
  }
}
