import JSONRPC
import PositionProtocol
import Positioning
import ReceiverPorts
import TestSupport
import Testing

@testable import Broker
@testable import Server

@Suite("Results")
struct ResultTests {
  private static let circle = RegionInfo(
    region: Region(id: "home", shape: .circle(center: Coordinate(latitude: 48, longitude: 11), radius: 150)),
    state: .inside, since: HandledRequest.now - .seconds(60), remaining: .seconds(90))
  private static let circleJSON =
    #"{"circle":{"latitude":48,"longitude":11,"radius":150},"id":"home","initial":"none","#
    + #""notify":["enter","exit"],"remaining":90,"since":"2026-01-31T11:59:00.000Z","state":"inside"}"#

  private static func durable(_ change: (inout DurableInfo) -> Void = { _ in }) -> DurableInfo {
    var info = DurableInfo(
      name: "log", wake: nil, regions: [], position: nil, hasVisits: false, waiting: 3, lastEvent: 12,
      isAttached: false, wakeError: nil)
    change(&info)
    return info
  }

  private static let grant = Grant(
    uid: 1000,
    decision: Decision(user: "ada", level: .whenInUse, precision: .reduced, at: HandledRequest.now - .seconds(60)))
  private static let denial = Grant(
    uid: 1001, decision: Decision(user: "eve", level: nil, at: HandledRequest.now - .seconds(60)))
  private static let grantJSON =
    #"{"level":"whenInUse","precision":"reduced","time":"2026-01-31T11:59:00.000Z","uid":1000,"user":"ada"}"#

  private static let significant = SubscriptionParameters(mode: .significant, acquire: .init())

