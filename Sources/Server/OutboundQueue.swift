import Positioning

/// A message that may change, or be dropped, until it is written.
package protocol QueuedMessage: Sendable {
  /// The subscription of which a newer message supersedes it; `nil`: none does.
  var supersededBy: Int? { get }
  /// How many of the subscription's messages were dropped before this one because newer ones superseded them.
  var dropped: Int { get set }
  /// The message on the wire, with its frame.
  func encoded() -> [UInt8]
}

/// What remains of a waiting message once its client may know less.
package enum Remainder<Message> {
  case all
  case other(Message)
  case nothing
}

extension Remainder: Sendable where Message: Sendable {}

/// The messages that wait to be written to one client, limited in bytes.
///
/// A client that reads too slowly loses superseded fixes first: the newest of each subscription stays, with the
/// number of those dropped before it. Replies and other notifications are never dropped; if they alone exceed the
/// limit, the connection ends. What a client may not know any more is purged; only a partly written message is
/// finished.
package struct OutboundQueue<Message: QueuedMessage>: Sendable {
  private struct Entry {
    var bytes: [UInt8]
    /// Absent if the message cannot change.
    var message: Message?
  }

  private var entries = Fifo<Entry>()
  /// How many bytes of the first entry are written.
  private var headOffset = 0
  /// The bytes that wait.
  package private(set) var count = 0
  /// How many superseded messages were dropped for this client in all.
  package private(set) var dropped = 0

  package init() {}

  package var isEmpty: Bool { self.count == 0 }

  package mutating func append(_ bytes: [UInt8]) {
    self.add(Entry(bytes: bytes, message: nil))
  }

  package mutating func append(_ message: Message, encoded: [UInt8]) {
    self.add(Entry(bytes: encoded, message: message))
  }

  /// Drops superseded messages, oldest first, until at most `limit` bytes wait.
  ///
  /// - Returns: Whether that succeeded; if not, the rest may not be dropped.
  package mutating func shrink(to limit: Int) -> Bool {
    guard self.count > limit else { return true }
    var newest: [Int: Int] = [:]
    for place in self.entries.indices {
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
      self.entries = Fifo(self.entries.indices.filter { !removed.contains($0) }.map { self.entries[$0] })
    }
    return self.count <= limit
  }

  /// Reduces each message of which no byte is written to what the client may still know.
  ///
  /// A purged message is not superseded: it is not counted as dropped, nor are those dropped before it.
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
    self.entries = Fifo(kept)
  }

  /// The bytes to write next.
  package var first: ArraySlice<UInt8>? {
    self.entries.isEmpty ? nil : self.entries[0].bytes[self.headOffset...]
  }

  package mutating func wrote(_ written: Int) {
    self.headOffset += written
    self.count -= written
    guard self.headOffset == self.entries[0].bytes.count else { return }
    self.headOffset = 0
    self.entries.popFirst()
  }

  /// Drops all messages of which no byte is written.
  package mutating func removeAllUntouched() {
    self.entries = Fifo(Array(self.entries.prefix(self.firstUntouched)))
    self.count = self.entries.reduce(-self.headOffset) { $0 + $1.bytes.count }
  }

  /// The first entry of which no byte is written.
  private var firstUntouched: Int { self.headOffset > 0 ? 1 : 0 }

  private mutating func add(_ entry: Entry) {
    self.count += entry.bytes.count
    self.entries.append(entry)
  }

  /// Adds the number of dropped messages to the newest one.
  private mutating func charge(_ place: Int, with dropped: Int) {
    guard var message = self.entries[place].message else { return }
    message.dropped += dropped
    let bytes = message.encoded()
    self.count += bytes.count - self.entries[place].bytes.count
    self.entries[place] = Entry(bytes: bytes, message: message)
  }
}
