import Positioning
import TestSupport
import Testing

@testable import Broker

/// What a user may hold over all of its clients: a limit for each client alone would be none.
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

  @Test("A user's clients may have so many requests together, and one that ends makes room")
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

  @Test("A user's clients may have so many subscriptions together, and one that ends makes room")
  func subscriptions() {
    var daemon = Self.daemon { $0.maxSubscriptionsPerUser = 4 }
    let refused = Answer.failed(.limitExceeded(name: "max-subscriptions-per-user", value: 4))
    daemon.subscribe(SubscriptionParameters())
    daemon.call(.subscribeSky(minInterval: .seconds(1)), client: 2)
    daemon.call(.subscribeVisits(), client: 2)
    daemon.call(.subscribeStatus)
    for what in [.subscribe(SubscriptionParameters()), .subscribeVisits(), .subscribeStatus] as [Call] {
      #expect(daemon.answer(what, client: 1) == refused && daemon.answer(what, client: 2) == refused)
      #expect(daemon.answer(what, client: 3) != refused)
    }
    daemon.call(.cancelSubscription(number: 1))
    #expect(daemon.answer(.subscribeVisits()) != refused && daemon.answer(.subscribeVisits()) == refused)
    daemon.send(.clientDisconnected(ClientID(2)))
    #expect(daemon.machine.holdings[1001].subscriptions == 2)
  }

  @Test("A user's clients may watch the status so often together, and one that ends makes room")
  func statuses() {
    var daemon = Self.daemon { $0.maxStatusPerUser = 2 }
    let refused = Answer.failed(.limitExceeded(name: "max-status-subscriptions-per-user", value: 2))
    #expect(daemon.answer(.subscribeStatus) != refused && daemon.answer(.subscribeStatus, client: 2) != refused)
    #expect(daemon.answer(.subscribeStatus) == refused && daemon.answer(.subscribeStatus, client: 3) != refused)
    daemon.call(.cancelSubscription(number: 1))
    #expect(daemon.answer(.subscribeStatus, client: 2) != refused && daemon.answer(.subscribeStatus) == refused)
    daemon.send(.clientDisconnected(ClientID(2)))
    #expect(daemon.machine.holdings[1001] == Holdings())
  }

  @Test("A user's polygons may have so many corners together, and one that goes makes room")
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
    // A circle has none.
    #expect(daemon.answer(.addRegion(circle("d"))) != refused)
    // What takes the place of another counts by its difference.
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

  private func regular(_ corners: Int) -> [(Double, Double)] {
    (0..<corners).map { corner in
      let angle = 2 * Double.pi * Double(corner) / Double(corners)
      return (200 * Self.cosine(angle), 200 * Self.cosine(angle - .pi / 2))
    }
  }

  /// By its series, which is near enough here.
  private static func cosine(_ angle: Double) -> Double {
    var (term, sum) = (1.0, 1.0)
    for step in 1...15 {
      term *= -angle * angle / Double((2 * step - 1) * 2 * step)
      sum += term
    }
    return sum
  }
}
