import Positioning
import TestSupport
import Testing

@testable import Broker

/// A client of a durable name's user connects with other groups than the one before: the name's registrations are
/// judged by the permission of the new groups.
@Suite struct AdoptionTests {
  private static let count = 300

  private static func region(_ number: Int, radius: Double = 100) -> Region {
    Region(
      id: "r\(number)", shape: .circle(center: Coordinate(latitude: 50, longitude: 8), radius: radius))
  }

  @Test(
    "A region of the old owner that a client replaces is the new one, even while others are being moved",
    arguments: [0, Self.count / 2, Self.count - 1])
  func replaced(number: Int) throws {
    var (some, all) = (AccessRule(name: "some"), AccessRule(name: "all"))
    (some.group, some.grant, some.minInterval) = (.number(200), .always, .seconds(10))
    (all.group, all.grant) = (.number(100), .always)
    var settings = BrokerSettings()
    settings.access.rules = [some, all]
    var daemon = VirtualDaemon(settings: settings)
    for number in 0..<Self.count { daemon.call(.addRegion(Self.region(number), durable: .tracker)) }
    daemon.send(.clientConnected(ClientID(2), Principal(uid: 1001, gid: 200, pid: 2, user: "user1001")))
    let new = Self.region(number, radius: 500)
    #expect(daemon.answer(.addRegion(new, durable: .tracker), client: 2) == .region(.unknown, warning: nil))
    daemon.advance(by: 10)
    let name = try #require(daemon.machine.names[.tracker])
    #expect(name.feed == FixFeedKey(precision: .precise, minInterval: .seconds(10)))
    let regions = daemon.machine.regions(of: name.holder, atMost: Self.count + 1, now: daemon.now).regions
    #expect(regions.count == Self.count)
    #expect(regions.filter { $0.region.id == new.id }.map(\.region) == [new])
    #expect(daemon.machine.differences(from: daemon.store).isEmpty)
  }
}
