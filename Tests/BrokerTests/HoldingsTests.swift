import Glibc
import Positioning
import TestSupport
import Testing

@testable import Broker

/// The limits of a user over all of its clients, because limits for each client alone would have no effect.
@Suite struct HoldingsTests {
  private static func daemon(_ change: (inout BrokerSettings) -> Void) -> VirtualDaemon {
    var settings = BrokerSettings.open
    change(&settings)
    var daemon = VirtualDaemon(settings: settings)
    daemon.connect(2, uid: 1001)
    daemon.connect(3, uid: 7)
    return daemon
  }

  private static let room = Call.getFix(FixRequest(accuracy: .level(.room)))

  @Test("A user's clients together have a limit of requests, and one that ends makes room")
  func requests() {
    var daemon = Self.daemon { $0.maxRequestsPerUser = 3 }
    let refused = [Answer.failed(.limitExceeded(name: "max-requests-per-user", value: 3))]
    func ask(_ what: Call, _ client: UInt64) -> [Answer] {
      let (id, actions) = daemon.call(what, client: client)
      return actions.answers(to: id)
    }
    let first = daemon.call(Self.room).id
    #expect(ask(Self.room, 2).isEmpty && ask(.getHeading(HeadingRequest()), 2).isEmpty)
    #expect(ask(Self.room, 1) == refused && ask(Self.room, 2) == refused)
    #expect(ask(Self.room, 3).isEmpty, "another user's")
    _ = ask(.cancelRequest(first), 1)
    #expect(ask(Self.room, 2).isEmpty && ask(Self.room, 1) == refused)
    daemon.send(.clientDisconnected(ClientID(2)))
    #expect((0..<3).map { _ in ask(Self.room, 1) } == [[], [], []] && ask(Self.room, 1) == refused)
    daemon.advance(by: 31)
    #expect(daemon.machine.holdings[1001] == Holdings())
  }

  @Test("A user's clients together have a limit of subscriptions, and one that ends makes room")
  func subscriptions() {
    var daemon = Self.daemon { $0.maxSubscriptionsPerUser = 4 }
    let refused = Answer.failed(.limitExceeded(name: "max-subscriptions-per-user", value: 4))
    daemon.subscribe(SubscriptionParameters())
    daemon.call(.subscribeSky(minInterval: .seconds(1)), client: 2)
    daemon.call(.subscribeVisits(), client: 2)
    daemon.call(.subscribeStatus())
    for what in [.subscribe(SubscriptionParameters()), .subscribeVisits(), .subscribeStatus()] as [Call] {
      #expect(daemon.answer(what, client: 1) == refused && daemon.answer(what, client: 2) == refused)
      #expect(daemon.answer(what, client: 3) != refused)
    }
    daemon.call(.cancelSubscription(number: 1))
    #expect(daemon.answer(.subscribeVisits()) != refused && daemon.answer(.subscribeVisits()) == refused)
    daemon.send(.clientDisconnected(ClientID(2)))
    #expect(daemon.machine.holdings[1001].subscriptions == 2)
  }

  @Test("A user's clients together have a limit of status subscriptions, and one that ends makes room")
  func statuses() {
    var daemon = Self.daemon { $0.maxStatusPerUser = 2 }
    let refused = Answer.failed(.limitExceeded(name: "max-status-subscriptions-per-user", value: 2))
    #expect(daemon.answer(.subscribeStatus()) != refused && daemon.answer(.subscribeStatus(), client: 2) != refused)
    #expect(daemon.answer(.subscribeStatus()) == refused && daemon.answer(.subscribeStatus(), client: 3) != refused)
    daemon.call(.cancelSubscription(number: 1))
    #expect(daemon.answer(.subscribeStatus(), client: 2) != refused && daemon.answer(.subscribeStatus()) == refused)
    daemon.send(.clientDisconnected(ClientID(2)))
    #expect(daemon.machine.holdings[1001] == Holdings())
  }

