import PositionProtocol
import Positioning
import Testing

@testable import JSONRPC

@Suite("Messages of the daemon")
struct MessageTests {
  /// The device booted when 1970 began.
  private static let moment = CodingMoment(sinceBoot: .milliseconds(12_250), since1970: .milliseconds(12_250))

  private static func at(_ seconds: Double) -> Instant { Instant(sinceBoot: .seconds(seconds)) }

  private static let fix = Fix(
    latitude: 48.1, longitude: -11.5, horizontalAccuracy: 3.1, arrival: at(12), mode: .twoDimensional,
    status: .rtkFixed)
  private static let fixJSON =
    #"{"age":0.25,"arrival":12,"horizontalAccuracy":3.1,"horizontalAccuracy95":5,"latitude":48.1,"longitude":-11.5,"mode":"2d","#
    + #""status":"rtkFixed"}"#
  private static let diagnostics = Diagnostics(availability: .searching, power: .turningOn)
  private static let principal = Principal(uid: 0, pid: 1)
  private static let since = #""2026-01-31T12:00:00.250Z""#

  private static var status: DaemonStatus {
    get throws {
      let time = try Timestamp.codec.decode(Array(Self.since.utf8)).instant(at: Self.moment)
      return DaemonStatus(
        version: "0.1", began: Self.moment.now - .milliseconds(1500),
        receiver: .init(availability: .gpsdDown, since: time),
        power: .init(
          current: PowerState(state: .released, since: time), onTime: .zero,
          dutyCycle: .init(hour: 0, day: 0.5), starts: .init(total: 0)),
        gpsd: .init(state: .gpsdDown, detail: "connection refused"),
        reports: .init(received: 2, fixes: 1, rejected: ["duplicate": 1]), clients: 1, requests: 0, subscriptions: 1)
    }
  }
  private static let statusMembers =
    #""clients":1,"denials":0,"gpsd":{"detail":"connection refused","reconnects":0,"state":"gpsdDown"},"inUse":[],"power":{"dutyCycle":{"day":0.5,"#
    + #""hour":0},"onSeconds":0,"periods":[],"rung":"watch","since":\#(since),"starts":{"total":0},"state":"released","#
    + #""timeToFirstFix":{}},"receiver":"#
    + #"{"availability":"gpsdDown","since":\#(since)},"reports":{"fixes":1,"received":2,"rejected":{"duplicate":1}},"#
    + #""requests":0,"#

