import Positioning

@testable import Broker

/// The stored data of durable names: nothing of them leaves the daemon before it is stored, because a client may
/// acknowledge what it was sent, and the daemon may be killed.
struct StoredEvents {
  private var events: [DurableID: [UInt64: DurableEvent]] = [:]
  private var starts: Set<WakeTarget> = []

  mutating func commit(_ changes: [StoreChange]) {
    for change in changes {
      switch change {
      case .putEvent(let id, let event): self.events[id, default: [:]][event.id] = event
      case .replaceName(let name):
        for event in name.events { self.events[name.id, default: [:]][event.id] = event }
      case .putWakeStart(let target, _): self.starts.insert(target)
      case .putName, .removeName, .putRegion, .removeRegion, .setRegionSnapshot, .resetRegions, .putPosition,
        .removePosition, .putVisits, .acknowledge, .overflow, .setFeed, .putVisitMemory, .putDecision, .removeDecision,
        .putEnabled, .putFuzzer, .removeWakeStart, .putStoppedReceiver, .putReceiver:
        break
      }
    }
  }

  /// Describes an action that sends something too early; `nil`: it does not.
  func violation(of action: Action, _ machine: BrokerMachine) -> String? {
    switch action {
    case .notify(let client, .durable(let name, let event)):
      guard let uid = machine.clients[client]?.principal.uid else { return nil }
      let id = DurableID(uid: uid, name: name)
      return self.has(event, of: id) ? nil : "event \(event.id) of \(id) is sent before it is stored"
    case .startUnit(let unit, let id):
      guard self.starts.contains(WakeTarget(uid: id.uid, unit: unit)) else {
        return "\(unit) is started before its start is stored"
      }
      let events = machine.names[id]?.inbox.events ?? []
      return events.contains { self.has($0, of: id) } ? nil : "\(unit) is started for an event that is not stored"
    default: return nil
    }
  }

  private func has(_ event: DurableEvent, of id: DurableID) -> Bool { self.events[id]?[event.id] == event }
}
