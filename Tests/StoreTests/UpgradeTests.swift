import Broker
import EventLoop
import Positioning
import TestSupport
import Testing

@testable import Store

/// The databases of earlier releases: each is kept as the released daemon left it.
@Suite struct UpgradeTests {
  @Test("The database of 0.1.0 is read with all that its users registered and decided")
  func release010() throws {
    let fixture = try StoreFixture(boot: "another boot", epoch: 1_795_500_000)
    try fixture.file.prepare()
    let script = try readBytes("\(PackageRoot.path)/Tests/StoreTests/Fixtures/0.1.0.sql")
    try Database(path: fixture.path).script(String(decoding: script, as: UTF8.self))

    let state = try fixture.open().state
    #expect(fixture.messages.isEmpty, "\(fixture.messages)")

    let tracker = try #require(state.names.first { $0.id == DurableID(uid: 0, name: "tracker") })
    #expect(tracker.user == "root" && tracker.wake == "weather.service" && !tracker.hasVisits)
    #expect(tracker.regions.map(\.region.id) == ["home", "field"])
    #expect(
      tracker.regions[0].region.shape == .circle(center: Coordinate(latitude: 48.137, longitude: 11.575), radius: 150))
    let corners = [(50.5, 8.25), (50.5, 8.5), (50.25, 8.5)].map { Coordinate(latitude: $0.0, longitude: $0.1) }
    #expect(tracker.regions[1].region.shape == .polygon(corners))
    #expect(tracker.regions[1].region.dwellTime == .seconds(300))
    #expect(tracker.position?.parameters.mode == .significant)
    let visits = try #require(state.names.first { $0.id == DurableID(uid: 0, name: "visits") })
    #expect(visits.hasVisits && visits.regions.isEmpty)

    #expect(!state.isEnabled && state.unread == nil)
    #expect(Set(state.decisions.keys) == [1, 65_534])
    #expect(state.decisions[65_534]?.precision == .reduced)
    #expect(state.fuzzer != nil)
  }
}
