/// What a user holds, over all of its clients and durable names.
struct Holdings: Hashable, Sendable {
  /// Calls that wait.
  var requests = 0
  /// Of all kinds, those of durable names apart.
  var subscriptions = 0
  /// To the daemon's own state, which needs no permission.
  var statuses = 0
  /// Those that collect fixes.
  var deferred = 0
  var regions = 0
  /// Of all polygons together.
  var corners = 0
}

/// What each user holds. A limit for each client alone would be none: a user may have hundreds of them.
struct HoldingsLedger: Hashable, Sendable {
  private(set) var users: [UInt32: Holdings] = [:]

  subscript(user: UInt32) -> Holdings { self.users[user] ?? Holdings() }

  mutating func change(_ user: UInt32, _ body: (inout Holdings) -> Void) {
    var holdings = self[user]
    body(&holdings)
    self.users[user] = holdings == Holdings() ? nil : holdings
  }
}
