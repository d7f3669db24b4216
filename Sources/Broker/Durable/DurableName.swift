import Positioning

/// A durable name: what is registered under it, what waits for its client, and which client is attached.
struct DurableName: Sendable {
  /// A client that takes the name's events.
  struct Attachment: Sendable {
    let client: ClientID
    /// The number of the event that it is sent next.
    var next: UInt64
    /// Whether it is being sent what waited, a few at a time as it takes them.
    var isCatchingUp: Bool
    /// Whether it was told of events that were dropped after it had been sent them.
    var isOverflowTold = false
  }

  /// How many events, and fixes in them, are sent until the client has taken them: no more than may wait for it.
  static let window = 16
  static let windowFixes = 128

  let id: DurableID
  let user: String?
  /// The groups of the user, as far as they are known.
  var groups: [UInt32] = []
  /// By which fixes its registrations are judged; `nil` while its user may know none.
  var feed: FixFeedKey?
  /// By which fixes its states and events came about, as it is stored.
  var keptFeed: FixFeedKey?
  /// Nobody has said yet whether there is such a user: it is told nothing, and loses nothing.
  var isSuspended = false
  var wake: String?
  var inbox = Inbox()
  /// The newest event for which its unit was started since a client was attached last.
  var wokenThrough: UInt64 = 0
  /// Why the last start of its unit failed, in words.
  var wakeTrouble: String?
  var attachment: Attachment?

  init(id: DurableID, user: String?) {
    self.id = id
    self.user = user
  }

  /// Whose its regions and subscriptions are.
  var holder: Holder { .durable(self.id) }

  /// Who it is for what it may know.
  var principal: Principal { Principal(uid: self.id.uid, groups: self.groups, user: self.user, name: self.id.name) }

  /// Whether an event waits that nobody takes, and for which its unit was not started.
  var isStartOwed: Bool { self.attachment == nil && (self.inbox.events.last?.id ?? 0) > self.wokenThrough }

  /// The number of its one position registration.
  var position: SubscriptionID { SubscriptionID(holder: self.holder, number: 1) }
  /// The number of its one visit registration.
  var visits: SubscriptionID { SubscriptionID(holder: self.holder, number: 2) }
}
