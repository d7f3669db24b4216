import Positioning

/// A durable name: its registrations, its waiting events, and the attached client.
struct DurableName: Sendable {
  /// The client that receives the name's events.
  struct Attachment: Sendable {
    let client: ClientID
    /// The number of the next event to send.
    fileprivate(set) var next: UInt64 = 0
    /// Whether it is being sent waiting events, a few at a time as it takes them.
    fileprivate(set) var isCatchingUp = false
    /// Whether it was notified of dropped events that it had been sent.
    fileprivate(set) var isOverflowReported = false
  }

  /// How many events and fixes are sent before the client has taken them: no more than may wait for it.
  static let window = 16
  static let windowFixes = 128

  let id: DurableID
  let user: String?
  /// The groups of the user, as far as they are known.
  fileprivate(set) var groups: [UInt32]
  /// The feed by which its registrations are judged; `nil` while its user may know none.
  fileprivate(set) var feed: FixFeedKey?
  /// The feed from which its states and events come, as it is stored.
  fileprivate(set) var keptFeed: FixFeedKey?
  /// It is not known yet whether the user exists: the name is not notified, and loses nothing.
  fileprivate(set) var isSuspended: Bool
  fileprivate(set) var wake: String?
  fileprivate(set) var inbox: Inbox
  /// The newest event for which its unit was started since a client was last attached.
  fileprivate var wokenThrough: UInt64 = 0
  /// Why the last start of its unit failed.
  fileprivate(set) var wakeError: String?
  fileprivate(set) var attachment: Attachment?

  /// The holder of its regions and subscriptions.
  var holder: Holder { .durable(self.id) }

  /// The principal by which its permission is decided.
  var principal: Principal { Principal(uid: self.id.uid, groups: self.groups, user: self.user, name: self.id.name) }

  /// Whether an event waits without an attached client, and its unit was not started for it.
  var isStartOwed: Bool { self.attachment == nil && (self.inbox.events.last?.id ?? 0) > self.wokenThrough }

  /// The number of its only position registration.
  var position: SubscriptionID { Self.position(of: self.id) }
  /// The number of its only visit registration.
  var visits: SubscriptionID { SubscriptionID(holder: self.holder, number: 2) }

  static func position(of id: DurableID) -> SubscriptionID { SubscriptionID(holder: .durable(id), number: 1) }
}

/// The durable names of all users: their events, the clients that get them, and the starts of units.
///
/// An event is sent, and starts a unit, once it is stored. Whether a unit is to be started follows from the state alone,
/// so it is checked whenever that may have changed, and again when the start is stored and about to happen.
struct DurableNames: Sendable {
  /// What is to happen, in this order.
  enum Effect: Hashable, Sendable {
    case store(StoreChange)
    /// It follows the commit.
    case follow(Follower)
    /// There is no room for the name's changes: its whole state is stored later, and what follows from it comes then.
    case owe(DurableID)
  }

  private var names = OwnedTable<DurableID, DurableName>()
  /// The greatest number of an event of a removed name, for each user.
  private var retired: [UInt32: UInt64]
  private var starts: UnitStarts
  /// When starts of units that are due are checked again.
  private var deadlines = DeadlineQueue<DurableID>()

  init(restoring stored: StoredState, now: Instant) {
    self.retired = stored.retired
    self.starts = UnitStarts(restoring: stored.wakeStarts, now: now)
  }

  // MARK: Reading

  var count: Int { self.names.count }
  var ids: [DurableID] { self.names.keys }
  var all: [DurableName] { self.names.all }
  /// The users with names.
  var users: Set<UInt32> { Set(self.names.allOwners) }

  func ids(of user: UInt32) -> [DurableID] { self.names.keys(of: user) }

  subscript(id: DurableID) -> DurableName? { self.names[id] }

  /// The user's names that the client is attached to.
  func ids(attachedTo client: ClientID, of user: UInt32) -> [DurableID] {
    self.ids(of: user).filter { self.names[$0]?.attachment?.client == client }
  }

  /// Whether the user may have another name.
  func checkRoom(of user: UInt32, _ settings: BrokerSettings) throws(CallFailure) {
    try settings.nameLimit.checkRoom(besides: self.names.count(of: user), of: self.count)
  }

