import Positioning

/// All waiting calls, and their number for each user.
struct PendingCalls: Sendable {
  /// Calls that wait for a fix have a table of their own, because they change with every fix.
  private var requests = GroupedTable<CallID, PendingRequest>()
  private var others = GroupedTable<CallID, PendingCall>()
  private(set) var users = UserCounts()
  private var deadlines = DeadlineQueue<CallID>()
  /// Changes whenever a client has calls with other demands than before.
  private(set) var demandHash = 0
  private(set) var allowances = SavingAllowances()

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
      self[id]?.info(now: now).map { OpenCall(call: id, info: $0) }
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

  /// The need of the calls that wait for a heading.
  var headingNeed: Need { self.hasHeadings ? .now : .none }

  /// What the calls demand of the receiver.
  var demands: [ReceiverDemand] {
    self.requests.compactMap(\.receiverDemand) + self.others.compactMap(\.demand)
  }

  func demands(of client: ClientID) -> [ReceiverDemand] { self.ids(of: client).compactMap { self[$0]?.demand } }

  /// The daemon did not run for so long: each call waits that much longer.
  mutating func putOff(by gap: Duration) {
    self.requests.forEach { $0.putOff(by: gap) }
    self.others.forEach { $0.putOff(by: gap) }
    self.deadlines.putOff(by: gap)
  }

  // MARK: Changing

  mutating func insert(_ call: PendingCall, of user: UInt32) {
    self.deadlines.set(call.deadline, for: call.id)
    self.demandHash &+= call.demand?.hashValue ?? 0
    self.allowances.change(from: nil, to: call.demand?.demand)
    if case .fix(let request) = call { self.requests[call.id] = request } else { self.others[call.id] = call }
    self.users.add(1, of: user)
  }

  mutating func remove(_ call: CallID, of user: UInt32) -> PendingCall? {
    guard let entry = self[call] else { return nil }
    self.deadlines.set(nil, for: call)
    self.demandHash &-= entry.demand?.hashValue ?? 0
    self.allowances.change(from: entry.demand?.demand, to: nil)
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
    let old = self[call]?.demand
    let outcome = self.requests.modify(call) { $0.move(to: feed, newest: newest, now: now) } ?? nil
    let new = self[call]?.demand
    self.demandHash &+= (new?.hashValue ?? 0) &- (old?.hashValue ?? 0)
    self.allowances.change(from: old?.demand, to: new?.demand)
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

/// A call that waits for a fix, for a heading, or for a person's answer.
enum PendingCall: Grouped {
  /// Indirect, because it is many times as large as the others.
  indirect case fix(PendingRequest)
  case heading(PendingHeading)
  case awaitingAuthorization(AwaitingCall)

  /// The subject of a waiting call.
  enum Subject: Hashable, Sendable {
    case fix, heading, authorization
  }

  var group: Subject {
    switch self {
    case .fix: .fix
    case .heading: .heading
    case .awaitingAuthorization: .authorization
    }
  }

  var id: CallID {
    switch self {
    case .fix(let request): request.asker.id
    case .heading(let request): request.asker.id
    case .awaitingAuthorization(let awaiting): awaiting.call
    }
  }

  /// The time of its answer at the latest; `nil`: when the prompt ends.
  var deadline: Instant? {
    switch self {
    case .fix(let request): request.deadline
    case .heading(let request): request.deadline
    case .awaitingAuthorization(let awaiting): awaiting.deadline
    }
  }

  mutating func putOff(by gap: Duration) {
    switch self {
    case .fix(var request):
      request.putOff(by: gap)
      self = .fix(request)
    case .heading(var request):
      request.putOff(by: gap)
      self = .heading(request)
    case .awaitingAuthorization(var awaiting):
      awaiting.putOff(by: gap)
      self = .awaitingAuthorization(awaiting)
    }
  }

  var demand: ReceiverDemand? {
    switch self {
    case .fix(let request): request.receiverDemand
    case .heading(let request):
      ReceiverDemand(holder: .client(request.asker.client), method: "heading.get", demand: request.demand)
    case .awaitingAuthorization: nil
    }
  }

  /// Its entry in the client's list of requests; `nil` if it is not listed.
  func info(now: Instant) -> RequestInfo? {
    switch self {
    case .fix(let request): request.info(now: now)
    case .heading(let request): request.info(now: now)
    case .awaitingAuthorization(let awaiting): awaiting.info(now: now)
    }
  }
}

extension PendingRequest: Grouped {
  var group: FixFeedKey { self.feed }

  fileprivate var receiverDemand: ReceiverDemand {
    ReceiverDemand(holder: .client(self.asker.client), method: "position.get", demand: self.demand)
  }
}

/// What a request, a subscription or a probe asks of the receiver, for the status. The need decides whether the receiver
/// is on.
struct ReceiverDemand: Hashable, Sendable {
  let holder: Holder
  /// The method that causes it.
  let method: String
  let demand: Demand
}

/// A call that waits for a person's answer.
struct AwaitingCall: Sendable {
  let call: CallID
  let what: Call
  let began: Instant
  /// When it is answered without a decision; `nil`: when the prompt ends.
  private(set) var deadline: Instant?

  init(call: CallID, what: Call, began: Instant, maxRequestTime: Duration) {
    self.call = call
    self.what = what
    self.began = began
    self.deadline =
      switch what.asked {
      case .fix(let request):
        request.delaysUntilAuthorized ? nil : request.deadline(began: began, maxRequestTime: maxRequestTime)
      case .heading(let request): request.deadline(began: began, maxRequestTime: maxRequestTime)
      case nil: nil
      }
  }

  mutating func putOff(by gap: Duration) { self.deadline = self.deadline.map { $0 + gap } }

  func info(now: Instant) -> RequestInfo? {
    let asked: RequestInfo.Asked
    switch self.what.asked {
    case .fix(let request): asked = .fix(request.complete)
    case .heading(let request): asked = .heading(request)
    case nil: return nil
    }
    let remaining = self.deadline.map { max(.zero, $0 - now) } ?? PromptQueue.timeout
    return RequestInfo(asked: asked, elapsed: now - self.began, remaining: remaining)
  }
}

/// A one-shot request that waits for a heading. It ends exactly once.
struct PendingHeading: Hashable, Sendable {
  let asker: Asker<HeadingResult>
  let request: HeadingRequest
  let began: Instant
  private(set) var deadline: Instant

  /// - Parameter maxRequestTime: The daemon's limit, which bounds every timeout and replaces a zero one.
  init(asker: Asker<HeadingResult>, request: HeadingRequest, began: Instant, maxRequestTime: Duration) {
    self.asker = asker
    self.request = request
    self.began = began
    self.deadline = request.deadline(began: began, maxRequestTime: maxRequestTime)
  }

  mutating func putOff(by gap: Duration) { self.deadline = self.deadline + gap }

  /// Its need of the receiver.
  var demand: Demand {
    Demand(accuracy: AccuracyLevel.city.meters, interval: .seconds(1), activity: .other)
  }

  /// Whether the heading is young enough; one that arrived after the request always is.
  func accepts(_ heading: Heading, now: Instant) -> Bool {
    heading.arrival >= self.began || heading.age(at: now) <= self.request.maximumAge
  }

  func info(now: Instant) -> RequestInfo {
    RequestInfo(
      asked: .heading(self.request), elapsed: now - self.began, remaining: max(.zero, self.deadline - now))
  }
}

extension HeadingRequest {
  func deadline(began: Instant, maxRequestTime: Duration) -> Instant {
    began + (self.timeout == .zero ? maxRequestTime : min(self.timeout, maxRequestTime))
  }
}
