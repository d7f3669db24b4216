import Positioning
import TestSupport
import Testing

@testable import Broker

/// Regions of clients: their owners, their needs, their ends.
@Suite struct WatchedRegionTests {
  /// 2 km north of the start, 100 m around it.
  private static let school = Region(
    id: "school",
    shape: .circle(
      center: Coordinate(latitude: 50 + 2000 / Journey.metersPerDegree, longitude: 8), radius: 100))

  @Test("A client is notified once when the device enters and once when it leaves")
  func enterAndExit() {
    var journey = Journey()
    #expect(journey.daemon.answer(.addRegion(Self.school)) == .region(.unknown, warning: nil))
    let actions = journey.go(seconds: 400, speed: 10)
    let events = actions.regionEvents
    #expect(events.map(\.kind) == [.enter, .exit])
    #expect(events.map(\.state) == [.inside, .outside])
    #expect(events.allSatisfy { $0.id == "school" })
    #expect(actions.allSatisfy { if case .notify(let client, _) = $0 { client == ClientID(1) } else { true } })
  }

  @Test("A region alone lets the receiver sleep while it is far away, and its events are in time")
  func sleep() {
    var journey = Journey()
    var region = Self.school
    region.shape = .circle(
      center: Coordinate(latitude: 50 + 200_000 / Journey.metersPerDegree, longitude: 8), radius: 500)
    journey.daemon.call(.addRegion(region))
    var on = 0
    for _ in 0..<7200 {
      journey.go(seconds: 1, speed: 0)
      if journey.daemon.isReceiverOn { on += 1 }
    }
    #expect(on < 1200)
    // At the speed limit, to the middle of the region: never late.
    var entered = false
    for _ in 0..<2857 where journey.go(seconds: 1, speed: 70).regionEvents.contains(where: { $0.kind == .enter }) {
      entered = true
    }
    #expect(entered)
  }

  @Test("A region ends with its client")
  func disconnected() {
    var journey = Journey()
    journey.daemon.call(.addRegion(Self.school))
    #expect(journey.daemon.isReceiverOn)
    journey.daemon.send(.clientDisconnected(ClientID(1)))
    #expect(journey.go(seconds: 400, speed: 10).regionEvents.isEmpty)
    #expect(!journey.daemon.isReceiverOn)
    #expect(journey.daemon.deadline == nil)
  }

  @Test("Nobody sees or changes another client's region, not even of the same user")
  func others() {
    var daemon = VirtualDaemon()
    daemon.connect(2, uid: 1001)
    daemon.call(.addRegion(Self.school))
    #expect(daemon.answer(.listRegions(), client: 2) == .regions([]))
    #expect(daemon.answer(.regionState(id: "school"), client: 2) == .failed(.noRegion(id: "school")))
    #expect(daemon.answer(.removeRegion(id: "school"), client: 2) == .failed(.noRegion(id: "school")))
    #expect(daemon.answer(.removeRegion(id: "school")) == .region(.unknown, warning: nil))
    #expect(daemon.answer(.removeRegion(id: "school")) == .failed(.noRegion(id: "school")))
  }

  @Test("A user's clients together have a limit of regions, and one that ends makes room")
  func limit() {
    var settings = BrokerSettings.open
    settings.maxRegionsPerUser = 3
    var daemon = VirtualDaemon(settings: settings)
    daemon.connect(2, uid: 1001)
    var region = Self.school
    for (id, client) in [("a", 1), ("b", 2), ("c", 2)] as [(String, UInt64)] {
      region.id = id
      #expect(daemon.answer(.addRegion(region), client: client) == .region(.unknown, warning: nil))
    }
    region.id = "d"
    let refused = Answer.failed(.limitExceeded(name: "max-regions-per-user", value: 3))
    #expect(daemon.answer(.addRegion(region)) == refused)
    region.id = "a"
    #expect(daemon.answer(.addRegion(region)) == .region(.unknown, warning: nil))
    daemon.send(.clientDisconnected(ClientID(2)))
    for id in ["e", "f"] {
      region.id = id
      #expect(daemon.answer(.addRegion(region)) == .region(.unknown, warning: nil))
    }
    region.id = "g"
    #expect(daemon.answer(.addRegion(region)) == refused)
  }

