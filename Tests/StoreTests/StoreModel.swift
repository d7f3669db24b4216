import Broker
import Positioning

/// What the changes come to, without a disk.
struct StoreModel {
  private(set) var names: [DurableID: StoredName] = [:]
  private(set) var retired: [UInt32: UInt64] = [:]
  private(set) var visitMemories: [FixViewKey: VisitDetector.Snapshot] = [:]
  private(set) var decisions: [UInt32: Decision] = [:]
  private(set) var isEnabled = true
  private(set) var disguise: Disguise.Snapshot?

  var state: StoredState {
    var state = StoredState()
    state.names = self.names.values.sorted { $0.id < $1.id }
    state.retired = self.retired
    state.visitMemories = self.visitMemories
    state.decisions = self.decisions
    state.isEnabled = self.isEnabled
    state.disguise = self.disguise
    return state
  }

  mutating func apply(_ change: StoreChange) {
    switch change {
    case .putName(let id, let user, let wake):
      var name = self.names[id] ?? StoredName(id: id)
      if self.names[id] == nil { name.lastEvent = self.retired[id.uid] ?? 0 }
      name.user = user
      name.wake = wake
      self.names[id] = name
    case .removeName(let id):
      guard let name = self.names.removeValue(forKey: id), name.lastEvent > 0 else { return }
      self.retired[id.uid] = max(self.retired[id.uid] ?? 0, name.lastEvent)
    case .putRegion(let id, let stored):
      if let place = self.names[id]?.regions.firstIndex(where: { $0.region.id == stored.region.id }) {
        self.names[id]?.regions[place] = stored
      } else {
        self.names[id]?.regions.append(stored)
      }
    case .removeRegion(let id, let region): self.names[id]?.regions.removeAll { $0.region.id == region }
    case .setRegionStanding(let id, let region, let standing):
      guard let place = self.names[id]?.regions.firstIndex(where: { $0.region.id == region }) else { return }
      self.names[id]?.regions[place].standing = standing
    case .putPosition(let id, let position): self.names[id]?.position = position
    case .removePosition(let id): self.names[id]?.position = nil
    case .putVisits(let id): self.names[id]?.hasVisits = true
    case .removeVisits(let id): self.names[id]?.hasVisits = false
    case .putEvent(let id, let event): self.put(event, of: id)
    case .acknowledge(let id, let through): self.names[id]?.events.removeAll { $0.id <= through }
    case .overflow(let id, let through, let dropped):
      guard let name = self.names[id] else { return }
      self.names[id]?.events.removeAll { $0.id <= through }
      self.names[id]?.dropped = dropped
      self.names[id]?.lastEvent = max(name.lastEvent, through)
    case .putVisitMemory(let memory, let view): self.visitMemories[view] = memory
    case .setView(let id, let view): self.names[id]?.view = view
    case .putDecision(let uid, let decision): self.decisions[uid] = decision
    case .removeDecision(let uid): self.decisions[uid] = nil
    case .putEnabled(let isEnabled): self.isEnabled = isEnabled
    case .putDisguise(let snapshot): self.disguise = snapshot
    }
  }

  private mutating func put(_ event: DurableEvent, of id: DurableID) {
    guard var name = self.names[id] else { return }
    name.events.removeAll { $0.id == event.id }
    name.events.append(event)
    name.events.sort { $0.id < $1.id }
    name.lastEvent = max(name.lastEvent, event.id)
    self.names[id] = name
  }
}