  // MARK: Adding and removing

  /// A name that is not added yet. Its events' numbers continue after those of the user's removed names.
  func new(_ id: DurableID, user: String?, groups: [UInt32], isSuspended: Bool = false) -> DurableName {
    DurableName(
      id: id, user: user, groups: groups, isSuspended: isSuspended, inbox: Inbox(lastEvent: self.retired[id.uid] ?? 0))
  }

  mutating func add(_ name: DurableName, seeing feed: FixFeedKey?, wake: String?) -> [Effect] {
    var name = name
    (name.feed, name.keptFeed, name.wake) = (feed, feed, wake)
    self.names[name.id] = name
    return [.store(.putName(name.id, user: name.user, wake: wake)), .store(.setFeed(name.id, feed))]
  }

  /// Adds a name from before the daemon was restarted. Its events are removed if they come from a feed that its user may
  /// not have any more.
  ///
  /// - Parameter kept: The feed from which its states and events come.
  mutating func restore(
    _ name: DurableName, _ stored: StoredName, seeing feed: FixFeedKey?, kept: FixFeedKey?
  ) -> [Effect] {
    var name = name
    (name.feed, name.keptFeed, name.wake) = (feed, kept, stored.wake)
    let isSame = stored.feed == kept
    name.inbox = Inbox(events: isSame ? stored.events : [], lastEvent: stored.lastEvent, dropped: stored.dropped)
    self.names[name.id] = name
    guard !isSame else { return [] }
    return [.store(.setFeed(name.id, kept))]
      + (stored.events.last.map { [.store(.acknowledge(name.id, through: $0.id))] } ?? [])
  }

  /// Removes a name. Its events' numbers are not used again.
  mutating func remove(_ name: DurableName) {
    self.names[name.id] = nil
    self.deadlines.set(nil, for: name.id)
    self.retired[name.id.uid] = max(self.retired[name.id.uid] ?? 0, name.inbox.lastEvent)
  }

  // MARK: The user

  /// The user exists, with these groups.
  mutating func learn(_ groups: [UInt32], of id: DurableID) {
    self.names.modify(id) { ($0.groups, $0.isSuspended) = (groups, false) }
  }

  mutating func suspend(_ id: DurableID) { self.names.modify(id) { $0.isSuspended = true } }

  mutating func setUnit(_ unit: String, of name: DurableName) -> [Effect] {
    guard unit != name.wake else { return [] }
    self.names.modify(name.id) { $0.wake = unit }
    return [.store(.putName(name.id, user: name.user, wake: unit))]
  }

  /// Its registrations are judged by another feed.
  mutating func change(_ feed: FixFeedKey?, of id: DurableID) { self.names.modify(id) { $0.feed = feed } }

  /// Its states and events come from its present feed from now on: those that wait come from one that its user may not
  /// have any more.
  mutating func forgetEvents(of id: DurableID) -> [Effect] {
    self.names.modify(id) { name in
      name.keptFeed = name.feed
      name.inbox.acknowledge(through: name.inbox.lastEvent)
      return [.store(.setFeed(id, name.feed)), .store(.acknowledge(id, through: name.inbox.lastEvent))]
    } ?? []
  }

  // MARK: Events

  /// Puts an event into the name's inbox.
  mutating func post(_ content: DurableContent, to id: DurableID, _ limits: InboxLimits, now: Instant) -> [Effect] {
    self.names.modify(id) { name in
      let through = name.inbox.append(content, at: now, limits: limits)
      return (name.inbox.events.last.map { [.store(.putEvent(id, $0))] } ?? [])
        + (through.map { [.store(.overflow(id, through: $0, dropped: name.inbox.dropped))] } ?? [])
    } ?? []
  }

  /// Sends the attached client the events that it does not have: new ones at once, waiting ones a few at a time.
  ///
  /// - Parameter isBehind: Whether the name's changes wait for room in the store.
  mutating func deliver(_ id: DurableID, isBehind: Bool) -> [Effect] {
    guard let client = self.names[id]?.attachment?.client else { return [] }
    guard !isBehind else { return [.owe(id)] }
    return self.names.modify(id) { name in name.deliver(to: client) } ?? []
  }

