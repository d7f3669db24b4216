import PositionProtocol
import Positioning
import Testing

@testable import JSONRPC

@Suite("A request of the protocol")
struct RequestTests {
  private static func decode(_ method: String, _ params: String) -> Incoming? {
    let text = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\(method)\",\"params\":\(params)}"
    let registry = MethodRegistry(requests: Described.requests)
    guard case .single(let incoming) = IncomingFrame.decode(Array(text.utf8), registry: registry) else { return nil }
    return incoming
  }

  private static func message(_ method: String, _ params: String) -> String? {
    guard case .invalid(_, let error) = self.decode(method, params) else { return nil }
    return error.message
  }

  private static func change(_ make: (inout SubscriptionChange) -> Void) -> SubscriptionChange {
    var change = SubscriptionChange()
    make(&change)
    return change
  }

  /// All parameters that can be reset. The subscription's number, which follows them, is after them in the alphabet too.
  private static let resetting = SubscriptionParameter.allCases.map(\.name).sorted()

  static let literals: [(any RequestType & Equatable, String)] = [
    (SessionHelloRequest(), "{}"),
    (SessionHelloRequest(name: "tracker", purpose: "log"), #"{"name":"tracker","purpose":"log"}"#),
    (DiscoverRequest(), "{}"),
    (PositionGetRequest(), #"{"activity":"other","timeout":30}"#),
    (
      PositionGetRequest(FixRequest(accuracy: .level(.house))),
      #"{"accuracy":"house","activity":"other","timeout":30}"#
    ),
    (
      PositionGetRequest(
        FixRequest(
          accuracy: .meters(7.5), acceptableAccuracy: .level(.city), maximumAge: .zero, timeout: .milliseconds(2500),
          activity: .fitness, integrity: .any, delaysUntilAuthorized: true)),
      #"{"acceptableAccuracy":"city","accuracy":7.5,"activity":"fitness","delayUntilAuthorized":true,"#
        + #""integrity":"any","maxAge":0,"timeout":2.5}"#
    ),
    (PositionLastRequest(), "{}"),
    (PositionSubscribeRequest(), "{}"),
    (
      PositionSubscribeRequest(
        change {
          $0.mode = .passive
          $0.accuracy = .level(.room)
          $0.minInterval = .zero
          $0.minDistance = 0
          $0.maxInterval = .milliseconds(100)
          $0.onlyBetterThan = 20
          $0.integrity = .trusted
          $0.maxUpdates = 1
          $0.duration = .seconds(60)
          $0.activity = .airborne
          $0.replay = SubscriptionParameters.Replay.none
        }),
      #"{"accuracy":"room","activity":"airborne","duration":60,"integrity":"trusted","maxInterval":0.1,"#
        + #""maxUpdates":1,"minDistance":0,"minInterval":0,"mode":"passive","onlyBetterThan":20,"replay":"none"}"#
    ),
    (
      PositionSubscribeRequest(
        change {
          $0.mode = .significant
          $0.significantDistance = 1000
          $0.significantInterval = .zero
          $0.acquire = Acquisition(budget: .seconds(30), desiredAccuracy: 5, acceptableAccuracy: 50)
          $0.autoPause = true
        },
        durable: DurableRequest(name: "tracker", wake: "tracker.service")),
      #"{"acquire":{"acceptableAccuracy":50,"budget":30,"desiredAccuracy":5},"autoPause":true,"#
        + #""durable":{"name":"tracker","wake":"tracker.service"},"mode":"significant","significantDistance":1000,"#
        + #""significantInterval":0}"#
    ),
    (
      PositionSubscribeRequest(
        change {
          $0.mode = .deferred
          $0.deferredDistance = 1000
          $0.deferredTimeout = .seconds(600)
        }),
      #"{"deferredDistance":1000,"deferredTimeout":600,"mode":"deferred"}"#
    ),
    (SubscriptionUpdateRequest(subscription: 3), #"{"subscription":3}"#),
    (
      SubscriptionUpdateRequest(
        subscription: 3,
        change {
          $0.mode = .continuous
          $0.accuracy = .meters(3)
          $0.minInterval = .seconds(1)
          $0.minDistance = 2
          $0.maxInterval = .seconds(4)
          $0.onlyBetterThan = 5
          $0.maxUpdates = 6
          $0.duration = .seconds(7)
          $0.activity = .other
        }),
      #"{"accuracy":3,"activity":"other","duration":7,"maxInterval":4,"maxUpdates":6,"minDistance":2,"#
        + #""minInterval":1,"mode":"continuous","onlyBetterThan":5,"subscription":3}"#
    ),
    (
      SubscriptionUpdateRequest(
        subscription: 3,
        change {
          $0.deferredDistance = 1
          $0.deferredTimeout = .seconds(2)
          $0.significantDistance = 3
          $0.significantInterval = .seconds(4)
          $0.acquire = Acquisition()
          $0.autoPause = false
        }),
      #"{"acquire":{"acceptableAccuracy":100,"budget":15,"desiredAccuracy":10},"autoPause":false,"deferredDistance":1,"deferredTimeout":2,"significantDistance":3,"#
        + #""significantInterval":4,"subscription":3}"#
    ),
    (
      SubscriptionUpdateRequest(
        subscription: 3,
        change {
          $0.maxUpdates = 6
          $0.reset = [.mode, .minInterval, .acquire]
        }),
      #"{"acquire":null,"maxUpdates":6,"minInterval":null,"mode":null,"subscription":3}"#
    ),
    (
      SubscriptionUpdateRequest(subscription: 3, change { $0.reset = Set(SubscriptionParameter.allCases) }),
      "{\(resetting.map { "\"\($0)\":null," }.joined())\"subscription\":3}"
    ),
    (SubscriptionCancelRequest(subscription: 1), #"{"subscription":1}"#),
    (SubscriptionPauseRequest(.subscription(1)), #"{"subscription":1}"#),
    (SubscriptionPauseRequest(.durable("tracker")), #"{"durable":{"name":"tracker"}}"#),
    (SubscriptionResumeRequest(.subscription(1)), #"{"subscription":1}"#),
    (SubscriptionAcquireRequest(.subscription(1)), #"{"subscription":1}"#),
    (SubscriptionFlushRequest(.subscription(1)), #"{"subscription":1}"#),
    (SubscriptionListRequest(), "{}"),
    (RequestListRequest(), "{}"),
    (RequestCompleteRequest(request: 7), #"{"request":7}"#),
    (RequestCancelRequest(request: "a/b"), #"{"request":"a/b"}"#),
    (HeadingGetRequest(), #"{"maxAge":5,"timeout":30}"#),
    (
      HeadingGetRequest(HeadingRequest(maximumAge: .zero, timeout: .milliseconds(2500))), #"{"maxAge":0,"timeout":2.5}"#
    ),
    (HeadingSubscribeRequest(), #"{"minChange":1,"minInterval":0}"#),
    (
      HeadingSubscribeRequest(
        HeadingParameters(minChange: 180, minInterval: .zero, maxInterval: .milliseconds(100))),
      #"{"maxInterval":0.1,"minChange":180,"minInterval":0}"#
    ),
    (SkyGetRequest(), "{}"),
    (SkySubscribeRequest(minInterval: .seconds(5)), #"{"minInterval":5}"#),
    (VisitSubscribeRequest(), "{}"),
    (VisitSubscribeRequest(durable: DurableRequest(name: "tracker")), #"{"durable":{"name":"tracker"}}"#),
    (
      RegionAddRequest(
        region: Region(
          id: "home", shape: .circle(center: Coordinate(latitude: 48.1, longitude: -11.5), radius: 150),
          notify: [.enter, .dwell], dwellTime: .seconds(60), latency: .seconds(300), expiresIn: .seconds(86400),
          initial: .ifInside),
        durable: DurableRequest(name: "tracker")),
      #"{"circle":{"latitude":48.1,"longitude":-11.5,"radius":150},"durable":{"name":"tracker"},"dwellTime":60,"#
        + #""expiresIn":86400,"id":"home","initial":"ifInside","latency":300,"notify":["enter","dwell"]}"#
    ),
    (
      RegionAddRequest(
        region: Region(
          id: "fjord",
          shape: .polygon([(70, 179.5), (70, -179.5), (-90, 0)].map { Coordinate(latitude: $0, longitude: $1) }))),
      #"{"id":"fjord","initial":"none","notify":["enter","exit"],"polygon":[[70,179.5],[70,-179.5],[-90,0]]}"#
    ),
    (RegionRemoveRequest(id: "home"), #"{"id":"home"}"#),
    (
      RegionStateRequest(id: "home", durable: "tracker"),
      #"{"durable":{"name":"tracker"},"id":"home"}"#
    ),
    (RegionListRequest(), "{}"),
    (
      RegionListRequest(durable: "tracker", after: "home"),
      #"{"after":"home","durable":{"name":"tracker"}}"#
    ),
    (DurableAttachRequest(name: "tracker"), #"{"name":"tracker"}"#),
    (DurableAttachRequest(name: "tracker", sinceEvent: 0), #"{"name":"tracker","sinceEvent":0}"#),
    (DurableAcknowledgeRequest(name: "tracker", event: 7), #"{"event":7,"name":"tracker"}"#),
    (DurableListRequest(), "{}"),
    (DurableRemoveRequest(name: "tracker"), #"{"name":"tracker"}"#),
    (TimeGetRequest(), "{}"),
    (StatusGetRequest(), "{}"),
    (StatusSubscribeRequest(), "{}"),
    (AuthorizationGetRequest(), "{}"),
    (AuthorizationRequestRequest(), #"{"force":false,"level":"whenInUse","precision":"precise"}"#),
    (
      AuthorizationRequestRequest(AuthorizationRequest(level: .always, precision: .reduced, isForced: true)),
      #"{"force":true,"level":"always","precision":"reduced"}"#
    ),
    (AgentRegisterRequest(), "{}"),
    (
      AgentAuthorizeRequest(
        PermissionPrompt(principal: Principal(uid: 1000, name: "tracker"), expiresIn: .seconds(60))),
      #"{"expiresIn":60,"level":"whenInUse","precision":"precise","principal":{"groups":[],"name":"tracker","#
        + #""uid":1000}}"#
    ),
    (AdminClientsRequest(), "{}"),
    (AdminGrantsRequest(), "{}"),
    (AdminGrantRequest(user: .name("ada"), level: nil), #"{"level":"deny","user":"ada"}"#),
    (
      AdminGrantRequest(user: .number(1000), level: .whenInUse, precision: .reduced),
      #"{"level":"whenInUse","precision":"reduced","user":1000}"#
    ),
    (AdminRevokeRequest(user: .name("1000")), #"{"user":"1000"}"#),
    (AdminEnableRequest(), "{}"),
    (AdminDisableRequest(), "{}"),
  ]

  @Test("is on the wire as written here", arguments: RequestTests.literals.indices)
  func literal(index: Int) throws {
    func check<Request: RequestType & Equatable>(_ request: Request, _ json: String) throws {
      #expect(try JSONValue(parsing: Request.codec.encode(request)) == JSONValue(parsing: Array(json.utf8)))
      guard case .request(_, let decoded) = Self.decode(Request.method, json) else {
        Issue.record("\(Request.method) \(json) was not read")
        return
      }
      #expect(decoded as? Request == request)
    }
    let (request, json) = Self.literals[index]
    try check(request, json)
  }

  @Test(
    "is tested with each parameter of a subscription, and a value", arguments: SubscriptionParameter.asked.map(\.name))
  func parameters(name: String) {
    #expect(Self.literals.contains { $0.1.contains("\"\(name)\":") && !$0.1.contains("\"\(name)\":null") })
  }

  @Test("is tested here, each of them")
  func complete() {
    let tried = Set(Self.literals.map { type(of: $0.0).method })
    #expect(tried == Set(Described.requests.map { $0.method }))
  }

  @Test("fails with the name of a parameter of the wrong type", arguments: Described.requests.map(Described.init))
  func wrongTypes(described: Described) throws {
    let type = try #require(described.type as? any RequestType.Type)
    for field in described.fields {
      var members = described.example
      let (wrong, words): (JSONValue, String) =
        if case .array = field.schema { ("wrong", "\"wrong\"") } else { (["wrong"], "an array") }
      members[field.name] = wrong
      let message = Self.message(type.method, String(decoding: JSONValue.object(members).encoded(), as: UTF8.self))
      #expect(
        message == "Invalid params: \(field.name) is \(words), expected \(field.schema.expectation)")
    }
  }

  private static let accuracy = "one of city, neighborhood, block, house, room or metres greater than 0"

  @Test(
    "is refused outside of its ranges, with a description",
    arguments: [
      ("position.get", #"{"accuracy":"hous"}"#, #"accuracy is "hous", expected \#(accuracy)"#),
      ("position.get", #"{"accuracy":0}"#, "accuracy is 0, expected \(accuracy)"),
      ("position.get", #"{"acceptableAccuracy":-1.5}"#, "acceptableAccuracy is -1.5, expected \(accuracy)"),
      ("position.get", #"{"maxAge":-1}"#, "maxAge is -1, expected seconds from 0 to 1000000000"),
      ("position.get", #"{"timeout":1e10}"#, "timeout is 10000000000, expected seconds from 0 to 1000000000"),
      (
        "position.get", #"{"timeout":1e400}"#, "timeout is a number out of range, expected seconds from 0 to 1000000000"
      ),
      (
        "position.get", #"{"activity":"swimming"}"#,
        #"activity is "swimming", expected one of other, automotive, fitness, otherNavigation, airborne"#
      ),
      (
        "position.get", #"{"acuracy":"house"}"#,
        #"unknown parameter "acuracy"; did you mean "accuracy"?, expected any of accuracy, acceptableAccuracy, maxAge, "#
          + "timeout, activity, integrity, delayUntilAuthorized"
      ),
      (
        "position.subscribe", #"{"mode":"significan"}"#,
        #"mode is "significan", expected one of continuous, significant, passive, deferred"#
      ),
      (
        "position.subscribe", #"{"acquire":{"budgt":30}}"#,
        #"unknown parameter "acquire.budgt"; did you mean "budget"?, expected any of budget, desiredAccuracy, "#
          + "acceptableAccuracy"
      ),
      (
        "position.subscribe", #"{"acquire":{"budget":"long"}}"#,
        #"acquire.budget is "long", expected seconds from 0.1 to 1000000000"#
      ),
      (
        "position.subscribe", #"{"durable":{"wake":"a.service"}}"#,
        "durable.name is missing, expected a string of at most 64 bytes"
      ),
      ("position.subscribe", #"{"durable":"tracker"}"#, #"durable is "tracker", expected an object"#),
      (
        "position.subscribe", #"{"significantDistance":0}"#,
        "significantDistance is 0, expected metres greater than 0"
      ),
      ("position.subscribe", #"{"deferredDistance":0}"#, "deferredDistance is 0, expected metres greater than 0"),
      (
        "position.subscribe", #"{"deferredTimeout":0}"#,
        "deferredTimeout is 0, expected seconds from 0.1 to 1000000000"
      ),
      (
        "region.add", #"{"id":"a","circle":{"latitude":91,"longitude":0,"radius":1}}"#,
        "circle.latitude is 91, expected degrees from -90 to 90"
      ),
      (
        "region.add", #"{"id":"a","circle":{"latitude":90,"longitude":0,"radius":0}}"#,
        "circle.radius is 0, expected metres greater than 0"
      ),
      (
        "region.add", #"{"id":"a","circle":{"latitude":90,"longitude":0}}"#,
        "circle.radius is missing, expected metres greater than 0"
      ),
      (
        "region.add", #"{"id":"a","notify":["enter","expired"]}"#,
        #"notify.1 is "expired", expected one of enter, exit, dwell, crossed"#
      ),
      (
        "region.add", #"{"id":"a","polygon":[[1,2],[90.5,0],[3,4]]}"#,
        "polygon.1: expected a latitude from -90 to 90 and a longitude from -180 to 180"
      ),
      (
        "region.add", #"{"id":"a","polygon":[[1,2,3]]}"#,
        "polygon.0: expected a latitude from -90 to 90 and a longitude from -180 to 180"
      ),
      (
        "region.remove", #"{"id":"a","durable":{"name":"b","wake":"c.service"}}"#,
        #"unknown parameter "durable.wake", expected any of name"#
      ),
      (
        "subscription.pause", #"{"durable":{"nam":"b"}}"#,
        #"unknown parameter "durable.nam"; did you mean "name"?, expected any of name"#
      ),
      ("durable.acknowledge", #"{"name":"a","event":-1}"#, "event is -1, expected an integer of at least 0"),
      ("position.subscribe", #"{"minInterval":-0.1}"#, "minInterval is -0.1, expected seconds from 0 to 1000000000"),
      ("position.subscribe", #"{"minDistance":-1}"#, "minDistance is -1, expected metres of at least 0"),
      ("position.subscribe", #"{"maxInterval":0}"#, "maxInterval is 0, expected seconds from 0.1 to 1000000000"),
      ("position.subscribe", #"{"onlyBetterThan":0}"#, "onlyBetterThan is 0, expected metres greater than 0"),
      ("position.subscribe", #"{"maxUpdates":0}"#, "maxUpdates is 0, expected an integer of at least 1"),
      ("position.subscribe", #"{"duration":0}"#, "duration is 0, expected seconds from 0.1 to 1000000000"),
      ("position.subscribe", #"{"replay":"all"}"#, #"replay is "all", expected one of fresh, any, none"#),
      ("subscription.update", "{}", "subscription is missing, expected an integer of at least 1"),
      ("subscription.cancel", #"{"subscription":0}"#, "subscription is 0, expected an integer of at least 1"),
      ("request.cancel", #"{"request":1.5}"#, "request is 1.5, expected a string or an integer"),
      (
        "authorization.request", #"{"level":"sometimes"}"#, #"level is "sometimes", expected one of whenInUse, always"#
      ),
      ("admin.grant", #"{"user":"ada"}"#, "level is missing, expected one of deny, whenInUse, always"),
      (
        "admin.grant", #"{"user":-1,"level":"deny"}"#,
        "user is -1, expected a string of at most 256 bytes or an integer of at least 0"
      ),
      (
        "admin.revoke", #"{"user":null}"#,
        "user is null, expected a string of at most 256 bytes or an integer of at least 0"
      ),
      ("admin.enable", #"{"now":true}"#, #"unknown parameter "now", expected no parameters"#),
      ("sky.get", #"{"minInterval":1}"#, #"unknown parameter "minInterval", expected no parameters"#),
    ])
  func ranges(method: String, params: String, message: String) {
    #expect(Self.message(method, params) == "Invalid params: \(message)")
  }

  @Test(
    "takes names and purposes up to their limits and no longer",
    arguments: [("name", 64), ("purpose", 256)])
  func lengths(parameter: String, bytes: Int) {
    let longest = String(repeating: "é", count: bytes / 2)
    #expect(Self.message("session.hello", "{\"\(parameter)\":\"\(longest)\"}") == nil)
    #expect(
      Self.message("session.hello", "{\"\(parameter)\":\"\(longest)x\"}")?.hasSuffix(
        "expected a string of at most \(bytes) bytes") == true)
  }

  @Test("takes null for an optional parameter")
  func null() throws {
    guard case .request(_, let request) = Self.decode("position.get", #"{"accuracy":null,"timeout":null}"#) else {
      Issue.record("not read")
      return
    }
    #expect(request as? PositionGetRequest == PositionGetRequest())
  }

  @Test("may be in a batch unless it waits or subscribes")
  func batches() {
    let barred = PositionMethods.server.requests.filter { !$0.isAllowedInBatch }.map { $0.method }
    #expect(
      Set(barred) == [
        "position.get", "position.subscribe", "heading.get", "heading.subscribe", "sky.subscribe", "status.subscribe",
        "visit.subscribe", "region.add", "durable.attach", "authorization.request", "agent.register",
      ])
  }
}
