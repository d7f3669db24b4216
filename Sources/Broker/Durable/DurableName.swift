import Positioning

/// A durable name: its registrations, its waiting events, and the attached client.
struct DurableName: Sendable {
  /// The client that receives the name's events.
  struct Attachment: Sendable {
    let client: ClientID
    /// The number of the next event to send.
    var next: UInt64
    /// Whether it is being sent waiting events, a few at a time as it takes them.
    var isCatchingUp: Bool
    /// Whether it was notified of dropped events that it had been sent.
    var isOverflowReported = false
  }

  /// How many events and fixes are sent before the client has taken them: no more than may wait for it.
  static let window = 16
  static let windowFixes = 128

  let id: DurableID
  let user: String?
  /// The groups of the user, as far as they are known.
  var groups: [UInt32] = []
  /// The feed by which its registrations are judged; `nil` while its user may know none.
  var feed: FixFeedKey?
  /// The feed from which its states and events come, as it is stored.
  var keptFeed: FixFeedKey?
  /// It is not known yet whether the user exists: the name is not notified, and loses nothing.
  var isSuspended = false
  var wake: String?
  var inbox = Inbox()
  /// The newest event for which its unit was started since a client was last attached.
  var wokenThrough: UInt64 = 0
  /// Why the last start of its unit failed.
  var wakeError: String?
  var attachment: Attachment?

  init(id: DurableID, user: String?) {
    self.id = id
    self.user = user
  }

  /// The holder of its regions and subscriptions.
  var holder: Holder { .durable(self.id) }

  /// The principal by which its permission is decided.
  var principal: Principal { Principal(uid: self.id.uid, groups: self.groups, user: self.user, name: self.id.name) }

  /// Whether an event waits without an attached client, and its unit was not started for it.
  var isStartOwed: Bool { self.attachment == nil && (self.inbox.events.last?.id ?? 0) > self.wokenThrough }

  /// The number of its only position registration.
  var position: SubscriptionID { SubscriptionID(holder: self.holder, number: 1) }
  /// The number of its only visit registration.
  var visits: SubscriptionID { SubscriptionID(holder: self.holder, number: 2) }
}
