import Broker
import Positioning

/// Clients that may have to make room, the one that has idled for the longest first.
///
/// Each event takes the same short time for any number of clients: one that speaks goes to the end, and its old
/// place is skipped when it is reached.
struct IdleQueue {
  private struct Place {
    let client: ClientID
    let number: UInt64
  }

  private struct Entry {
    let number: UInt64
    let since: Instant
  }

  private var places = Fifo<Place>()
  private var entries: [ClientID: Entry] = [:]
  private var last: UInt64 = 0

  var count: Int { self.entries.count }

  /// The number of places, including those that will be skipped.
  var room: Int { self.places.count }

  /// The client has connected, or has sent something.
  mutating func heard(_ client: ClientID, now: Instant) {
    self.last += 1
    self.entries[client] = Entry(number: self.last, since: now)
    self.places.append(Place(client: client, number: self.last))
    guard self.places.count > 2 * self.entries.count + 64 else { return }
    self.places = Fifo(self.places.filter { self.entries[$0.client]?.number == $0.number })
  }

  /// The client has gone, or must not make room any more.
  mutating func remove(_ client: ClientID) {
    // This is called for each message of a client with a grant.
    if !self.entries.isEmpty { self.entries[client] = nil }
  }

  func contains(_ client: ClientID) -> Bool { self.entries[client] != nil }

  /// The client that has idled for the longest, and since when.
  var first: (client: ClientID, since: Instant)? {
    mutating get {
      while let place = self.places.first {
        if let entry = self.entries[place.client], entry.number == place.number {
          return (place.client, entry.since)
        }
        self.places.popFirst()
      }
      return nil
    }
  }
}
