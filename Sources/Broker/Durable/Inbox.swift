package import Positioning

/// The limits of an inbox.
package struct InboxLimits: Hashable, Sendable {
  package var events = 1000
  /// The fixes of all events; a batch has many.
  package var fixes = 4096

  package init() {}
}

/// The unacknowledged events of a durable name: limited, in order, with ever-rising numbers.
struct Inbox: Hashable, Sendable {
  private(set) var events = Fifo<DurableEvent>()
  /// The number of the newest event; 0 before the first.
  private(set) var lastEvent: UInt64 = 0
  /// How many events were dropped since the client was notified of it.
  private(set) var dropped = 0
  /// The newest event that was dropped since the daemon started.
  private(set) var droppedThrough: UInt64 = 0
  private var weight = 0

  /// - Parameter lastEvent: The number before the first one's.
  init(events: [DurableEvent] = [], lastEvent: UInt64 = 0, dropped: Int = 0) {
    self.events = Fifo(events)
    self.lastEvent = max(lastEvent, events.last?.id ?? 0)
    self.dropped = dropped
    self.weight = events.reduce(0) { $0 + $1.weight }
  }

  /// Adds an event, and drops the oldest until all fit; the newest always stays.
  ///
  /// - Returns: the number of the newest one that was dropped, if any was.
  mutating func append(_ content: DurableContent, at now: Instant, limits: InboxLimits) -> UInt64? {
    self.lastEvent += 1
    let event = DurableEvent(id: self.lastEvent, at: now, content: content)
    self.events.append(event)
    self.weight += event.weight
    var through: UInt64?
    while self.events.count > 1, self.events.count > limits.events || self.weight > limits.fixes,
      let oldest = self.events.popFirst()
    {
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
      self.events.popFirst()
      self.weight -= first.weight
    }
  }

  /// The client that should be notified of so many has left.
  mutating func overflowNotReported(_ count: Int) { self.dropped += count }

  /// The client was notified of all dropped events.
  mutating func overflowReported() { self.dropped = 0 }

  /// The events from this number on, oldest first, limited in events and fixes; at least one.
  func events(from id: UInt64, atMost count: Int, fixes: Int) -> Slice<Fifo<DurableEvent>> {
    let events = self.events[self.position(of: id)...].prefix(count)
    var left = fixes
    return events.prefix { event in
      left -= event.weight
      return left >= 0 || event.id == events.first?.id
    }
  }

  /// The index of the first event with this number or a later one. Numbers rise, but an event that could not be read
  /// after a restart leaves a gap.
  private func position(of id: UInt64) -> Int {
    var (low, high) = (self.events.startIndex, self.events.endIndex)
    while low < high {
      let middle = low + (high - low) / 2
      if self.events[middle].id < id { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

/// An event of a durable registration, stored until a client acknowledges it.
package struct DurableEvent: Hashable, Sendable {
  /// Rises with each event of the name, for as long as the name exists and after; counts from 1.
  package var id: UInt64
  package var at: Instant
  package var content: DurableContent

  package init(id: UInt64, at: Instant, content: DurableContent) {
    self.id = id
    self.at = at
    self.content = content
  }

  /// How many fixes it has: inboxes are limited in events and in fixes.
  package var weight: Int {
    switch self.content {
    case .position(let update): max(1, update.fixes.count)
    case .region, .visit: 1
    }
  }
}