  /// Removes the events up to this one.
  mutating func acknowledge(_ id: DurableID, through event: UInt64, _ limits: InboxLimits) -> [Effect] {
    self.names.modify(id) { name in
      name.inbox.acknowledge(through: event)
      // Once the client keeps up again, further drops are reported again.
      if name.inbox.events.count <= limits.events / 2 { name.attachment?.isOverflowReported = false }
    }
    return [.store(.acknowledge(id, through: event))]
  }

  // MARK: Clients

  /// The client gets the name's events from now on: no unit is started for them. They are sent from `beginDelivery` on.
  mutating func attach(_ client: ClientID, to id: DurableID) {
    self.names.modify(id) { $0.attachment = DurableName.Attachment(client: client) }
  }

  /// The attached client gets all events that wait.
  mutating func beginDelivery(_ id: DurableID) {
    self.names.modify(id) { $0.attachment?.next = $0.inbox.events.first?.id ?? $0.inbox.lastEvent + 1 }
  }

  /// The client has left: events that it did not acknowledge wait again, and may start the unit as new ones do.
  mutating func detach(_ id: DurableID) {
    self.names.modify(id) { ($0.attachment, $0.wokenThrough) = (nil, 0) }
  }

  /// The client was not notified of so many lost events.
  mutating func overflowNotReported(_ lost: Int, of id: DurableID) -> [Effect] {
    guard lost > 0 else { return [] }
    return self.names.modify(id) { name in
      name.inbox.overflowNotReported(lost)
      return [.store(.overflow(id, through: 0, dropped: name.inbox.dropped))]
    } ?? []
  }

  // MARK: Starts of units

  /// When `takeDue` must be asked.
  var nextDeadline: Instant? { self.deadlines.next }

  /// Takes the name whose start must be checked the soonest, if it is time.
  mutating func takeDue(now: Instant) -> DurableID? { self.deadlines.popDue(now: now) }

  /// Events from just before the daemon ended may not have started the unit: that is checked soon.
  mutating func checkStart(of id: DurableID, now: Instant) {
    if let name = self.names[id], name.isStartOwed, name.wake != nil { self.deadlines.set(now, for: id) }
  }

  /// When units were started last, as far as it still limits starts.
  var wakeStarts: [WakeTarget: Instant] { self.starts.starts }

  /// When the unit may be started; `nil`: at any time.
  func nextStart(of target: WakeTarget) -> Instant? { self.starts.nextStart(of: target) }

  /// Starts a unit for the name's events, now or as soon as it may be started again.
  ///
  /// - Parameters:
  ///   - unit: The unit that is to be started and may be; `nil`: none.
  ///   - isBehind: Whether the name's changes wait for room in the store.
  mutating func wake(_ id: DurableID, by unit: String?, isBehind: Bool, now: Instant) -> [Effect] {
    guard let unit else {
      self.deadlines.set(nil, for: id)
      return []
    }
    let target = WakeTarget(uid: id.uid, unit: unit)
    var effects: [Effect] = []
    if self.starts.mayStart(target, now: now) {
      guard !isBehind else {
        self.deadlines.set(nil, for: id)
        return [.owe(id)]
      }
      effects = self.starts.started(target, now: now).map { .store(.removeWakeStart($0)) }
      effects += [.store(.putWakeStart(target, now)), .follow(.startUnit(unit, for: id))]
    }
    // A start that does not happen is tried again as soon as it may be.
    self.deadlines.set(self.starts.nextStart(of: target), for: id)
    return effects
  }

  /// The start is stored, and happens. One that the disk has held up counts from now on.
  mutating func started(_ unit: String, for id: DurableID, now: Instant) -> [Effect] {
    self.names.modify(id) { $0.wokenThrough = $0.inbox.lastEvent }
    self.deadlines.set(nil, for: id)
    let target = WakeTarget(uid: id.uid, unit: unit)
    return self.starts.happened(target, now: now) ? [.store(.putWakeStart(target, now))] : []
  }

  /// - Parameter error: Why the unit was not started; `nil`: it was.
  mutating func unitStarted(for id: DurableID, error: String?) { self.names.modify(id) { $0.wakeError = error } }
}

