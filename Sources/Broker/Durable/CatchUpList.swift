import Positioning

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
