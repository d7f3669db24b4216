import Broker
import Positioning

/// Clients that can be done without, the one that has said nothing for the longest first.
///
/// Each event costs the same short time however many stand in it: one that speaks goes to the end, and its old place is
/// passed over when it comes up.
struct IdleLine {
  private struct Place {
    let client: ClientID
    let number: UInt64
  }

  private struct Standing {
    let number: UInt64
    let since: Instant
  }

  private var places: ArraySlice<Place> = []
  private var standing: [ClientID: Standing] = [:]
  private var last: UInt64 = 0

  var count: Int { self.standing.count }

  /// The places that are kept, those included that will be passed over.
  var room: Int { self.places.count }

  /// The client has come, or has said something.
  mutating func heard(_ client: ClientID, now: Instant) {
    self.last += 1
    self.standing[client] = Standing(number: self.last, since: now)
    self.places.append(Place(client: client, number: self.last))
    guard self.places.count > 2 * self.standing.count + 64 else { return }
    self.places = self.places.filter { self.standing[$0.client]?.number == $0.number }[...]
  }

  /// The client has gone, or cannot be done without any more.
  mutating func remove(_ client: ClientID) { self.standing[client] = nil }

  func contains(_ client: ClientID) -> Bool { self.standing[client] != nil }

  /// The one that has been idle for the longest, and since when.
  var first: (client: ClientID, since: Instant)? {
    mutating get {
      while let place = self.places.first {
        if let standing = self.standing[place.client], standing.number == place.number {
          return (place.client, standing.since)
        }
        self.places.removeFirst()
      }
      return nil
    }
  }
}
