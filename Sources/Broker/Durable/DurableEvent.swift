package import Positioning

/// What happened to a durable registration, kept until its client acknowledges it.
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

  /// How many fixes it holds: what an inbox may hold is bounded in both.
  package var weight: Int {
    switch self.content {
    case .position(let update): max(1, update.fixes.count)
    case .region, .visit: 1
    }
  }
}
