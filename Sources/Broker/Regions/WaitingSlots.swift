/// Slots in the order in which they began to wait. A slot may have been given to another region meanwhile: the serial
/// tells.
struct WaitingSlots: Sendable {
  private var slots: [(slot: Int, serial: UInt64)] = []
  /// Those before it have had their turn.
  private var first = 0

  var isEmpty: Bool { self.first == self.slots.count }

  mutating func append(_ slot: Int, serial: UInt64) { self.slots.append((slot, serial)) }

  mutating func next() -> (slot: Int, serial: UInt64)? {
    guard !self.isEmpty else { return nil }
    defer {
      self.first += 1
      // Closed up now and then, so that it costs little and keeps little.
      if self.first == self.slots.count || self.first > 4096 {
        self.slots.removeFirst(self.first)
        self.first = 0
      }
    }
    return self.slots[self.first]
  }
}
