import Positioning

/// The soonest of many deadlines, one for each key. Setting, moving and removing one costs O(log n).
struct DeadlineQueue<Key: Hashable & Sendable>: Sendable {
  private struct Entry {
    var deadline: Instant
    let key: Key
    /// Breaks ties in the order of setting, so that the same events always give the same actions.
    let serial: UInt64
  }

  /// A binary heap, the soonest first. Replaced entries stay until they surface.
  private var heap: [Entry] = []
  private var serials: [Key: UInt64] = [:]
  private var nextSerial: UInt64 = 0

  mutating func set(_ deadline: Instant?, for key: Key) {
    if let deadline {
      self.nextSerial += 1
      self.serials[key] = self.nextSerial
      self.heap.append(Entry(deadline: deadline, key: key, serial: self.nextSerial))
      self.siftUp(self.heap.count - 1)
    } else if self.serials.isEmpty || self.serials.removeValue(forKey: key) == nil {
      return
    }
    self.dropReplaced()
    // A key that is moved again and again must not grow the heap.
    if self.heap.count > 64, self.heap.count > 4 * self.serials.count { self.rebuild() }
  }

  /// The number of entries, including replaced ones.
  var capacityInUse: Int { self.heap.count }

  var next: Instant? { self.heap.first?.deadline }

  /// Removes the key with the soonest deadline, if it has passed.
  mutating func popDue(now: Instant) -> Key? {
    guard let first = self.heap.first, first.deadline <= now else { return nil }
    self.serials[first.key] = nil
    self.dropReplaced()
    return first.key
  }

  /// All deadlines come so much later.
  mutating func putOff(by gap: Duration) {
    for place in self.heap.indices { self.heap[place].deadline = self.heap[place].deadline + gap }
  }

  private func isCurrent(_ entry: Entry) -> Bool { self.serials[entry.key] == entry.serial }

  private mutating func dropReplaced() {
    while let first = self.heap.first, !self.isCurrent(first) { self.removeFirst() }
  }

  private mutating func rebuild() {
    let live = self.heap.filter { self.isCurrent($0) }
    self.heap = []
    for entry in live {
      self.heap.append(entry)
      self.siftUp(self.heap.count - 1)
    }
  }

  private mutating func removeFirst() {
    self.heap.swapAt(0, self.heap.count - 1)
    self.heap.removeLast()
    self.siftDown(0)
  }

  private func isLess(_ left: Int, _ right: Int) -> Bool {
    // Field by field, since a copy of an entry would count its key's references.
    guard self.heap[left].deadline == self.heap[right].deadline else {
      return self.heap[left].deadline < self.heap[right].deadline
    }
    return self.heap[left].serial < self.heap[right].serial
  }

  private mutating func siftUp(_ start: Int) {
    var child = start
    while child > 0, self.isLess(child, (child - 1) / 2) {
      self.heap.swapAt(child, (child - 1) / 2)
      child = (child - 1) / 2
    }
  }

  private mutating func siftDown(_ start: Int) {
    var parent = start
    while true {
      var least = parent
      for child in [2 * parent + 1, 2 * parent + 2] where child < self.heap.count && self.isLess(child, least) {
        least = child
      }
      if least == parent { return }
      self.heap.swapAt(parent, least)
      parent = least
    }
  }
}