  @Test(
    "agree with the broker's",
    arguments: [
      (
        "position.subscribe", #"{"mode":"significant","durable":{"name":"log"}}"#,
        .subscription(.durable(name: "log", .waiting, .poweredDown)),
        #"{"availability":"poweredDown","durable":"log","state":"waiting"}"#
      ),
      (
        "subscription.pause", #"{"durable":{"name":"log"}}"#,
        .subscription(.durable(name: "log", .paused, .poweredDown)),
        #"{"availability":"poweredDown","durable":"log","state":"paused"}"#
      ),
      (
        "visit.subscribe", "{}",
        .subscription(
          .begun(
            SubscriptionInfo(number: 4, kind: .visits, state: .waiting, availability: .poweredDown, updates: 0))),
        #"{"availability":"poweredDown","state":"waiting","subscription":4}"#
      ),
      (
        "region.add", #"{"id":"a","circle":{"latitude":1,"longitude":2,"radius":3}}"#,
        .region(.unknown, warning: "small"), #"{"state":"unknown","warning":"small"}"#
      ),
      ("region.remove", #"{"id":"a"}"#, .region(.inside, warning: nil), #"{"state":"inside"}"#),
      ("region.state", #"{"id":"a"}"#, .region(.outside, warning: nil), #"{"state":"outside"}"#),
      ("region.list", "{}", .regions([circle]), #"{"regions":[\#(circleJSON)]}"#),
      (
        "durable.attach", #"{"name":"log"}"#,
        .durable(
          durable {
            $0.wake = "log.service"
            $0.regions = [circle]
            $0.position = significant
            $0.hasVisits = true
            $0.isAttached = true
            $0.wakeError = "refused"
          }),
        #"{"attached":true,"durable":"log","lastEvent":12,"position":{"accuracy":"room","acquire":"#
          + #"{"acceptableAccuracy":100,"budget":15,"desiredAccuracy":10},"activity":"other","autoPause":false,"#
          + #""integrity":"suspect","minDistance":0,"minInterval":1,"mode":"significant","replay":"fresh","significantDistance":500,"#
          + #""significantInterval":300},"regions":[\#(circleJSON)],"visits":true,"waiting":3,"wake":"log.service","#
          + #""wakeTrouble":"refused"}"#
      ),
      ("durable.acknowledge", #"{"name":"log","event":1}"#, .durable(durable()), #"{"waiting":3}"#),
      ("durable.remove", #"{"name":"log"}"#, .durable(durable()), #"{"waiting":3}"#),
      (
        "durable.list", "{}", .durables([durable()]),
        #"{"names":[{"attached":false,"durable":"log","lastEvent":12,"regions":[],"visits":false,"waiting":3}]}"#
      ),
      (
        "authorization.get", "{}", .authorization(Authorization(state: .restricted, rule: "guests", remedy: "ask")),
        #"{"precision":"precise","remedy":"ask","rule":"guests","state":"restricted"}"#
      ),
      (
        "authorization.request", "{}", .authorization(Authorization(state: .whenInUse, precision: .reduced)),
        #"{"precision":"reduced","state":"whenInUse"}"#
      ),
      ("agent.register", "{}", .agentRegistered(AgentAnswer()), #"{"ok":true}"#),
      (
        "admin.clients", "{}",
        .clients([
          ClientInfo(
            principal: Principal(uid: 1000, pid: 7, groups: [5], unit: .unknown),
            authorization: Authorization(state: .always), requests: 1, subscriptions: 2, regions: 3)
        ]),
        #"{"clients":[{"authorization":{"precision":"precise","state":"always"},"principal":{"groups":[5],"pid":7,"#
          + #""uid":1000},"regions":3,"requests":1,"subscriptions":2}]}"#
      ),
      (
        "admin.grants", "{}", .grants([grant, denial]),
        #"{"grants":[\#(grantJSON),{"level":"deny","time":"2026-01-31T11:59:00.000Z","uid":1001,"user":"eve"}]}"#
      ),
      ("admin.grant", #"{"user":0,"level":"always"}"#, .grant(grant), grantJSON),
      ("admin.revoke", #"{"user":0}"#, .grant(grant), grantJSON),
      ("admin.enable", "{}", .enabled(false), #"{"enabled":false}"#),
      ("admin.enable", "{}", .enabled(true, unread: "it is gone"), #"{"enabled":true,"unread":"it is gone"}"#),
      ("admin.disable", "{}", .enabled(false), #"{"enabled":false}"#),
    ] as [(String, String, Answer, String)])
  func results(method: String, params: String, answer: Answer, json: String) throws {
    #expect(try HandledRequest(method, params).result(of: answer) == JSONValue(parsing: Array(json.utf8)))
  }

  @Test("greet with the client's identity and its authorization")
  func hello() throws {
    let result = try HandledRequest("session.hello", "{}").result(
      of: .authorization(Authorization(state: .whenInUse, precision: .reduced, rule: "members")))
    #expect(result["authorization"] == ["state": "whenInUse", "precision": "reduced", "rule": "members"])
    #expect(result["principal"] == ["uid": 0, "groups": [0], "pid": 1])
  }

  @Test("have as many items as fit, and the number of the others")
  func many() throws {
    let grants = (0..<2000).map { number in
      Grant(uid: number, decision: Decision(user: "user\(number)", level: .always, at: HandledRequest.now))
    }
    let clients = (0..<2000).map { number in
      ClientInfo(
        principal: Principal(uid: number, purpose: number == 0 ? String(repeating: "x", count: 100_000) : nil),
        authorization: Authorization(state: .always), requests: 0, subscriptions: 0, regions: 0)
    }
    for (method, member, answer) in [
      ("admin.grants", "grants", Answer.grants(grants)), ("admin.clients", "clients", .clients(clients)),
    ] {
      let result = try HandledRequest(method, "{}").result(of: answer)
      #expect(result.encoded().count <= ServerLimits().maxReply + 100)
      guard case .array(let listed)? = result[member] else { Issue.record("\(method)"); continue }
      #expect(listed.count > 100 && result["omitted"] == .integer(2000 - listed.count))
    }
    #expect(try HandledRequest("admin.grants", "{}").result(of: .grants(Array(grants[..<10])))["omitted"] == nil)
  }

  @Test("list the users in use in the status")
  func inUse() throws {
    let user = DaemonStatus.InUse(uid: 0, programs: ["p"], since: HandledRequest.now - .seconds(60))
    let status = try HandledRequest("status.get", "{}").result(of: .status(Self.status(inUse: [user])))
    #expect(status["inUse"] == [["uid": 0, "programs": ["p"], "since": "2026-01-31T11:59:00.000Z"]])
  }

  @Test("write the status once for all clients of a turn, and again if it differs or in the next turn")
  func statusOnce() throws {
    let texts = TurnTexts()
    func text(_ status: DaemonStatus, now: Instant) throws -> JSONValue? {
      let context = AnswerContext(
        moment: CodingMoment(now: now, since1970: .seconds(1_769_860_800)), daemon: HandledRequest.daemon,
        principal: HandledRequest.principal, requests: [:], texts: texts)
      let message = try StatusGetRequest().message(answering: .integer(1), with: .status(status), in: context)
      return try JSONValue(parsing: message)["result"]
    }
    let (status, other) = (
      Self.status(inUse: []),
      Self.status(inUse: [DaemonStatus.InUse(uid: 7, programs: ["p"], since: HandledRequest.now)])
    )
    let first = try text(status, now: HandledRequest.now)
    #expect(first?["uptime"] == 1000)
    #expect(try text(status, now: HandledRequest.now) == first)
    #expect(try text(other, now: HandledRequest.now)?["inUse"]?.elements.count == 1)
    #expect(try text(other, now: HandledRequest.now + .seconds(1))?["uptime"] == 1001)
  }

  @Test("write a notification once for all clients of a turn, and again in the next, since its age is another then")
  func notificationOnce() throws {
    let texts = TurnTexts()
    let fix = Fix(latitude: 48, longitude: 11, horizontalAccuracy: 5, arrival: HandledRequest.now)
    var update = PositionUpdate(availability: .available, state: .delivering)
    update.fix = fix
    func age(after passed: Duration, client: UInt64) throws -> JSONValue? {
      let moment = CodingMoment(now: HandledRequest.now + passed, since1970: .seconds(1_769_860_800))
      let id = SubscriptionID(client: ClientID(client), number: 1)
      let text = try texts.text(of: .position(id, update), at: moment)
      return try JSONValue(parsing: text)["params"]?["fix"]?["age"]
    }
    #expect(try age(after: .seconds(1), client: 1) == 1)
    // Of one turn, whatever clock it is asked at.
    #expect(try age(after: .seconds(2), client: 2) == 1)
    texts.turnEnded()
    #expect(try age(after: .seconds(3), client: 1) == 3)
  }

  private static func status(inUse: [DaemonStatus.InUse]) -> DaemonStatus {
    DaemonStatus(
      version: "0.1.0", began: .boot, receiver: .init(availability: .poweredDown, since: HandledRequest.now),
      power: .init(
        current: PowerState(state: .released, since: HandledRequest.now), onTime: .zero,
        dutyCycle: .init(hour: 0, day: 0), starts: .init(total: 0)), gpsd: .init(state: .idle), inUse: inUse,
      reports: .init(received: 0, fixes: 0, rejected: [:]), clients: 1, requests: 0, subscriptions: 0)
  }

  @Test(
    "are errors with a remedy",
    arguments: [
      (
        .wrongKind(number: 3, .sky(minInterval: .seconds(1))),
        RPCError(
          code: .invalidParams,
          message: "Invalid params: subscription 3 is a sky subscription, expected a position subscription",
          data: ["path": "subscription", "found": "3, a sky subscription", "expected": "a position subscription"])
      ),
      (
        .restricted(what: "no rule lets user ada wake log.service", remedy: "ask root"),
        RPCError(
          code: .restricted, message: "Restricted: no rule lets user ada wake log.service",
          data: ["remedy": "ask root"])
      ),
      (
        .restricted(what: "guests may not know", rule: "guests", remedy: "ask root"),
        RPCError(
          code: .restricted, message: "Restricted: guests may not know",
          data: ["remedy": "ask root", "rule": "guests"])
      ),
      (
        .denied(what: "ada said no", at: HandledRequest.now - .seconds(60), remedy: "ask her"),
        RPCError(
          code: .denied, message: "Denied: ada said no",
          data: ["remedy": "ask her", "decision": "2026-01-31T11:59:00.000Z"])
      ),
      (
        .denied(what: "ada said no", at: nil, remedy: "ask her"),
        RPCError(code: .denied, message: "Denied: ada said no", data: ["remedy": "ask her"])
      ),
      (
        .switchedOff(remedy: "turn it on"),
        RPCError(
          code: .disabled, message: "Disabled: positions are turned off on this device",
          data: ["remedy": "turn it on"])
      ),
      (
        .notDetermined(remedy: "adduser ada position"),
        RPCError(
          code: .notDetermined, message: "Not determined: nobody has said whether this client may know the position",
          data: ["remedy": "adduser ada position"])
      ),
      (
        .accuracyLimited(what: "reduced is granted", remedy: "ask root"),
        RPCError(
          code: .accuracyLimited, message: "Accuracy limited: reduced is granted", data: ["remedy": "ask root"])
      ),
      (
        .notStored("the disk is full"),
        RPCError(
          code: .internalError, message: "Internal error: the store does not work: the disk is full",
          data: [
            "remedy":
              "ask the administrator of this device; \"journalctl -u positiond\" shows the daemon's log"
          ])
      ),
      (.noRegion(id: "home"), RPCError(code: .notFound, message: "Not found: region home")),
      (.noDurable(name: "log"), RPCError(code: .notFound, message: "Not found: durable name log")),
      (
        .limitExceeded(name: "max-regions-per-user", value: 10000),
        .limitExceeded(limit: "max-regions-per-user", value: 10000)
      ),
    ] as [(CallFailure, RPCError)])
  func errors(failure: CallFailure, error: RPCError) throws {
    let asked = try HandledRequest("subscription.pause", #"{"subscription":3}"#)
    #expect(throws: error) { try asked.result(of: .failed(failure)) }
  }
}
