import Positioning
import TestSupport
import Testing

@testable import Broker

/// A start of a unit that must wait for the disk or for a rule.
@Suite struct WakeOwedTests {
  private static let unit = "tracker.service"
  private static let waking = DurableRequest(name: "tracker", wake: Self.unit)

  private static func journey(room: Int? = nil) -> Journey {
    var settings = BrokerSettings.open
    settings.access.rules = [.waking(Self.unit, user: "user1001")]
    if let room { settings.maxUnstored = room }
    return Journey.left(Self.waking, settings: settings)
  }

  /// The disk stores nothing any more, and the maximum of changes waits.
  private static func fillDisk(_ journey: inout Journey) {
    journey.daemon.disk.stall()
    journey.daemon.call(.subscribeVisits(durable: DurableRequest(name: "other")), client: 9)
    #expect(!journey.daemon.machine.commits.hasRoom)
  }

  @Test("If a client leaves while the disk is behind, its unit is started when the disk has caught up")
  func behind() {
    var journey = Self.journey(room: 3)
    _ = journey.attach()
    _ = journey.roundTrips(1)
    Self.fillDisk(&journey)
    #expect(journey.daemon.send(.clientDisconnected(ClientID(1))).startedUnits.isEmpty)
    #expect(journey.daemon.recover().startedUnits == [Self.unit])
    #expect(journey.daemon.machine.differences(from: journey.daemon.store).isEmpty)
  }

  @Test("A start that becomes due while the disk is behind is made when the disk has caught up")
  func limitedAndBehind() {
    var journey = Self.journey(room: 3)
    #expect(journey.roundTrips(1).startedUnits == [Self.unit])
    Self.fillDisk(&journey)
    #expect(journey.daemon.advance(by: 400).startedUnits.isEmpty)
    #expect(journey.daemon.recover().startedUnits == [Self.unit])
  }

  @Test("A start that the disk has held up counts from when it happened, also after a restart")
  func heldUp() {
    var journey = Self.journey()
    journey.daemon.holdsStore = true
    #expect(journey.roundTrips(1).startedUnits.isEmpty)
    let decided = journey.daemon.now
    #expect(journey.daemon.advance(by: 200).startedUnits.isEmpty)
    journey.daemon.holdsStore = false
    #expect(journey.daemon.recover().startedUnits == [Self.unit])
    let target = WakeTarget(uid: 1001, unit: Self.unit)
    let start = journey.daemon.now
    #expect(start - decided >= .seconds(200))
    #expect(journey.daemon.store.state.wakeStarts == [target: start])
    #expect(journey.daemon.machine.names.nextStart(of: target) == start + .seconds(300))
  }

  /// Events between an event of a name and the storing of the start for it.
  enum Change: CaseIterable {
    case removed, unlisted, otherUnit, acknowledged, userUnknown
  }

  @Test("A start that is not allowed any more when it is stored is not made", arguments: Change.allCases)
  func overtaken(change: Change) {
    var journey = Self.journey()
    journey.daemon.holdsStore = true
    #expect(journey.roundTrips(1).startedUnits.isEmpty)
    switch change {
    case .removed:
      journey.daemon.connect(1)
      journey.daemon.call(.removeDurable(name: "tracker"))
    case .unlisted: journey.daemon.change { $0.rules = [.waking("other.service", user: "user1001")] }
    case .otherUnit:
      journey.daemon.change { $0.rules[0].wake.append("other.service") }
      journey.daemon.connect(1)
      journey.daemon.call(.subscribeVisits(durable: DurableRequest(name: "tracker", wake: "other.service")))
    case .acknowledged:
      journey.daemon.connect(1)
      journey.daemon.call(.acknowledgeDurable(name: "tracker", event: 2))
    case .userUnknown: journey.daemon.send(.ownersLearned([1001: .nobody]))
    }
    journey.daemon.holdsStore = false
    let started = journey.daemon.recover().startedUnits
    #expect(started == (change == .otherUnit ? ["other.service"] : []))
  }

  @Test("A unit that a rule lists again is started for waiting events, as soon as its last start allows")
  func listedAgain() {
    var journey = Self.journey()
    journey.daemon.change { $0.rules[0].wake = [] }
    #expect(journey.roundTrips(1).startedUnits.isEmpty)
    #expect(journey.daemon.change { $0.rules[0].wake = [Self.unit] }.startedUnits == [Self.unit])
    // The second time the start is too early.
    journey.daemon.change { $0.rules[0].wake = [] }
    #expect(journey.roundTrips(1).startedUnits.isEmpty)
    #expect(journey.daemon.change { $0.rules[0].wake = [Self.unit] }.startedUnits.isEmpty)
    #expect(journey.daemon.advance(by: 300).startedUnits == [Self.unit])
    // There is no new event since.
    journey.daemon.change { $0.rules[0].wake = [] }
    journey.daemon.advance(by: 300)
    #expect(journey.daemon.change { $0.rules[0].wake = [Self.unit] }.startedUnits.isEmpty)
  }

  @Test("A start that a withdrawal prevented is made when the unit is listed again")
  func overtakenAndListedAgain() {
    var journey = Self.journey()
    journey.daemon.holdsStore = true
    _ = journey.roundTrips(1)
    journey.daemon.change { $0.rules[0].wake = [] }
    journey.daemon.holdsStore = false
    #expect(journey.daemon.recover().startedUnits.isEmpty)
    journey.daemon.change { $0.rules[0].wake = [Self.unit] }
    #expect(journey.daemon.advance(by: 300).startedUnits == [Self.unit])
  }

  @Test("A withdrawal of an attached client's events counts as no start")
  func withdrawn() {
    var journey = Self.journey()
    _ = journey.attach()
    _ = journey.roundTrips(1)
    #expect(journey.daemon.change { $0.isEnabled = false }.startedUnits.isEmpty)
    #expect(journey.daemon.store.state.wakeStarts.isEmpty)
  }

  @Test("A unit that is set for a name with waiting events is started")
  func namedLater() {
    var journey = Self.journey()
    journey.daemon.connect(1)
    journey.daemon.call(.removeDurable(name: "tracker"))
    journey.daemon.call(.addRegion(.home, durable: .tracker))
    journey.go(seconds: 30, speed: 0)
    #expect(journey.roundTrips(1).startedUnits.isEmpty)
    #expect(journey.daemon.call(.subscribeVisits(durable: Self.waking)).actions.startedUnits == [Self.unit])
  }
}
