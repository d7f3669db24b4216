import JSONRPC
import Positioning
import TestSupport
import Testing

@testable import Broker
@testable import Server

@Suite("What is answered")
struct ResultTests {
  private static let circle = RegionInfo(
    region: Region(id: "home", shape: .circle(center: Coordinate(latitude: 48, longitude: 11), radius: 150)),
    state: .inside, since: Asked.now - .seconds(60), remaining: .seconds(90))
  private static let circleJSON =
    #"{"circle":{"latitude":48,"longitude":11,"radius":150},"id":"home","initial":"none","#
    + #""notify":["enter","exit"],"remaining":90,"since":"2026-01-31T11:59:00.000Z","state":"inside"}"#

  private static func durable(_ change: (inout DurableInfo) -> Void = { _ in }) -> DurableInfo {
    var info = DurableInfo(
      name: "log", wake: nil, regions: [], position: nil, hasVisits: false, waiting: 3, lastEvent: 12,
      isAttached: false, wakeTrouble: nil)
    change(&info)
    return info
  }

  private static let significant = SubscriptionParameters(mode: .significant, acquire: .init())

  @Test(
    "is what the broker says",
    arguments: [
      (
        "position.subscribe", #"{"mode":"significant","durable":{"name":"log"}}"#,
        .durableSubscribed(name: "log", .waiting, .poweredDown),
        #"{"availability":"poweredDown","durable":"log","state":"waiting"}"#
      ),
      (
        "subscription.pause", #"{"durable":{"name":"log"}}"#, .durableSubscribed(name: "log", .paused, .poweredDown),
        #"{"availability":"poweredDown","durable":"log","state":"paused"}"#
      ),
      (
        "visit.subscribe", "{}",
        .subscribed(
          SubscriptionInfo(
            id: SubscriptionID(client: ClientID(1), number: 4), kind: .visits, state: .waiting,
            availability: .poweredDown, updates: 0)),
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
            $0.wakeTrouble = "refused"
          }),
        #"{"attached":true,"durable":"log","lastEvent":12,"position":{"accuracy":"room","acquire":"#
          + #"{"acceptableAccuracy":100,"budget":15,"desiredAccuracy":10},"activity":"other","autoPause":false,"#
          + #""minDistance":0,"minInterval":1,"mode":"significant","replay":"fresh","significantDistance":500,"#
          + #""significantInterval":300},"regions":[\#(circleJSON)],"visits":true,"waiting":3,"wake":"log.service","#
          + #""wakeTrouble":"refused"}"#
      ),
      ("durable.acknowledge", #"{"name":"log","event":1}"#, .durable(durable()), #"{"waiting":3}"#),
      ("durable.remove", #"{"name":"log"}"#, .durable(durable()), #"{"waiting":3}"#),
      (
        "durable.list", "{}", .durables([durable()]),
        #"{"names":[{"attached":false,"durable":"log","lastEvent":12,"regions":[],"visits":false,"waiting":3}]}"#
      ),
    ] as [(String, String, Answer, String)])
  func results(method: String, params: String, answer: Answer, json: String) throws {
    #expect(try Asked(method, params).result(of: answer) == JSONValue(parsing: Array(json.utf8)))
  }

  @Test(
    "is an error that says what to do",
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
        .notStored("the disk is full"),
        RPCError(
          code: .internalError, message: "Internal error: the store does not work: the disk is full",
          data: [
            "remedy":
              "ask the administrator of this device; \"journalctl -u positiond\" has the daemon's own words"
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
    let asked = try Asked("subscription.pause", #"{"subscription":3}"#)
    #expect(throws: error) { try asked.result(of: .failed(failure)) }
  }
}
