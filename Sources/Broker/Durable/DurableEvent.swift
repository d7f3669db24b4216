package import Positioning

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
