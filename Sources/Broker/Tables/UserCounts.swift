/// The number of something for each user, and for all users together.
///
/// A limit for each client alone would have no effect, since a user may have hundreds of clients. A limit for each user
/// alone would not protect the machine's memory, since there may be hundreds of users.
struct UserCounts: Hashable, Sendable {
  private var users: [UInt32: Int] = [:]
  private(set) var total = 0

  subscript(user: UInt32) -> Int { self.users[user] ?? 0 }

  mutating func add(_ count: Int, of user: UInt32) {
    let own = self[user] + count
    self.users[user] = own == 0 ? nil : own
    self.total += count
  }
}

/// The limits of something for one user and for all users together.
struct UserLimit: Sendable {
  /// The name of the setting; that for each user ends in `-per-user`.
  let name: String
  let perUser: Int
  let total: Int

  /// Whether there is room for so many more.
  func checkRoom(for count: Int = 1, besides own: Int, of all: Int) throws(CallFailure) {
    guard own + count <= self.perUser else { throw .limitExceeded(name: "\(self.name)-per-user", value: self.perUser) }
    guard all + count <= self.total else { throw .limitExceeded(name: self.name, value: self.total) }
  }

  func checkRoom(for count: Int = 1, in counts: UserCounts, of user: UInt32) throws(CallFailure) {
    try self.checkRoom(for: count, besides: counts[user], of: counts.total)
  }
}

extension BrokerSettings {
  var requestLimit: UserLimit {
    UserLimit(name: "max-requests", perUser: self.maxRequestsPerUser, total: self.maxRequests)
  }
  var subscriptionLimit: UserLimit {
    UserLimit(name: "max-subscriptions", perUser: self.maxSubscriptionsPerUser, total: self.maxSubscriptions)
  }
  var deferredLimit: UserLimit {
    UserLimit(name: "max-deferred", perUser: self.maxDeferredPerUser, total: self.maxDeferred)
  }
  var regionLimit: UserLimit {
    UserLimit(name: "max-regions", perUser: self.maxRegionsPerUser, total: self.maxRegions)
  }
  var cornerLimit: UserLimit {
    UserLimit(name: "max-corners", perUser: self.maxCornersPerUser, total: self.maxCorners)
  }
  var nameLimit: UserLimit {
    UserLimit(name: "max-durable-names", perUser: self.maxNamesPerUser, total: self.maxNames)
  }
}
