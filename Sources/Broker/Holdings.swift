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

  /// One of those that are added up here has other holdings now.
  fileprivate mutating func change(from old: Holdings, to new: Holdings) {
    self.requests += new.requests - old.requests
    self.subscriptions += new.subscriptions - old.subscriptions
    self.statuses += new.statuses - old.statuses
    self.deferred += new.deferred - old.deferred
    self.regions += new.regions - old.regions
    self.corners += new.corners - old.corners
  }
}

/// What each user holds, and all together. A limit for each client alone would be none, as a user may have hundreds of
/// them; and one for each user alone would be none for the machine's memory, as there may be hundreds of users.
struct HoldingsLedger: Hashable, Sendable {
  private(set) var users: [UInt32: Holdings] = [:]
  private(set) var total = Holdings()

  subscript(user: UInt32) -> Holdings { self.users[user] ?? Holdings() }

  mutating func change(_ user: UInt32, _ body: (inout Holdings) -> Void) {
    var holdings = self[user]
    let before = holdings
    body(&holdings)
    self.users[user] = holdings == Holdings() ? nil : holdings
    self.total.change(from: before, to: holdings)
  }
}
