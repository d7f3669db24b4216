import EventLoop
import JSONRPC
import Positioning
import TestSupport
import Testing

@testable import Broker
@testable import Server

/// Permission that is withdrawn from a client with many waiting messages, because it does not read.
@Suite(.timeLimit(.minutes(TestDeadline.minutes))) struct WithdrawalTests {
  private static let client = ClientID(1)

  /// Fixes enough to fill the kernel's own buffers and the queue several times over.
  private static let fixes = 3000

  @Test(
    "a client gets no waiting message that it may not know any more, and every request has one answer",
    arguments: [Precision?.none, .reduced])
  func withdrawal(precision: Precision?) async throws {
    try await onOwnThread { try Self.check(precision) }
  }

  private static func check(_ precision: Precision?) throws {
    let limit = SensitivityLimit(
      precision: precision,
      denial: precision == nil
        ? .restricted(what: "guests may not know", rule: "guests", remedy: "ask root")
        : .accuracyLimited(what: "reduced is granted", remedy: "ask root"))
    var fixture = try WithdrawalFixture()
    try fixture.fill(fixes: self.fixes)
    let waiting = fixture.server.outboundBytes
    #expect(waiting > 8 * 1024)
    try fixture.answerSome()
    fixture.withdraw(to: limit)
    // The rest is the message that was begun, the notification, and errors in place of replies.
    let left = fixture.server.outboundBytes
    #expect(left > 0 && left < fixture.answered * 300 + 1000)
    try fixture.answerTheRest()
    fixture.publishFixes(isReduced: false)
    if precision == .reduced { fixture.publishFixes(isReduced: true) }
    try fixture.readAll()

    let (before, after) = fixture.parts
    #expect(!after.isEmpty && !before.isEmpty)
    // Nothing precise follows the notification, and at least one reduced fix if that is allowed.
    #expect(after.allSatisfy { !$0.revealsPosition })
    #expect(after.contains { $0["params"]?["fix"]?["reduced"] == true } == (precision == .reduced))
    // Earlier messages had left the queue: the newest fix, which every queue keeps, had not.
    let latitudes = before.compactMap { $0["params"]?["fix"]?["latitude"] }
    #expect(latitudes.count < self.fixes && !latitudes.contains(fixture.newest))
    // Each request has its one answer, which is the denial.
    let code: JSONValue = precision == nil ? -32002 : -32005
    let codes = fixture.replies.mapValues { $0.map { $0["error"]?["code"] } }
    #expect(codes.count == fixture.asked.count && fixture.asked.allSatisfy { codes[$0] == [code] })
    if precision == nil {
      #expect(fixture.replies[fixture.asked[0]]?.first?["error"]?["data"] == ["rule": "guests", "remedy": "ask root"])
    }
    // Removed messages do not count as dropped.
    let dropped = after.compactMap { $0["params"]?["dropped"] }
    #expect(dropped.isEmpty)
  }

  @Test func `messages that wait for a closing client are removed as well`() async throws {
    try await onOwnThread {
      var limits = ServerLimits()
      limits.maxFrame = 4096
      limits.maxOutbound = 4 << 20
      limits.drainTime = .seconds(TestDeadline.seconds)
      let server = try LiveServer(limits: limits, principal: Principal(uid: 4242, gid: 4242, pid: 1, user: "guest"))
      let slow = try server.client()
      _ = try slow.call("position.subscribe", ["minInterval": 0])
      let other = try server.client()
      var latitude = 48.0
      for _ in 0..<Self.fixes {
        latitude += 0.00001
        server.fix(latitude: latitude)
      }
      try server.wait(until: { server.outboundBytes > 64 * 1024 }, what: "fixes that wait")
      // A frame that is too long closes the connection.
      _ = slow.offer(Array(repeating: 32, count: 5000))
      try server.wait(until: { (try? other.call("status.get")["clients"]) == 1 }, what: "closing")
      #expect(server.outboundBytes > 64 * 1024)
      var settings = BrokerSettings.open
      settings.access.fallback = .deny
      server.change(settings)
      // The message that was begun is finished, and the notification of its closing stays.
      #expect(server.outboundBytes < 4096)
      let newest = JSONValue.number((latitude * 1e9).rounded() / 1e9)
      let received = try slow.untilClosed()
      #expect(!received.isEmpty && !received.contains { $0["params"]?["fix"]?["latitude"] == newest })
    }
  }

  @Test func `permitted messages stay in the queue, in their order`() async throws {
    try await onOwnThread {
      var fixture = try WithdrawalFixture()
      try fixture.fill(fixes: Self.fixes)
      try fixture.answerSome()
      // The same limit again, and a lower one that allows the waiting messages: nothing is removed.
      let waiting = fixture.server.outboundBytes
      fixture.server.perform([.clear(Self.client, LiveServer.everything)])
      #expect(fixture.server.outboundBytes == waiting)
      try fixture.answerTheRest()
      try fixture.readAll()
      #expect(fixture.messages.contains { $0["params"]?["fix"]?["latitude"] == fixture.newest })
      #expect(fixture.asked.allSatisfy { fixture.replies[$0]?.count == 1 && fixture.replies[$0]?[0]["result"] != nil })
    }
  }
}

