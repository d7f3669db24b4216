import Positioning

/// All waiting calls, and their number for each user.
struct PendingCalls: Sendable {
  /// Apart from the others, because they change with every fix.
  private var requests = GroupedTable<CallID, PendingRequest>()
  private var others = GroupedTable<CallID, PendingCall>()
  private(set) var users = Tally()
  private var deadlines = DeadlineQueue<CallID>()
  /// The calls whose demand may have changed since the last read.
  private var touched: [CallID] = []

  var count: Int { self.requests.count + self.others.count }
  var ids: [CallID] { self.requests.keys + self.others.keys }

  func ids(of client: ClientID) -> [CallID] { self.requests.keys(of: client) + self.others.keys(of: client) }

  func count(of client: ClientID) -> Int { self.requests.count(of: client) + self.others.count(of: client) }

  /// The calls that wait for a heading, in their order.
  var headings: [CallID] { self.others.keys(in: .heading) }

  var hasHeadings: Bool { self.others.count(in: .heading) > 0 }

  subscript(call: CallID) -> PendingCall? { self.others[call] ?? self.requests[call].map { .fix($0) } }

  /// The oldest first.
  func open(of client: ClientID, now: Instant) -> [OpenCall] {
    self.ids(of: client).sorted { $0.serial < $1.serial }.compactMap { id in
      self[id]?.info(now: now).map { OpenCall(id, $0) }
    }
  }

  /// The client's calls that wait for a person's answer.
  func awaitingAuthorization(of client: ClientID) -> [AwaitingCall] {
    self.others.keys(of: client).compactMap { id in
      if case .awaitingAuthorization(let awaiting) = self.others[id] { awaiting } else { nil }
    }
  }

  /// Whether the client may have another waiting call.
  func checkRoom(for client: ClientID, of user: UInt32, _ settings: BrokerSettings) throws(CallFailure) {
    let limit = settings.maxRequestsPerClient
    guard self.count(of: client) < limit else { throw .limitExceeded(name: "max-requests-per-client", value: limit) }
    try settings.requestLimit.checkRoom(in: self.users, of: user)
  }

  // MARK: Time and the receiver

  /// When `takeDue` must be asked.
  var nextDeadline: Instant? { self.deadlines.next }

  /// Takes the call whose deadline is the soonest, if it has passed.
  mutating func takeDue(now: Instant) -> CallID? { self.deadlines.popDue(now: now) }

  /// The need of the calls that wait for the feed's fixes: while they wait, the receiver.
  func need(in feed: FixFeedKey) -> Need { self.requests.count(in: feed) > 0 ? .now : .none }

  /// The same for calls that wait for a heading.
  var headingNeed: Need { self.hasHeadings ? .now : .none }

  /// The calls whose demand may have changed since the last read.
  mutating func takeChangedDemands() -> [CallID] {
    defer { self.touched = [] }
    return self.touched
  }

  /// Nobody could answer for so long.
  mutating func putOff(by gap: Duration) {
    self.requests.forEach { $0.putOff(by: gap) }
    self.others.forEach { $0.putOff(by: gap) }
    self.deadlines.putOff(by: gap)
  }

  // MARK: Changing

  mutating func insert(_ call: PendingCall, of user: UInt32) {
    self.deadlines.set(call.deadline, for: call.id)
    self.touched.append(call.id)
    if case .fix(let request) = call { self.requests[call.id] = request } else { self.others[call.id] = call }
    self.users.add(1, of: user)
  }

  mutating func remove(_ call: CallID, of user: UInt32) -> PendingCall? {
    guard let entry = self[call] else { return nil }
    self.deadlines.set(nil, for: call)
    self.touched.append(call)
    self.requests[call] = nil
    self.others[call] = nil
    self.users.add(-1, of: user)
    return entry
  }

  /// A call that waits for a fix continues with the fixes of another feed.
  ///
  /// - Returns: The request, if the feed's newest fix answers it.
  mutating func move(
    _ call: CallID, to feed: FixFeedKey, newest: Fix?, now: Instant
  ) -> (PendingRequest, PendingRequest.Outcome)? {
    let outcome = self.requests.modify(call) { $0.move(to: feed, newest: newest, now: now) } ?? nil
    self.touched.append(call)
    guard let outcome, let request = self.requests[call] else { return nil }
    return (request, outcome)
  }

  /// Judges a fix for the calls that wait for one of the feed's, in order.
  ///
  /// - Returns: the calls that it answers.
  mutating func fixed(_ fix: Fix, in feed: FixFeedKey, now: Instant) -> [(PendingRequest, PendingRequest.Outcome)] {
    var answered: [(PendingRequest, PendingRequest.Outcome)] = []
    self.requests.forEach(in: feed) { request in
      if let outcome = request.fixed(fix, now: now) { answered.append((request, outcome)) }
    }
    return answered
  }
}
