import Broker
import EventLoop
import JSONRPC
import Positioning
import TestSupport
import Testing

@testable import Server

/// What a client speaks, without a socket and a broker.
private struct Conversation {
  let spoken: any SpokenProtocol
  var client = ServedClient(
    id: ClientID(1), principal: HandledRequest.principal,
    server: ServerFacts(daemon: HandledRequest.daemon, moment: { HandledRequest.moment }))

  init(at door: Door, precision: Precision? = .precise, limits: ServerLimits = ServerLimits()) {
    self.spoken = door.spokenProtocol(limits: limits)
    self.client.limit = Self.limit(precision)
  }

  private static func limit(_ precision: Precision?) -> SensitivityLimit {
    SensitivityLimit(precision: precision, denial: .switchedOff(remedy: "switch it on"))
  }

  /// What is in the queue, which is then empty.
  mutating func taken() -> String {
    var bytes: [UInt8] = []
    while let first = self.client.queue.first {
      bytes += first
      self.client.queue.wrote(first.count)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  mutating func begin() -> [SpokenAction] { self.spoken.begin(&self.client) }

  /// Serves everything of this text.
  mutating func receive(_ text: String) -> [ServedPart] {
    self.spoken.received(Array(text.utf8)[...])
    return self.serveAll()
  }

  mutating func serveAll() -> [ServedPart] {
    var parts: [ServedPart] = []
    while self.spoken.hasUnserved { parts.append(self.spoken.next(&self.client)) }
    return parts
  }

  mutating func answer(_ serial: UInt64, _ answer: Answer) -> [SpokenAction] {
    self.spoken.answered(CallID(client: self.client.id, serial: serial), answer, &self.client)
  }

  mutating func notify(_ notification: Notification) -> [SpokenAction] {
    self.spoken.notified(notification, &self.client)
  }

  mutating func limit(to precision: Precision?) -> [SpokenAction] {
    self.client.limit = Self.limit(precision)
    return self.spoken.limitChanged(denial: .shuttingDown, &self.client)
  }
}

extension [SpokenAction] {
  /// The calls among them.
  fileprivate var calls: [Call] {
    self.compactMap { action in
      switch action {
      case .report(.called(_, let call)), .introduce(_, _, _, let call): call
      case .report, .lookUp, .handOver, .logUnaskedAnswer, .logUnwritten, .turnAway, .close: nil
      }
    }
  }

  fileprivate var close: Bool { self.contains { if case .close = $0 { true } else { false } } }

  fileprivate var turnsAway: Bool { self.contains { if case .turnAway = $0 { true } else { false } } }
}

@Suite struct SpokenProtocolTests {
  private static let begun = Answer.subscription(
    .begun(
      SubscriptionInfo(
        number: 1, kind: .position(SubscriptionParameters()), state: .acquiring, availability: .searching, updates: 0)))
  private static let subscription = SubscriptionID(client: ClientID(1), number: 1)
  private static let fix = Fix(
    latitude: 48, longitude: 11, horizontalAccuracy: 10, time: Timestamp(seconds: 1_769_860_800),
    arrival: HandledRequest.now)

  private static func request(_ id: Int, _ method: String, _ params: String = "{}") -> String {
    #"{"jsonrpc":"2.0","id":\#(id),"method":"\#(method)","params":\#(params)}"# + "\n"
  }

  // MARK: positiond's own protocol

  @Test func `a request becomes a call, and the broker's answer its reply`() {
    var client = Conversation(at: .rpc)
    let parts = client.receive(Self.request(7, "sky.get"))
    #expect(parts.count == 1 && parts[0].isRequest && client.spoken.openCalls == 1)
    #expect(parts.compactMap(\.action).calls == [.sky()])
    #expect(client.answer(1, .sky(nil)).isEmpty)
    #expect(client.spoken.openCalls == 0 && client.taken().contains(#""id":7,"result":"#))
    // A second answer belongs to no request.
    #expect(client.answer(1, .sky(nil)).isEmpty && client.taken().isEmpty)
  }

  @Test func `requests are served one at a time, however they arrive`() {
    var client = Conversation(at: .rpc)
    let text = Self.request(1, "sky.get") + Self.request(2, "status.get")
    for byte in text.utf8.dropLast() { client.spoken.received([byte]) }
    #expect(client.serveAll().compactMap(\.action).calls == [.sky()])
    client.spoken.received(Array("\n".utf8)[...])
    #expect(client.serveAll().compactMap(\.action).calls == [.status()])
  }

  @Test func `an answer that reveals more than the client may know becomes the denial`() {
    var client = Conversation(at: .rpc)
    _ = client.receive(Self.request(1, "sky.get"))
    _ = client.limit(to: nil)
    _ = client.answer(1, .sky(Sky(satellites: [], arrival: HandledRequest.now)))
    let reply = client.taken()
    #expect(reply.contains("error") && reply.contains("switch it on"), "\(reply)")
  }

  @Test func `requests that name users are looked up one after the other`() {
    var client = Conversation(at: .rpc)
    let names = ["ann", "bob"].enumerated().map { Self.request($0 + 1, "admin.revoke", #"{"user":"\#($1)"}"#) }
    let parts = client.receive(names.joined())
    let lookups = parts.compactMap { if case .lookUp(let query) = $0.action { query } else { nil } }
    #expect(lookups == [.userNumber("ann")] && client.spoken.openCalls == 2)
    let found = Account(number: 1001, name: "ann")
    let next = client.spoken.lookedUp(.userNumber("ann"), .found(found), &client.client)
    #expect(next.calls == [.revoke(uid: 1001)])
    guard case .lookUp(.userNumber("bob"))? = next.last else {
      Issue.record("nobody looks up the second one: \(next)")
      return
    }
    // Without anybody to ask, that is the answer.
    #expect(client.spoken.lookedUp(.userNumber("bob"), nil, &client.client).isEmpty)
    #expect(client.taken().contains("the system cannot say who that is"))
  }

  @Test func `nobody speaks for another user without a rule`() {
    var client = Conversation(at: .rpc)
    let parts = client.receive(Self.request(1, "session.hello", #"{"onBehalfOf":1001}"#))
    #expect(parts.compactMap(\.action).isEmpty && client.taken().contains("speaking for another user"))
  }

  @Test func `a client that has sent everything is closed once nothing is open`() {
    var client = Conversation(at: .rpc)
    _ = client.receive(Self.request(1, "sky.get"))
    #expect(client.spoken.receivedEnd().isEmpty)
    #expect(client.serveAll().compactMap(\.action).isEmpty)
    // It stays until the end of the turn, which may have more for it.
    #expect(client.answer(1, .sky(nil)).isEmpty)
    #expect(client.spoken.turnEnded(&client.client).close)
  }

  @Test func `a notification that the client may not know is not sent`() {
    var client = Conversation(at: .rpc, precision: .reduced)
    let sky = Notification.sky(Self.subscription, Sky(satellites: [], arrival: HandledRequest.now))
    #expect(client.notify(sky).isEmpty && client.taken().isEmpty)
    _ = client.limit(to: .precise)
    #expect(client.notify(sky).isEmpty && client.taken().contains("sky.update"))
  }

  // MARK: NMEA 0183

  @Test func `a reader has three subscriptions from its first moment on`() {
    var reader = Conversation(at: .nmea)
    #expect(reader.begin().calls.count == 3 && reader.spoken.openCalls == 3)
    #expect(reader.answer(1, Self.begun).isEmpty)
    #expect(reader.taken().contains("$GNRMC,,V"))
    #expect(
      reader.notify(.position(Self.subscription, PositionUpdate(fix: Self.fix, availability: .available))).isEmpty)
    #expect(reader.taken().contains(",4800.00000,N,01100.00000,E,1,"))
    // What it sends has no effect, and it may close its side.
    #expect(reader.receive("$GNGGA,0*00\r\n").isEmpty && reader.spoken.receivedEnd().isEmpty)
  }

  @Test(arguments: [Precision?.none, .reduced])
  func `who may not know the precise position is no reader`(precision: Precision?) {
    var reader = Conversation(at: .nmea, precision: precision)
    #expect(reader.begin().turnsAway)
    var other = Conversation(at: .nmea)
    // Nothing is decided before it begins.
    #expect(other.limit(to: precision).isEmpty)
    _ = other.limit(to: .precise)
    _ = other.begin()
    #expect(other.limit(to: precision).turnsAway && other.taken().isEmpty)
  }

  // MARK: Fixes that cannot be trusted

  /// What a client of a door is sent when its fix cannot be trusted any more, and then a fix.
  private static func sent(at door: Door, _ integrity: IntegrityDemand) -> (calls: [Call], text: String) {
    var limits = ServerLimits()
    (limits.nmeaIntegrity, limits.gpsdIntegrity) = (integrity, integrity)
    var client = Conversation(at: door, limits: limits)
    let begun = client.begin().calls
    let calls = begun + client.receive("?WATCH={\"enable\":true,\"json\":true};\n").compactMap(\.action).calls
    _ = client.answer(1, Self.begun)
    _ = client.notify(.position(Self.subscription, PositionUpdate(fix: Self.fix, availability: .available)))
    _ = client.taken()
    _ = client.notify(.position(Self.subscription, PositionUpdate(availability: .untrusted, reason: .lost)))
    return (calls, client.taken())
  }

  @Test func `a door gives what cannot be trusted as no fix, unless it is configured`() throws {
    let sentences = Self.sent(at: .nmea, .suspect)
    #expect(sentences.text.contains("$GNRMC,,V"))
    let reports = Self.sent(at: .gpsd, .suspect)
    #expect(reports.text.contains(#""class":"TPV","device":"positiond","mode":1"#))
    for integrity in IntegrityDemand.allCases {
      for door in [Door.nmea, .gpsd] {
        let sent = Self.sent(at: door, integrity)
        guard case .subscribe(let parameters, durable: nil, _)? = sent.calls.first else {
          Issue.record("\(sent.calls)")
          continue
        }
        #expect(parameters.integrity == integrity)
        #expect(sent.text.isEmpty == (integrity == .any), "\(door), \(integrity): \(sent.text)")
      }
    }
  }

  // MARK: gpsd's protocol

  @Test func `a watch is a need from its request to its end`() {
    var client = Conversation(at: .gpsd)
    #expect(client.begin().isEmpty && client.taken().contains(#""class":"VERSION""#))
    let parts = client.receive("?WATCH={\"enable\":true,\"json\":true};\n")
    #expect(parts.compactMap(\.action).calls.count == 3 && parts.filter(\.isRequest).count == 1)
    #expect(client.taken().contains(#""class":"WATCH""#))
    #expect(client.answer(1, Self.begun).isEmpty)
    let end = client.receive("?WATCH={\"enable\":false};\n").compactMap(\.action).calls
    #expect(end.first == .cancelSubscription(number: 1) && end.count == 3)
    #expect(client.spoken.receivedEnd().close)
  }

  @Test func `a client of gpsd's learns why it gets no positions`() {
    var client = Conversation(at: .gpsd, precision: nil)
    _ = client.begin()
    #expect(client.receive("?WATCH={\"enable\":true,\"json\":true};\n").compactMap(\.action).calls.count == 1)
    _ = client.taken()
    #expect(client.answer(1, .failed(.switchedOff(remedy: "switch it on"))).isEmpty)
    #expect(client.taken().contains("switch it on") && client.spoken.openCalls == 0)
  }
}
