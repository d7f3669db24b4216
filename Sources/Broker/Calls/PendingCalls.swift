import Positioning

/// All calls that wait, and how many each user has.
struct PendingCalls: Sendable {
  /// Apart from the others: they change with every fix.
  private var requests = GroupedTable<CallID, PendingRequest>()
  private var others = GroupedTable<CallID, PendingCall>()
  private(set) var users = Tally()

  var count: Int { self.requests.count + self.others.count }
  var ids: [CallID] { self.requests.keys + self.others.keys }

  func ids(of client: ClientID) -> [CallID] { self.requests.keys(of: client) + self.others.keys(of: client) }

  func count(of client: ClientID) -> Int { self.requests.count(of: client) + self.others.count(of: client) }

  /// Those that the fixes of the feed answer, in the order in which they came to wait for them.
  func requests(in feed: FixFeedKey) -> [CallID] { self.requests.keys(in: feed) }

  /// Those that wait for a heading, in the order in which they came.
  var headings: [CallID] { self.others.keys(in: .heading) }

  var hasHeadings: Bool { self.others.count(in: .heading) > 0 }

  subscript(call: CallID) -> PendingCall? { self.others[call] ?? self.requests[call].map { .fix($0) } }

  func request(_ call: CallID) -> PendingRequest? { self.requests[call] }

  /// The oldest first.
  func infos(of client: ClientID, now: Instant) -> [RequestInfo] {
    self.ids(of: client).compactMap { self[$0]?.info(now: now) }.sorted { $0.call.serial < $1.call.serial }
  }

  /// The client's calls that wait for a person's answer.
  func awaitingAuthorization(of client: ClientID) -> [AwaitingCall] {
    self.others.keys(of: client).compactMap { id in
      if case .awaitingAuthorization(let awaiting) = self.others[id] { awaiting } else { nil }
    }
  }

  /// Whether the client may have one more that waits.
  func checkRoom(for client: ClientID, of user: UInt32, _ settings: BrokerSettings) throws(CallFailure) {
    let limit = settings.maxRequestsPerClient
    guard self.count(of: client) < limit else { throw .limitExceeded(name: "max-requests-per-client", value: limit) }
    try settings.requestLimit.checkRoom(in: self.users, of: user)
  }

  mutating func insert(_ call: PendingCall, of user: UInt32) {
    if case .fix(let request) = call { self.requests[call.id] = request } else { self.others[call.id] = call }
    self.users.add(1, of: user)
  }

  mutating func remove(_ call: CallID, of user: UInt32) -> PendingCall? {
    guard let entry = self[call] else { return nil }
    self.requests[call] = nil
    self.others[call] = nil
    self.users.add(-1, of: user)
    return entry
  }

  /// Changes in place one that waits for a fix; `nil`: there is none.
  mutating func modifyRequest<Result>(_ call: CallID, _ body: (inout PendingRequest) -> Result) -> Result? {
    self.requests.modify(call, body)
  }
}