extension DurableName {
  fileprivate mutating func deliver(to client: ClientID) -> [DurableNames.Effect] {
    guard var attachment = self.attachment else { return [] }
    var effects: [DurableNames.Effect] = []
    func send(_ notification: Notification) { effects.append(.follow(.notify(client, notification))) }
    if self.inbox.dropped > 0, attachment.isToBeNotified(ofDropsThrough: self.inbox.droppedThrough) {
      attachment.isOverflowReported = true
      send(.durableOverflow(name: self.id.name, dropped: self.inbox.dropped))
      effects.append(.store(.overflow(self.id, through: 0, dropped: 0)))
      self.inbox.overflowReported()
    }
    let events = self.inbox.events(from: attachment.next, atMost: Self.window, fixes: Self.windowFixes)
    for event in events { send(.durable(name: self.id.name, event)) }
    // If no later event is left, none waits: the client may have acknowledged events that it was not sent.
    attachment.next = (events.last?.id ?? self.inbox.lastEvent) + 1
    attachment.isCatchingUp = attachment.next <= self.inbox.lastEvent
    if attachment.isCatchingUp { effects.append(.follow(.reportWhenTaken(client))) }
    self.attachment = attachment
    return effects
  }

  /// Whether there was an event with this number.
  func check(_ event: UInt64, parameter: String) throws(CallFailure) {
    guard event > self.inbox.lastEvent else { return }
    throw .invalid(parameter: parameter, expected: "at most \(self.inbox.lastEvent), the newest event's number")
  }
}

extension DurableName.Attachment {
  /// Whether the client must be notified of dropped events now. If it was never sent them, there is a gap in what it
  /// gets, so it is notified at once. If it was sent them and did not acknowledge them, it is notified once.
  fileprivate func isToBeNotified(ofDropsThrough newest: UInt64) -> Bool {
    !self.isOverflowReported || newest >= self.next
  }
}

/// A unit that a user's events start.
package struct WakeTarget: Hashable, Comparable, Sendable {
  package let uid: UInt32
  package let unit: String

  package init(uid: UInt32, unit: String) {
    self.uid = uid
    self.unit = unit
  }

  package static func < (left: WakeTarget, right: WakeTarget) -> Bool {
    (left.uid, left.unit) < (right.uid, right.unit)
  }
}

/// When units were started last, so that none is started again too soon.
///
/// It is kept for each user and unit, and stored: neither removing a name and registering it again nor a restart of the
/// daemon brings a start forward.
struct UnitStarts: Hashable, Sendable {
  static let spacing: Duration = .seconds(300)
  /// How much later than its decision a start may happen and still count from the decision.
  static let lateness: Duration = .seconds(1)

  private(set) var starts: [WakeTarget: Instant] = [:]

  init() {}

  /// - Parameter starts: The stored ones; those that limit nothing any more are ignored.
  init(restoring starts: [WakeTarget: Instant], now: Instant) {
    // The age of a start before this boot is unknown, and the boot has stopped its unit.
    self.starts = starts.filter { !$0.value.isBeforeBoot && now - $0.value < Self.spacing }
  }

  /// When the unit may be started, considering its last start; `nil`: at any time.
  func nextStart(of target: WakeTarget) -> Instant? { self.starts[target].map { $0 + Self.spacing } }

  func mayStart(_ target: WakeTarget, now: Instant) -> Bool { self.nextStart(of: target).map { $0 <= now } ?? true }

  /// - Returns: The units whose last start limits nothing any more.
  mutating func started(_ target: WakeTarget, now: Instant) -> [WakeTarget] {
    let over = self.starts.filter { now - $0.value >= Self.spacing && $0.key != target }.keys.sorted()
    for old in over { self.starts[old] = nil }
    self.starts[target] = now
    return over
  }

  /// A start that was decided happens.
  ///
  /// - Returns: Whether it counts from now on, and not from its decision.
  mutating func happened(_ target: WakeTarget, now: Instant) -> Bool {
    guard let decided = self.starts[target], now - decided > Self.lateness else { return false }
    self.starts[target] = now
    return true
  }
}
