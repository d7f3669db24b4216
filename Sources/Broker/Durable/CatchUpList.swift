import Positioning

/// What a change of the store is about.
enum StoreSubject: Hashable, Sendable {
  case name(DurableID)
  case visitMemory
  case decision(UInt32)
  case enabled
  case fuzzer
  case wakeStart(WakeTarget)
  case stoppedReceiver
  case receiver
}

/// The things that changed while the store was full, each once: its whole state is stored when there is room.
///
/// However long the disk takes, the list is never longer than the number of things.
struct CatchUpList: Sendable {
  private var order = Fifo<StoreSubject>()
  private var members: Set<StoreSubject> = []

  var isEmpty: Bool { self.members.isEmpty }

  func contains(_ subject: StoreSubject) -> Bool { self.members.contains(subject) }

  mutating func insert(_ subject: StoreSubject) {
    if self.members.insert(subject).inserted { self.order.append(subject) }
  }

  /// The longest waiting one.
  mutating func removeFirst() -> StoreSubject? {
    guard let first = self.order.popFirst() else { return nil }
    self.members.remove(first)
    return first
  }
}

extension StoreChange {
  var subject: StoreSubject {
    switch self {
    case .putName(let id, _, _), .removeName(let id), .putRegion(let id, _), .removeRegion(let id, _),
      .setRegionSnapshot(let id, _, _), .resetRegions(let id), .putPosition(let id, _), .removePosition(let id),
      .putVisits(let id), .putEvent(let id, _), .acknowledge(let id, _),
      .overflow(let id, _, _), .setFeed(let id, _):
      .name(id)
    case .replaceName(let name): .name(name.id)
    case .putVisitMemory: .visitMemory
    case .putDecision(let uid, _), .removeDecision(let uid): .decision(uid)
    case .putEnabled: .enabled
    case .putFuzzer: .fuzzer
    case .putWakeStart(let target, _), .removeWakeStart(let target): .wakeStart(target)
    case .putStoppedReceiver: .stoppedReceiver
    case .putReceiver: .receiver
    }
  }
}
