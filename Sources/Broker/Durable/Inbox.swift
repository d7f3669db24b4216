import Positioning

/// What a durable inbox may hold.
package struct InboxLimits: Hashable, Sendable {
  package var events = 1000
  /// The fixes in them; a batch has many.
  package var fixes = 4096

  package init() {}
}

/// The events of a durable name that nobody acknowledged yet: bounded, in order, each with an ever-rising number.
struct Inbox: Hashable, Sendable {
  private(set) var events: ArraySlice<DurableEvent> = []
  /// The number of the newest event ever, 0 before the first.
  private(set) var lastEvent: UInt64 = 0
  /// How many did not fit since the client was told.
  private(set) var dropped = 0
  /// The newest that did not fit, since the daemon was started.
  private(set) var droppedThrough: UInt64 = 0
  private var weight = 0

  /// - Parameter lastEvent: the number before the first one's.
  init(events: [DurableEvent] = [], lastEvent: UInt64 = 0, dropped: Int = 0) {
    self.events = events[...]
    self.lastEvent = max(lastEvent, events.last?.id ?? 0)
    self.dropped = dropped
    self.weight = events.reduce(0) { $0 + $1.weight }
  }

  /// Takes an event, and drops the oldest until all fit; the newest always stays.
  ///
  /// - Returns: the number of the newest one that was dropped, if any was.
  mutating func append(_ content: DurableContent, at now: Instant, limits: InboxLimits) -> UInt64? {
    self.lastEvent += 1
    let event = DurableEvent(id: self.lastEvent, at: now, content: content)
    self.events.append(event)
    self.weight += event.weight
    var through: UInt64?
    while self.events.count > 1, self.events.count > limits.events || self.weight > limits.fixes {
      let oldest = self.events.removeFirst()
      self.weight -= oldest.weight
      self.dropped += 1
      through = oldest.id
    }
    self.droppedThrough = through ?? self.droppedThrough
    return through
  }

  /// Removes the events up to this one.
  mutating func acknowledge(through id: UInt64) {
    while let first = self.events.first, first.id <= id {
      self.events.removeFirst()
      self.weight -= first.weight
    }
    // A slice keeps what lies before it.
    self.events = Array(self.events)[...]
  }

  /// The client was to be told of so many, and left.
  mutating func overflowNotTold(_ count: Int) { self.dropped += count }

  /// The client was told how many were dropped.
  mutating func overflowTold() { self.dropped = 0 }

  /// So many events from this number on, oldest first, with no more than so many fixes in them; one in any case.
  func events(from id: UInt64, atMost count: Int, fixes: Int) -> ArraySlice<DurableEvent> {
    let events = self.events[self.position(of: id)...].prefix(count)
    var left = fixes
    return events.prefix { event in
      left -= event.weight
      return left >= 0 || event.id == events.first?.id
    }
  }

  /// Where the first event is that has this number or a later one. Numbers rise, but an event that could not be read
  /// after a restart leaves a gap in them.
  private func position(of id: UInt64) -> Int {
    var (low, high) = (self.events.startIndex, self.events.endIndex)
    while low < high {
      let middle = low + (high - low) / 2
      if self.events[middle].id < id { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
