import Positioning

/// The durable names of all users, the last numbers of their events, and the starts of their units.
struct DurableNames: Sendable {
  private var names = OwnedTable<DurableID, DurableName>()
  /// The greatest number of an event of a removed name, for each user.
  private var retired: [UInt32: UInt64]
  private var wakes: WakeLedger
  /// When starts of units that are due are checked again.
  private var deadlines = DeadlineQueue<DurableID>()

  init(restoring stored: StoredState, now: Instant) {
    self.retired = stored.retired
    self.wakes = WakeLedger(restoring: stored.wakeStarts, now: now)
  }

  // MARK: Names

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

  /// Adds a name. Its events' numbers continue after those of the user's removed names.
  func new(_ id: DurableID, user: String?) -> DurableName {
    var name = DurableName(id: id, user: user)
    name.inbox = Inbox(lastEvent: self.retired[id.uid] ?? 0)
    return name
  }

  mutating func put(_ name: DurableName) { self.names[name.id] = name }

  /// Removes a name. Its events' numbers are not used again.
  mutating func remove(_ name: DurableName) {
    self.names[name.id] = nil
    self.deadlines.set(nil, for: name.id)
    self.retired[name.id.uid] = max(self.retired[name.id.uid] ?? 0, name.inbox.lastEvent)
  }

  @discardableResult
  mutating func modify<Result>(_ id: DurableID, _ body: (inout DurableName) -> Result) -> Result? {
    self.names.modify(id, body)
  }

  // MARK: Starts of units

  /// When `takeDue` must be asked.
  var nextDeadline: Instant? { self.deadlines.next }

  /// Takes the name whose start must be checked the soonest, if it is time.
  mutating func takeDue(now: Instant) -> DurableID? { self.deadlines.popDue(now: now) }

  /// When the due start of the name's unit is checked again; `nil`: none is due.
  mutating func setWake(at deadline: Instant?, for id: DurableID) { self.deadlines.set(deadline, for: id) }

  /// When units were started last, as far as it still limits starts.
  var wakeStarts: [WakeTarget: Instant] { self.wakes.starts }

  /// When the unit may be started; `nil`: at any time.
  func nextStart(of target: WakeTarget) -> Instant? { self.wakes.nextStart(of: target) }

  func mayStart(_ target: WakeTarget, now: Instant) -> Bool { self.wakes.mayStart(target, now: now) }

  /// - Returns: The units whose last start limits nothing any more.
  mutating func started(_ target: WakeTarget, now: Instant) -> [WakeTarget] { self.wakes.started(target, now: now) }
}
