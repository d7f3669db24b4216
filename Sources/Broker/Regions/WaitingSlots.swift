/// Slots in the order in which they began to wait. A slot may belong to another region meanwhile, which its serial
/// shows.
struct WaitingSlots: Sendable {
  private var slots: [(slot: Int, serial: UInt64)] = []
  /// The ones before it have been handled.
  private var first = 0

  var isEmpty: Bool { self.first == self.slots.count }

  mutating func append(_ slot: Int, serial: UInt64) { self.slots.append((slot, serial)) }

  mutating func next() -> (slot: Int, serial: UInt64)? {
    guard !self.isEmpty else { return nil }
    defer {
      self.first += 1
      // Compacted now and then, so that it takes little time and memory.
      if self.first == self.slots.count || self.first > 4096 {
        self.slots.removeFirst(self.first)
        self.first = 0
      }
    }
    return self.slots[self.first]
  }
}