/// A client that does not read, with open requests and batches, and its daemon.
private struct WithdrawalFixture {
  private static let client = ClientID(1)
  private static let singles = 20

  let server: LiveServer
  private let slow: LineClient
  private let other: LineClient
  private let record = EventRecord()
  /// The ids of the requests that wait for an answer of the test.
  private(set) var asked: [JSONValue] = []
  private(set) var answered = 0
  private(set) var newest: JSONValue = 0
  private(set) var messages: [JSONValue] = []
  private(set) var replies: [JSONValue: [JSONValue]] = [:]

  init() throws {
    var limits = ServerLimits()
    limits.maxOutbound = 16 * 1024
    self.server = try LiveServer(
      limits: limits, script: self.record.script { if case .called(_, .lastFix) = $0 { true } else { false } })
    self.slow = try self.server.client()
    _ = try self.slow.call("request.list")
    self.other = try self.server.client()
    _ = try self.slow.call("position.subscribe", ["minInterval": 0])
    // Single ones, a batch that will be complete, and one of which a reply will wait for the other.
    for _ in 0..<Self.singles { self.asked.append(.integer(try self.slow.request("position.last"))) }
    for (name, count) in [("whole", 3), ("part", 2)] {
      let ids = (0..<count).map { "\(name)\($0)" }
      let members = ids.map { #"{"jsonrpc":"2.0","id":"\#($0)","method":"position.last"}"# }
      try self.slow.send(raw: "[\(members.joined(separator: ","))]\n")
      self.asked += ids.map { .string($0) }
    }
    try self.record.wait(for: self.asked.count, in: self.server)
  }

  /// Sends fixes of a device at walking pace, until they supersede each other in the queue.
  mutating func fill(fixes: Int) throws {
    var latitude = 48.0
    for _ in 0..<fixes {
      latitude += 0.00001
      self.server.fix(latitude: latitude)
    }
    _ = try self.other.call("status.get")
    self.newest = .number((latitude * 1e9).rounded() / 1e9)
  }

  /// Answers half of the single ones, the whole batch, and one of the other batch.
  mutating func answerSome() throws {
    let calls = self.record.calls
    let now = calls[..<(Self.singles / 2)] + calls[Self.singles..<(Self.singles + 4)]
    self.answered = now.count
    self.answer(Array(now))
  }

  mutating func answerTheRest() throws {
    let calls = self.record.calls
    self.answer(Array(calls[(Self.singles / 2)..<Self.singles] + calls[(Self.singles + 4)...]))
  }

  private func answer(_ calls: [CallID]) {
    let fix = Fix(latitude: 12.5, longitude: 11, arrival: Clocks.system.sinceBoot())
    self.server.perform(calls.map { .answer($0, .lastFix(LastFix(fix: fix, availability: .available))) })
  }

  func withdraw(to limit: SensitivityLimit) {
    let now = Authorization(
      state: limit.precision == nil ? .restricted : .always, precision: limit.precision ?? .precise)
    self.server.perform([
      .clear(Self.client, limit),
      .notify(Self.client, .authorization(now, previous: Authorization(state: .always))),
    ])
  }

  /// Sends fixes that no broker should send any more, or reduced ones.
  func publishFixes(isReduced: Bool) {
    let fix = Fix(latitude: 47, longitude: 11, arrival: Clocks.system.sinceBoot(), isReduced: isReduced)
    self.server.notify(
      Self.client,
      (0..<3).map { _ in
        .position(
          SubscriptionID(client: Self.client, number: 1), PositionUpdate(fix: fix, availability: .available))
      })
  }

  /// Reads until everything was answered, and a later request.
  mutating func readAll() throws {
    let end = JSONValue.integer(try self.slow.request("request.list"))
    while self.replies[end] == nil {
      let message = try self.slow.next(what: "message")
      self.messages.append(message)
      let members = if case .array(let members) = message { members } else { [message] }
      for member in members where member["method"] == nil {
        self.replies[member["id"] ?? .null, default: []].append(member)
      }
    }
    self.replies[end] = nil
  }

  /// The messages before the client was notified of the change, and from then on.
  var parts: ([JSONValue], [JSONValue]) {
    let place = self.messages.firstIndex { $0["method"] == "authorization.changed" } ?? self.messages.endIndex
    return (Array(self.messages[..<place]), Array(self.messages[place...]))
  }
}

extension JSONValue {
  /// Whether it has a position anywhere that is not a reduced one.
  fileprivate var revealsPosition: Bool {
    switch self {
    case .object(let members):
      members["latitude"] != nil && members["reduced"] != true || members.values.contains { $0.revealsPosition }
    case .array(let values): values.contains { $0.revealsPosition }
    case .null, .boolean, .integer, .number, .string: false
    }
  }
}