  @Test("A user's polygons together have a limit of corners, and one that is removed makes room")
  func corners() {
    var daemon = Self.daemon { $0.maxCornersPerUser = 10 }
    let refused = Answer.failed(.limitExceeded(name: "max-corners-per-user", value: 10))
    func add(_ id: String, _ corners: Int, client: UInt64 = 1, durable: String? = nil) -> Answer? {
      let shape = polygon(regular(corners)).shape
      return daemon.answer(
        .addRegion(Region(id: id, shape: shape), durable: durable.map { DurableRequest(name: $0) }), client: client)
    }
    #expect(add("a", 4) != refused && add("b", 4, client: 2) != refused)
    #expect(add("c", 3) == refused && add("c", 3, client: 3) != refused)
    // A circle has no corners.
    #expect(daemon.answer(.addRegion(circle("d"))) != refused)
    // A replacement counts by its difference.
    #expect(add("a", 6) != refused && add("a", 7) == refused)
    daemon.send(.clientDisconnected(ClientID(2)))
    #expect(add("a", 10) != refused && add("a", 3) != refused && add("c", 7, durable: "log") != refused)
    #expect(add("e", 3) == refused)
    daemon.call(.removeRegion(id: "a"))
    #expect(add("e", 3) != refused)
    // Those of a durable name count after a restart too.
    daemon.restart()
    #expect(daemon.machine.holdings[1001].corners == 7 && daemon.machine.holdings[1001].regions == 1)
    daemon.call(.removeDurable(name: "log"))
    #expect(daemon.machine.holdings[1001] == Holdings())
  }

  @Test("All users together have a limit, and one user's end makes room for another")
  func totals() {
    let circle = circle("a")
    let deferred = SubscriptionParameters(mode: .deferred, deferredTimeout: .seconds(600))
    let limits: [(String, (inout BrokerSettings) -> Void, Call, held: (AllHoldings) -> Int)] = [
      ("max-requests", { $0.maxRequests = 2 }, Self.room, { $0.total.requests }),
      ("max-subscriptions", { $0.maxSubscriptions = 2 }, .subscribeVisits(), { $0.total.subscriptions }),
      ("max-subscriptions", { $0.maxSubscriptions = 2 }, .subscribeStatus(), { $0.total.statuses }),
      ("max-deferred", { $0.maxDeferred = 2 }, .subscribe(deferred), { $0.total.deferred }),
      ("max-regions", { $0.maxRegions = 2 }, .addRegion(circle), { $0.total.regions }),
      (
        "max-corners", { $0.maxCorners = 11 }, .addRegion(Region(id: "a", shape: polygon(self.regular(5)).shape)),
        { $0.total.corners / 5 }
      ),
    ]
    for (name, change, call, held) in limits {
      var daemon = Self.daemon(change)
      let limit = name == "max-corners" ? 11 : 2
      let refused = [Answer.failed(.limitExceeded(name: name, value: limit))]
      func isRefused(_ client: UInt64) -> Bool {
        let (id, actions) = daemon.call(call, client: client)
        return actions.answers(to: id) == refused
      }
      daemon.connect(4, uid: 8)
      #expect(!isRefused(1) && !isRefused(3), "\(name)")
      #expect(held(daemon.machine.holdings) == 2, "\(name)")
      #expect(isRefused(4), "\(name)")
      daemon.send(.clientDisconnected(ClientID(3)))
      #expect(!isRefused(4) && held(daemon.machine.holdings) == 2, "\(name)")
      for client in [1, 4] as [UInt64] { daemon.send(.clientDisconnected(ClientID(client))) }
      #expect(daemon.machine.holdings == AllHoldings(), "\(name)")
    }
  }

  @Test("All users together have a limit of durable names, and one that is removed makes room")
  func names() {
    var daemon = Self.daemon { $0.maxNames = 2 }
    func add(_ name: String, _ client: UInt64) -> Answer? {
      daemon.answer(.subscribeVisits(durable: DurableRequest(name: name)), client: client)
    }
    let refused = Answer.failed(.limitExceeded(name: "max-durable-names", value: 2))
    #expect(add("a", 1) != refused && add("a", 3) != refused)
    #expect(add("b", 1) == refused && add("a", 1) != refused, "one that is there already")
    daemon.call(.removeDurable(name: "a"), client: 3)
    #expect(add("b", 1) != refused && add("a", 3) == refused)
    daemon.restart()
    daemon.connect(3, uid: 7)
    #expect(add("a", 3) == refused)
  }

  private func regular(_ corners: Int) -> [(Double, Double)] {
    (0..<corners).map { corner in
      let angle = 2 * Double.pi * Double(corner) / Double(corners)
      return (200 * cos(angle), 200 * sin(angle))
    }
  }
}
