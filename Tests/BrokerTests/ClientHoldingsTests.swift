import Positioning
import Testing

@testable import Broker

/// How much a client holds that may cause notifications to it even if it sends no calls any more, so that its
/// connection stays open.
@Suite struct ClientHoldingsTests {
  private static let client = ClientID(1)
  private static let brief = Region(
    id: "home", shape: .circle(center: Coordinate(latitude: 50, longitude: 8), radius: 100), expiresIn: .seconds(60))

  @Test func `a subscription counts, until it is cancelled or ends`() {
    var daemon = VirtualDaemon()
    daemon.call(.subscribeVisits(durable: nil))
    daemon.call(.subscribe(SubscriptionParameters(duration: .seconds(60))))
    daemon.call(.commandSubscription(number: 2, .pause))
    #expect(daemon.machine.holdings(of: Self.client) == 2)
    daemon.call(.cancelSubscription(number: 1))
    #expect(daemon.machine.holdings(of: Self.client) == 1)
    daemon.advance(by: 60)
    #expect(daemon.machine.holdings(of: Self.client) == 0)
  }

  @Test func `a region counts once, however often it is added, until it is removed or expires`() {
    var daemon = VirtualDaemon()
    for _ in 0..<2 { daemon.call(.addRegion(Self.brief, durable: nil)) }
    daemon.call(.regionState(id: "home", durable: nil))
    #expect(daemon.machine.holdings(of: Self.client) == 1)
    daemon.call(.removeRegion(id: "home", durable: nil))
    #expect(daemon.machine.holdings(of: Self.client) == 0)
    daemon.call(.addRegion(Self.brief, durable: nil))
    #expect(daemon.machine.holdings(of: Self.client) == 1)
    daemon.advance(by: 60)
    #expect(daemon.machine.holdings(of: Self.client) == 0)
  }

  @Test func `a rejected request counts for nothing`() {
    var daemon = VirtualDaemon()
    daemon.change { $0.fallback = .deny }
    daemon.call(.addRegion(.home, durable: nil))
    daemon.call(.subscribe(SubscriptionParameters()))
    #expect(daemon.machine.holdings(of: Self.client) == 0)
  }

  @Test func `a durable registration stays without the client`() {
    var daemon = VirtualDaemon()
    daemon.call(.addRegion(.home, durable: .tracker))
    daemon.call(.subscribeVisits(durable: .tracker))
    #expect(daemon.machine.holdings(of: Self.client) == 0)
    daemon.call(.addRegion(.home, durable: nil))
    daemon.call(.removeRegion(id: "home", durable: "tracker"))
    #expect(daemon.machine.holdings(of: Self.client) == 1)
  }

  @Test func `an attachment counts until another client attaches or the name is removed`() {
    var daemon = VirtualDaemon()
    daemon.connect(2, uid: 1001)
    daemon.call(.subscribeVisits(durable: .tracker))
    for _ in 0..<2 { daemon.call(.attachDurable(name: "tracker", sinceEvent: nil)) }
    daemon.call(.acknowledgeDurable(name: "tracker", event: 0))
    #expect(daemon.machine.holdings(of: Self.client) == 1)
    daemon.call(.attachDurable(name: "tracker", sinceEvent: nil), client: 2)
    #expect(daemon.machine.holdings(of: Self.client) == 0 && daemon.machine.holdings(of: ClientID(2)) == 1)
    daemon.call(.removeDurable(name: "tracker"), client: 2)
    #expect(daemon.machine.holdings(of: ClientID(2)) == 0)
  }

  @Test func `the notification that a name is removed counts while it waits for the disk`() {
    var daemon = VirtualDaemon()
    daemon.connect(2, uid: 1001)
    daemon.call(.subscribeVisits(durable: .tracker))
    daemon.call(.attachDurable(name: "tracker", sinceEvent: nil))
    daemon.holdsStore = true
    daemon.call(.removeDurable(name: "tracker"), client: 2)
    #expect(daemon.machine.holdings(of: Self.client) == 1)
    let actions = daemon.commitStore()
    #expect(actions.contains(.notify(Self.client, .durableEnded(name: "tracker", .cancelled))))
    #expect(daemon.machine.holdings(of: Self.client) == 0)
  }

  @Test(arguments: AccessPolicy.Fallback.allCases)
  func `an attachment ends with its permission, a region does not`(fallback: AccessPolicy.Fallback) {
    var daemon = VirtualDaemon()
    daemon.call(.subscribeVisits(durable: .tracker))
    daemon.call(.attachDurable(name: "tracker", sinceEvent: nil))
    daemon.call(.addRegion(.home, durable: nil))
    daemon.change { $0.fallback = fallback }
    let isAlways = fallback == .allow || fallback == .reduced
    #expect(daemon.machine.holdings(of: Self.client) == (isAlways ? 2 : 1))
  }

  @Test func `a client that has left holds nothing`() {
    var daemon = VirtualDaemon()
    daemon.call(.addRegion(.home, durable: nil))
    daemon.call(.subscribe(SubscriptionParameters()))
    daemon.call(.subscribeVisits(durable: .tracker))
    daemon.call(.attachDurable(name: "tracker", sinceEvent: nil))
    #expect(daemon.machine.holdings(of: Self.client) == 3)
    daemon.send(.clientLeft(Self.client))
    #expect(daemon.machine.holdings(of: Self.client) == 0)
  }
}