  @Test(
    "A receiver that reports no error leads to no invalid probability",
    arguments: [Double.leastNonzeroMagnitude, 1e-307, 0.002])
  func absurdAccuracy(meters: Double) {
    var daemon = VirtualDaemon()
    var region = Self.school
    region.shape = .circle(center: Coordinate(latitude: 50, longitude: 8), radius: 100)
    region.initial = .always
    daemon.call(.addRegion(region))
    // Less than a millimetre is no accuracy, and decides nothing.
    let events = daemon.fix(accuracy: meters).regionEvents
    #expect(events.count == (meters < 0.001 ? 0 : 1))
    #expect(events.allSatisfy { $0.kind == .enter && (0.999...1).contains($0.probability ?? -1) })
  }

  @Test("A list is sent in pages of limited size, with the number of remaining regions")
  func pages() throws {
    var daemon = VirtualDaemon()
    var region = Self.school
    let ids = (0..<600).map { "region \($0)" }
    for id in ids {
      region.id = id
      daemon.call(.addRegion(region))
    }
    var listed: [String] = []
    while true {
      guard case .regions(let page)? = daemon.answer(.listRegions(after: listed.last)) else {
        Issue.record("no list")
        return
      }
      #expect(page.regions.count <= BrokerMachine.listedRegions)
      listed += page.regions.map(\.region.id)
      #expect(page.omitted == ids.count - listed.count)
      if page.omitted == 0 { break }
    }
    #expect(listed == ids)
    #expect(daemon.answer(.listRegions(after: "away")) == .failed(.noRegion(id: "away")))
  }

  @Test("A region that expires is reported, and makes room")
  func expiry() {
    var settings = BrokerSettings.open
    settings.maxRegionsPerUser = 1
    var journey = Journey(VirtualDaemon(settings: settings))
    var region = Self.school
    region.expiresIn = .seconds(60)
    journey.daemon.call(.addRegion(region))
    #expect(journey.go(seconds: 61, speed: 0).regionEvents.map(\.kind) == [.expired])
    #expect(journey.daemon.answer(.addRegion(Self.school)) == .region(.outside, warning: nil))
  }

  @Test("The status shows the regions and visits that keep the receiver on")
  func blame() {
    var journey = Journey()
    journey.daemon.call(.addRegion(Self.school))
    journey.daemon.call(.subscribeVisits())
    journey.daemon.call(.subscribeVisits(durable: DurableRequest(name: "diary")))
    #expect(Set(journey.daemon.status.demand?.clients.map(\.what) ?? []) == ["region.add", "visit.subscribe"])
    #expect(
      journey.daemon.status.demand?.clients.contains { $0.principal.name == "diary" && $0.principal.pid == nil } == true
    )
  }

  @Test("Visits are delivered to every subscriber, and end with the last of them")
  func visits() {
    var journey = Journey()
    journey.daemon.call(.subscribeVisits())
    journey.daemon.connect(2)
    journey.daemon.call(.subscribeVisits(), client: 2)
    journey.go(seconds: 200, speed: 10)
    let arrivals = journey.go(seconds: 900, speed: 0).visits
    #expect(arrivals.count == 2)
    #expect(arrivals.allSatisfy { $0.departure == nil && $0.arrival != nil })
    let departures = journey.go(seconds: 900, speed: 10).visits
    #expect(departures.count == 2)
    #expect(Set((arrivals + departures).map(\.id)).count == 1)
    journey.daemon.call(.cancelSubscription(number: 1))
    journey.daemon.send(.clientDisconnected(ClientID(2)))
    journey.go(seconds: 100, speed: 0)
    #expect(!journey.daemon.isReceiverOn)
    #expect(journey.daemon.deadline == nil)
  }
}
