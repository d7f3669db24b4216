/// A message that may change, or go, until it is written.
package protocol QueuedMessage: Sendable {
  /// The subscription of which a newer message makes it worthless; `nil` where none does.
  var supersededBy: Int? { get }
  /// How many of the subscription's messages were dropped before this one, because newer ones superseded them.
  var dropped: Int { get set }
  /// The message as it goes on the wire, its frame included.
  func encoded() -> [UInt8]
}

/// What is left of a message that waits, once its client may know less.
package enum Remainder<Message> {
  case all
  case other(Message)
  case nothing
}

extension Remainder: Sendable where Message: Sendable {}

/// What waits to be written to one client, bounded in bytes.
///
/// A client that reads too slowly loses superseded fixes first: the newest of each subscription stays and tells how many
/// went before it. Replies and all other notifications are never dropped; when they alone are too much, the client has
/// to go. What a client may not know any more is purged; only a message that was begun is finished.
package struct OutboundQueue<Message: QueuedMessage>: Sendable {
  private struct Entry {
    var bytes: [UInt8]
    /// Absent where it stays as it is, whatever happens.
    var message: Message?
  }

  private var entries: [Entry] = []
  /// How many entries before this were written already; the array is compacted now and then.
  private var head = 0
  /// How much of the first entry was written.
  private var headOffset = 0
  /// The bytes that wait.
  package private(set) var count = 0
  /// How many messages were dropped for this client in all, because newer ones superseded them.
  package private(set) var dropped = 0

  package init() {}

  package var isEmpty: Bool { self.count == 0 }

  package mutating func append(_ bytes: [UInt8]) {
    self.add(Entry(bytes: bytes, message: nil))
  }

  package mutating func append(_ message: Message, encoded: [UInt8]) {
    self.add(Entry(bytes: encoded, message: message))
  }

  /// Drops superseded messages, oldest first, until no more than `limit` bytes wait.
  ///
  /// - Returns: whether that succeeded; if not, what waits is all that may not be dropped.
  package mutating func shrink(to limit: Int) -> Bool {
    guard self.count > limit else { return true }
    var newest: [Int: Int] = [:]
    for place in self.entries.indices.dropFirst(self.head) {
      if let subscription = self.entries[place].message?.supersededBy { newest[subscription] = place }
    }
    var removed: Set<Int> = []
    for place in self.entries.indices.dropFirst(self.firstUntouched) {
      guard self.count > limit else { break }
      guard let message = self.entries[place].message, let subscription = message.supersededBy,
        let successor = newest[subscription], successor != place
      else {
        continue
      }
      removed.insert(place)
      self.count -= self.entries[place].bytes.count
      self.dropped += 1
      self.charge(successor, with: message.dropped + 1)
    }
    if !removed.isEmpty {
      self.entries = self.entries.indices.filter { !removed.contains($0) }.map { self.entries[$0] }
    }
    return self.count <= limit
  }

  /// Leaves of each message of which no byte was written what the client may still know.
  ///
  /// What goes is no superseded message: nobody is told of it, nor of what was dropped before it.
  package mutating func purge(_ remainder: (Message) -> Remainder<Message>) {
    let untouched = self.firstUntouched
    var kept = Array(self.entries[..<untouched])
    for entry in self.entries[untouched...] {
      switch entry.message.map(remainder) ?? .all {
      case .all: kept.append(entry)
      case .other(let message):
        let bytes = message.encoded()
        self.count += bytes.count - entry.bytes.count
        kept.append(Entry(bytes: bytes, message: message))
      case .nothing: self.count -= entry.bytes.count
      }
    }
    self.entries = kept
  }

  /// The bytes to write next.
  package var first: ArraySlice<UInt8>? {
    guard self.head < self.entries.count else { return nil }
    return self.entries[self.head].bytes[self.headOffset...]
  }

  package mutating func wrote(_ written: Int) {
    self.headOffset += written
    self.count -= written
    guard self.headOffset == self.entries[self.head].bytes.count else { return }
    self.headOffset = 0
    self.head += 1
    if self.head == self.entries.count {
      self.entries.removeAll(keepingCapacity: self.entries.count <= 16)
      self.head = 0
    } else if self.head >= 64 {
      self.entries.removeFirst(self.head)
      self.head = 0
    }
  }

  /// Drops all of which no byte was written.
  package mutating func removeAllUntouched() {
    self.entries.removeLast(self.entries.count - self.firstUntouched)
    self.count = self.entries.dropFirst(self.head).reduce(-self.headOffset) { $0 + $1.bytes.count }
  }

  /// The first entry of which no byte was written.
  private var firstUntouched: Int { self.headOffset > 0 ? self.head + 1 : self.head }

  private mutating func add(_ entry: Entry) {
    self.count += entry.bytes.count
    self.entries.append(entry)
  }

  /// Tells in the newest message how many went before it.
  private mutating func charge(_ place: Int, with dropped: Int) {
    guard var message = self.entries[place].message else { return }
    message.dropped += dropped
    let bytes = message.encoded()
    self.count += bytes.count - self.entries[place].bytes.count
    self.entries[place] = Entry(bytes: bytes, message: message)
  }
}
