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
  mutating func append(_ content: DurableEvent.Content, at now: Instant, limits: InboxLimits) -> UInt64? {
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

  /// The client was told how many were dropped.
  mutating func overflowTold() { self.dropped = 0 }

  /// So many events from this number on, oldest first, with no more than so many fixes in them; one in any case.
  func events(from id: UInt64, atMost count: Int, fixes: Int) -> ArraySlice<DurableEvent> {
    guard let first = self.events.first else { return [] }
    let skipped = id > first.id ? Int(min(id - first.id, UInt64(self.events.count))) : 0
    let events = self.events.dropFirst(skipped).prefix(count)
    var left = fixes
    return events.prefix { event in
      left -= event.weight
      return left >= 0 || event == events.first
    }
  }
}