  static let literals: [(any WireValue & Equatable, String)] = [
    (fix, fixJSON),
    (SkyGetRequest.Result(nil), "{}"),
    (
      SkyGetRequest.Result(Sky(satellites: [], hdop: 0.9, arrival: at(11.25))), #"{"age":1,"hdop":0.9,"satellites":[]}"#
    ),
    (
      Sky.Satellite(constellation: .glonass, svid: 4, isUsed: false),
      #"{"constellation":"glonass","svid":4,"used":false}"#
    ),
    (
      PositionGetRequest.Result(
        status: .timedOut, isSatisfied: false, isFromCache: false, elapsed: .milliseconds(30_002),
        diagnostics: diagnostics),
      #"{"diagnostics":{"availability":"searching","power":"turningOn"},"elapsed":30.002,"fromCache":false,"#
        + #""satisfied":false,"status":"timedOut"}"#
    ),
    (
      PositionLastRequest.Result(fix: fix, achievedAccuracy: .room, availability: .stale),
      #"{"achievedAccuracy":"room","availability":"stale","fix":\#(fixJSON)}"#
    ),
    (
      SubscriptionResult(subscription: 1, state: .waiting, availability: .poweredDown),
      #"{"availability":"poweredDown","state":"waiting","subscription":1}"#
    ),
    (
      SubscriptionResult(durable: "tracker", state: .waiting, availability: .poweredDown),
      #"{"availability":"poweredDown","durable":"tracker","state":"waiting"}"#
    ),
    (
      SubscriptionListRequest.Result(subscriptions: [
        SubscriptionInfo(
          number: 2, kind: .sky(minInterval: .seconds(1)), state: .delivering, availability: .available, updates: 3)
      ]),
      #"{"subscriptions":[{"availability":"available","kind":"sky","parameters":{"minInterval":1},"#
        + #""state":"delivering","subscription":2,"updates":3}]}"#
    ),
    (
      SubscriptionListRequest.Result(subscriptions: [
        SubscriptionInfo(
          number: 3, kind: .heading(HeadingParameters(minChange: 5)), state: .acquiring, availability: .searching,
          updates: 0)
      ]),
      #"{"subscriptions":[{"availability":"searching","kind":"heading","parameters":{"minChange":5,"minInterval":0},"#
        + #""state":"acquiring","subscription":3,"updates":0}]}"#
    ),
    (HeadingGetRequest.Result(), #"{"status":"timedOut"}"#),
    (
      RequestListRequest.Result(requests: [
        ListedRequest(
          request: "a",
          RequestInfo(asked: .heading(HeadingRequest()), elapsed: .seconds(1), remaining: .seconds(29)))
      ]),
      #"{"requests":[{"elapsed":1,"method":"heading.get","parameters":{"maxAge":5,"timeout":30},"remaining":29,"request":"a"}]}"#
    ),
    (RequestOutcomeResult(outcome: .unknown), #"{"outcome":"unknown"}"#),
    (
      SessionHelloRequest.Result(
        server: .init(name: "positiond", version: "0.1"), protocolVersion: "1.0", capabilities: ["sky"],
        principal: principal, authorization: Authorization(state: .always, precision: .precise),
        limits: LimitsObject(
          frame: 65536, batch: 256, requests: 256, subscriptions: 256, regions: 10000, names: 32, inboxEvents: 1000,
          maxRequestTime: 3600)),
      #"{"authorization":{"precision":"precise","state":"always"},"capabilities":["sky"],"limits":{"batch":256,"#
        + #""frame":65536,"inboxEvents":1000,"maxRequestTime":3600,"names":32,"regions":10000,"requests":256,"#
        + #""subscriptions":256},"principal":{"groups":[],"pid":1,"uid":0},"protocol":"1.0","#
        + #""server":{"name":"positiond","version":"0.1"}}"#
    ),
    (CancelRequestNotification(id: 7), #"{"id":7}"#),
    (
      Authorization(state: .notDetermined, precision: .precise, remedy: "ask"),
      #"{"precision":"precise","remedy":"ask","state":"notDetermined"}"#
    ),
    (
      AuthorizationChangedNotification(
        authorization: Authorization(state: .restricted, precision: .precise, rule: "guests"),
        previous: Authorization(state: .whenInUse, precision: .reduced)),
      #"{"precision":"precise","previous":{"precision":"reduced","state":"whenInUse"},"rule":"guests","#
        + #""state":"restricted"}"#
    ),
    (
      AuthorizationPromptedNotification(level: .always, precision: .reduced, expiresIn: .seconds(60)),
      #"{"expiresIn":60,"level":"always","precision":"reduced"}"#
    ),
    (AgentRegisterRequest.Result(), #"{"ok":true}"#),
    (PromptAnswer.deny(), #"{"decision":"deny","remember":true}"#),
    (
      PromptAnswer.allow(level: .whenInUse, precision: .reduced, remember: false),
      #"{"decision":"allow","level":"whenInUse","precision":"reduced","remember":false}"#
    ),
    (
      Grant(uid: 1000, decision: Decision(user: "ada", level: nil, at: .boot)),
      #"{"level":"deny","time":"1970-01-01T00:00:00.000Z","uid":1000,"user":"ada"}"#
    ),
    (
      AdminGrantsRequest.Result(
        grants: [
          Grant(
            uid: 1000, decision: Decision(user: "ada", level: .always, precision: .reduced, at: .boot))
        ], omitted: 1),
      #"{"grants":[{"level":"always","precision":"reduced","time":"1970-01-01T00:00:00.000Z","uid":1000,"#
        + #""user":"ada"}],"omitted":1}"#
    ),
    (
      AdminClientsRequest.Result(clients: [
        ClientInfo(
          principal: principal, authorization: Authorization(state: .always, precision: .precise), requests: 1,
          subscriptions: 2, regions: 3)
      ]),
      #"{"clients":[{"authorization":{"precision":"precise","state":"always"},"principal":{"groups":[],"pid":1,"#
        + #""uid":0},"regions":3,"requests":1,"subscriptions":2}]}"#
    ),
    (EnabledResult(isEnabled: false), #"{"enabled":false}"#),
    (
      DaemonStatus.InUse(uid: 1000, unit: "tracker.service", programs: ["tracker"], since: .boot),
      #"{"programs":["tracker"],"since":"1970-01-01T00:00:00.000Z","uid":1000,"unit":"tracker.service"}"#
    ),
    (
      PositionUpdateNotification(
        subscription: 1,
        PositionUpdate(fix: fix, achievedAccuracy: .room, availability: .available, isReplay: true, dropped: 2)),
      #"{"achievedAccuracy":"room","availability":"available","dropped":2,"fix":\#(fixJSON),"replay":true,"#
        + #""state":"delivering","subscription":1}"#
    ),
    (
      PositionUpdateNotification(
        subscription: 1, PositionUpdate(availability: .gpsdDown, state: .acquiring, reason: .lost, isRepeat: true)),
      #"{"availability":"gpsdDown","reason":"lost","repeat":true,"state":"acquiring","subscription":1}"#
    ),
    (
      PositionUpdateNotification(
        durable: "tracker", eventId: 7,
        PositionUpdate(fixes: [fix, fix], availability: .available, reason: .distance, dropped: 3)),
      #"{"availability":"available","dropped":3,"durable":"tracker","eventId":7,"fixes":[\#(fixJSON),\#(fixJSON)],"#
        + #""reason":"distance","state":"delivering"}"#
    ),
    (
      VisitUpdateNotification(
        subscription: 3, visit: Visit(id: 12, latitude: 1, longitude: 2, horizontalAccuracy: 3)),
      #"{"subscription":3,"visit":{"horizontalAccuracy":3,"id":12,"latitude":1,"longitude":2}}"#
    ),
    (
      VisitUpdateNotification(
        durable: "tracker", eventId: 8,
        visit: Visit(
          id: 12, latitude: 1, longitude: 2, horizontalAccuracy: 3,
          arrival: at(0), departure: at(1.5))),
      #"{"durable":"tracker","eventId":8,"visit":{"arrival":"1970-01-01T00:00:00.000Z","#
        + #""departure":"1970-01-01T00:00:01.500Z","horizontalAccuracy":3,"id":12,"latitude":1,"longitude":2}}"#
    ),
    (
      RegionEventNotification(RegionEvent(id: "home", kind: .enter, state: .inside, fix: fix, probability: 0.97)),
      #"{"event":"enter","fix":\#(fixJSON),"id":"home","probability":0.97,"state":"inside"}"#
    ),
    (
      RegionEventNotification(
        RegionEvent(id: "home", kind: .crossed, state: .outside, isInferred: true), durable: "tracker", eventId: 9),
      #"{"durable":"tracker","event":"crossed","eventId":9,"id":"home","inferred":true,"state":"outside"}"#
    ),
    (
      RegionEventNotification(RegionEvent(id: "home", kind: .exit, state: .outside, isInitial: true)),
      #"{"event":"exit","id":"home","initial":true,"state":"outside"}"#
    ),
    (DurableOverflowNotification(durable: "tracker", dropped: 40), #"{"dropped":40,"durable":"tracker"}"#),
    (RegionResult(state: .unknown), #"{"state":"unknown"}"#),
    (
      RegionListRequest.Result(
        regions: [
          RegionInfo(
            region: Region(
              id: "home", shape: .circle(center: Coordinate(latitude: 1, longitude: 2), radius: 3), notify: [.exit]),
            state: .inside, since: Timestamp.epoch.instant(at: moment), remaining: .seconds(60))
        ], omitted: 2),
      #"{"omitted":2,"regions":[{"circle":{"latitude":1,"longitude":2,"radius":3},"id":"home","initial":"none","notify":["exit"],"#
        + #""remaining":60,"since":"1970-01-01T00:00:00.000Z","state":"inside"}]}"#
    ),
    (
      DurableListRequest.Result(names: [
        DurableInfo(
          name: "tracker", wake: "tracker.service",
          position: SubscriptionParameters(mode: .deferred, deferredTimeout: .seconds(60)), waiting: 2, lastEvent: 9,
          wakeError: "refused")
      ]),
      #"{"names":[{"attached":false,"durable":"tracker","lastEvent":9,"position":{"accuracy":"room","activity":"other","#
        + #""autoPause":false,"deferredTimeout":60,"integrity":"suspect","minDistance":0,"minInterval":1,"mode":"deferred","#
        + #""replay":"fresh"},"regions":[],"#
        + #""visits":false,"waiting":2,"wake":"tracker.service","wakeTrouble":"refused"}]}"#
    ),
    (DurableWaitingResult(waiting: 0), #"{"waiting":0}"#),
    (
      HeadingUpdateNotification(
        subscription: 3,
        HeadingUpdate(
          state: .valid, heading: Heading(trueHeading: 0, source: .course, arrival: at(12)), dropped: 2)),
      #"{"dropped":2,"heading":{"age":0.25,"arrival":12,"source":"course","trueHeading":0},"state":"valid","#
        + #""subscription":3}"#
    ),
    (
      HeadingUpdateNotification(subscription: 3, HeadingUpdate(state: .invalid, isRepeat: true)),
      #"{"repeat":true,"state":"invalid","subscription":3}"#
    ),
    (
      SkyUpdateNotification(subscription: 2, sky: Sky(satellites: [], arrival: at(12.25))),
      #"{"age":0,"satellites":[],"subscription":2}"#
    ),
    (
      SubscriptionEndedNotification(subscription: 1, reason: .expired), #"{"reason":"expired","subscription":1}"#
    ),
    (
      SubscriptionEndedNotification(durable: "tracker", reason: .replaced),
      #"{"durable":"tracker","reason":"replaced"}"#
    ),
    (SessionClosingNotification(reason: .tooSlow), #"{"reason":"tooSlow"}"#),
  ]

  private static func check<Value: WireValue & Equatable>(_ value: Value, _ json: String) throws {
    let bytes = Array(json.utf8)
    #expect(try JSONValue(parsing: Value.codec.encode(value, moment: Self.moment)) == JSONValue(parsing: bytes))
    let context = ReadingContext(moment: Self.moment, leniency: [.members, .values])
    #expect(try Value.codec.decode(bytes, context: context) == value)
  }

  @Test("are on the wire as written here", arguments: MessageTests.literals.indices)
  func literal(index: Int) throws {
    try Self.check(Self.literals[index].0, Self.literals[index].1)
  }

  @Test("write the status alone, and beside its subscription")
  func status() throws {
    try Self.check(try Self.status, "{\(Self.statusMembers)\"subscriptions\":1,\"uptime\":1.5,\"version\":\"0.1\"}")
    try Self.check(
      StatusUpdateNotification(subscription: 9, changed: [.gpsd, .power], status: try Self.status),
      "{\"changed\":[\"gpsd\",\"power\"],\(Self.statusMembers)\"subscription\":9,\"subscriptions\":1,"
        + "\"uptime\":1.5,\"version\":\"0.1\"}")
  }

  @Test("are tested here, each notification")
  func complete() {
    let tried = Self.literals.compactMap { (type(of: $0.0) as? any NotificationType.Type)?.method } + ["status.update"]
    #expect(Set(tried) == Set(Described.notifications.map { $0.method }))
  }

  @Test("are read by an older client", arguments: Described.notifications.map { $0.method })
  func newer(method: String) throws {
    let type = try #require(Described.notifications.first { $0.method == method })
    var members = Described(type).example
    members["later"] = ["x": 1]
    let text = JSONValue.object(["jsonrpc": "2.0", "method": .string(method), "params": .object(members)]).encoded()
    let registry = MethodRegistry(notifications: Described.notifications)
    guard case .single(.notification(let notification)) = IncomingFrame.decode(text, registry: registry) else {
      Issue.record("\(method) was not read")
      return
    }
    #expect(Swift.type(of: notification).method == method)
  }

  /// The messages that clients read. A list of subscriptions has a client's own, whose enum values it knows; an agent's
  /// answer is read by the daemon.
  private static let read = Described.all.filter { described in
    !(described.type is any RequestType.Type) && described.type != SubscriptionInfo.self
      && described.type != PromptAnswer.self
  }

  @Test("are read by an older client that lacks an enum value", arguments: Self.read)
  func laterWords(described: Described) throws {
    for field in described.fields {
      var members = described.example
      switch field.schema {
      case .choice(let words):
        members[field.name] = "moonlit"
        switch try described.roundTrip(members, leniency: [.members, .values])[field.name] {
        case nil: #expect(!field.isRequired, "\(field.name)")
        case .string(let word): #expect((words + ["unknown"]).contains(word), "\(field.name)")
        case let other?: Issue.record("\(field.name) reads as \(other)")
        }
      case .array(.choice(let words)):
        members[field.name] = ["moonlit", .string(words[0])]
        #expect(
          try described.roundTrip(members, leniency: [.members, .values])[field.name] == [.string(words[0])],
          "\(field.name)")
      default: break
      }
    }
  }

  @Test(
    "is no answer of an agent with an unknown enum value, which must not pass for an absent one",
    arguments: [
      #"{"decision":"maybe"}"#, #"{"decision":"allow","level":"once"}"#, #"{"decision":"allow","precision":"street"}"#,
      #"{"decision":"allow","remember":"yes"}"#, #"{"level":"always"}"#, #"{"decision":"allow","level":1}"#,
    ])
  func agent(text: String) {
    #expect(throws: RPCError.self) {
      try AgentAuthorizeRequest.resultCodec.decode(Array(text.utf8), context: ReadingContext(leniency: .members))
    }
  }

  @Test("keep unknown reasons")
  func reasons() throws {
    let params = #"{"reason":"moonrise","subscription":1}"#
    let ended = try SubscriptionEndedNotification.codec.decode(Array(params.utf8))
    #expect(ended.reason == EndReason(rawValue: "moonrise"))
    #expect(
      try JSONValue(parsing: SubscriptionEndedNotification.codec.encode(ended))
        == JSONValue(parsing: Array(params.utf8)))
  }
}
