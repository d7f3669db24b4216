import Broker
import JSONRPC
import Positioning
import Testing

@testable import Server

@Suite("Calls of the broker")
struct CallTests {
  private static let home = Region(
    id: "home", shape: .circle(center: Coordinate(latitude: 48, longitude: 11), radius: 150))

  private static func change(_ make: (inout SubscriptionChange) -> Void) -> SubscriptionChange {
    var change = SubscriptionChange()
    make(&change)
    return change
  }

  @Test(
    "have the parameters' values, with the defaults",
    arguments: [
      ("position.subscribe", "{}", .subscribe(SubscriptionParameters())),
      (
        "position.subscribe", #"{"mode":"significant"}"#,
        .subscribe(
          SubscriptionParameters(mode: .significant, significantDistance: 500, significantInterval: .seconds(300)))
      ),
      (
        "position.subscribe", #"{"mode":"significant","acquire":{},"autoPause":true,"significantDistance":1000}"#,
        .subscribe(
          SubscriptionParameters(
            mode: .significant, significantDistance: 1000,
            acquire: .init(budget: .seconds(15), desiredAccuracy: 10, acceptableAccuracy: 100), autoPause: true))
      ),
      (
        "position.subscribe",
        #"{"mode":"significant","significantInterval":0,"acquire":{"budget":30,"desiredAccuracy":5,"#
          + #""acceptableAccuracy":50},"durable":{"name":"tracker","wake":"tracker.service"}}"#,
        .subscribe(
          SubscriptionParameters(
            mode: .significant, significantInterval: .zero,
            acquire: .init(budget: .seconds(30), desiredAccuracy: 5, acceptableAccuracy: 50)),
          durable: DurableRequest(name: "tracker", wake: "tracker.service"))
      ),
      (
        "position.subscribe",
        #"{"mode":"deferred","deferredDistance":1000,"deferredTimeout":600.5,"durable":{"name":"log"}}"#,
        .subscribe(
          SubscriptionParameters(mode: .deferred, deferredDistance: 1000, deferredTimeout: .seconds(600.5)),
          durable: DurableRequest(name: "log"))
      ),
      (
        "subscription.update",
        #"{"subscription":2,"significantDistance":1,"significantInterval":2,"acquire":{"budget":3},"autoPause":false}"#,
        .updateSubscription(
          number: 2,
          change {
            $0.significantDistance = 1
            $0.significantInterval = .seconds(2)
            $0.acquire = .init(budget: .seconds(3))
            $0.autoPause = false
          })
      ),
      (
        "subscription.update", #"{"subscription":2,"mode":"deferred","deferredDistance":3,"deferredTimeout":4}"#,
        .updateSubscription(
          number: 2,
          change {
            $0.mode = .deferred
            $0.deferredDistance = 3
            $0.deferredTimeout = .seconds(4)
          })
      ),
      (
        "subscription.update", #"{"subscription":2,"mode":null,"duration":null,"minInterval":5,"acquire":null}"#,
        .updateSubscription(
          number: 2,
          change {
            $0.minInterval = .seconds(5)
            $0.reset = [.mode, .duration, .acquire]
          })
      ),
      ("subscription.pause", #"{"subscription":7}"#, .commandSubscription(number: 7, .pause)),
      ("subscription.resume", #"{"subscription":7}"#, .commandSubscription(number: 7, .resume)),
      ("subscription.acquire", #"{"subscription":7}"#, .commandSubscription(number: 7, .acquire)),
      ("subscription.flush", #"{"subscription":7}"#, .commandSubscription(number: 7, .flush)),
      ("subscription.pause", #"{"durable":{"name":"log"}}"#, .commandDurable(name: "log", .pause)),
      ("subscription.flush", #"{"durable":{"name":"log"},"subscription":null}"#, .commandDurable(name: "log", .flush)),
      ("visit.subscribe", "{}", .subscribeVisits()),
      (
        "visit.subscribe", #"{"durable":{"name":"log","wake":"a@b.service"}}"#,
        .subscribeVisits(durable: DurableRequest(name: "log", wake: "a@b.service"))
      ),
      ("region.add", #"{"id":"home","circle":{"latitude":48,"longitude":11,"radius":150}}"#, .addRegion(home)),
      (
        "region.add",
        #"{"id":"home","circle":{"latitude":48,"longitude":11,"radius":150},"notify":["dwell","crossed"],"#
          + #""dwellTime":60,"latency":300,"expiresIn":86400,"initial":"always","durable":{"name":"log"}}"#,
        .addRegion(
          Region(
            id: "home", shape: home.shape, notify: [.dwell, .crossed], dwellTime: .seconds(60), latency: .seconds(300),
            expiresIn: .seconds(86400), initial: .always), durable: DurableRequest(name: "log"))
      ),
      (
        "region.add", #"{"id":"sea","polygon":[[70,179],[70,-179],[71,180]]}"#,
        .addRegion(
          Region(
            id: "sea",
            shape: .polygon([(70, 179), (70, -179), (71, 180)].map { Coordinate(latitude: $0, longitude: $1) })))
      ),
      ("region.remove", #"{"id":"home"}"#, .removeRegion(id: "home")),
      ("region.remove", #"{"id":"home","durable":{"name":"log"}}"#, .removeRegion(id: "home", durable: "log")),
      ("region.state", #"{"id":"home","durable":{"name":"log"}}"#, .regionState(id: "home", durable: "log")),
      ("region.list", "{}", .listRegions()),
      ("region.list", #"{"durable":{"name":"log"},"after":"home"}"#, .listRegions(durable: "log", after: "home")),
      ("durable.attach", #"{"name":"log"}"#, .attachDurable(name: "log")),
      ("durable.attach", #"{"name":"log","sinceEvent":0}"#, .attachDurable(name: "log", sinceEvent: 0)),
      ("durable.acknowledge", #"{"name":"log","event":12}"#, .acknowledgeDurable(name: "log", event: 12)),
      ("durable.list", "{}", .listDurables()),
      ("durable.remove", #"{"name":"log"}"#, .removeDurable(name: "log")),
      ("position.get", "{}", .getFix(FixRequest())),
      ("position.get", #"{"delayUntilAuthorized":true}"#, .getFix(FixRequest(delaysUntilAuthorized: true))),
      ("session.hello", #"{"name":"log"}"#, .authorization()),
      ("authorization.get", "{}", .authorization()),
      ("authorization.request", "{}", .requestAuthorization(AuthorizationRequest())),
      (
        "authorization.request", #"{"level":"always","precision":"reduced","force":true}"#,
        .requestAuthorization(AuthorizationRequest(level: .always, precision: .reduced, isForced: true))
      ),
      ("agent.register", "{}", .registerAgent()),
      ("admin.clients", "{}", .listClients()),
      ("admin.grants", "{}", .listGrants()),
      ("admin.enable", "{}", .setEnabled(true)),
      ("admin.disable", "{}", .setEnabled(false)),
    ] as [(String, String, Call)])
  func calls(method: String, params: String, call: Call) throws {
    #expect(try HandledRequest(method, params).call == call)
  }

  @Test(
    "A time shorter than a millisecond, but not 0, is a millisecond: it never means no limit",
    arguments: ["1e-300", "5e-324", "0.0004", "0.001"])
  func shortTimes(seconds: String) throws {
    let time = Duration.milliseconds(1)
    #expect(
      try HandledRequest("position.get", #"{"timeout":\#(seconds),"maxAge":\#(seconds)}"#).call
        == .getFix(FixRequest(maximumAge: time, timeout: time)))
    #expect(
      try HandledRequest("heading.get", #"{"timeout":\#(seconds),"maxAge":\#(seconds)}"#).call
        == .getHeading(HeadingRequest(maximumAge: time, timeout: time)))
    #expect(
      try HandledRequest("position.subscribe", #"{"minInterval":\#(seconds)}"#).call
        == .subscribe(SubscriptionParameters(minInterval: time)))
    let region = #"{"id":"home","circle":{"latitude":48,"longitude":11,"radius":150},"latency":\#(seconds)}"#
    guard case .addRegion(let added, _, _) = try HandledRequest("region.add", region).call else {
      Issue.record("no region")
      return
    }
    #expect(added.latency == time)
  }

  @Test(
    "A time out of the clock's range, or in the past, is refused with the reason",
    arguments: ["-1", "-1e-300", "1e10", "1e300"])
  func impossibleTimes(seconds: String) throws {
    for (method, parameter) in [
      ("position.get", "timeout"), ("position.get", "maxAge"), ("heading.get", "timeout"),
      ("position.subscribe", "minInterval"), ("position.subscribe", "significantInterval"),
      ("subscription.update", "minInterval"), ("sky.subscribe", "minInterval"),
    ] {
      let number = method == "subscription.update" ? #""subscription":1,"# : ""
      let error = try #require(throws: RPCError.self) {
        try HandledRequest(method, #"{\#(number)"\#(parameter)":\#(seconds)}"#).call
      }
      #expect(error.message.contains("\(parameter) is"), "\(error.message)")
      #expect(error.message.hasSuffix("expected seconds from 0 to 1000000000"), "\(error.message)")
    }
  }
}
