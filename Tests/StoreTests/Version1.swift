import Broker
import Geodesy
import Positioning
import TestSupport

@testable import Store

/// Fixtures/version1.sql: the changes that were given to version 1 in that boot, and the resulting state.
enum Version1 {
  /// Since the boot, at the time of reading.
  static let now = at(100_000)
  static let boot = "6f1ed002-ab59-41b7-9c0b-5f6e7d8c9a0b"
  static let epoch: Int64 = 1_700_000_000

  private static let place = Coordinate(latitude: 48.137, longitude: 11.575)

  private static let fix = Fix(
    latitude: 48.137, longitude: 11.575, horizontalAccuracy: 3.5, altitude: 519, ellipsoidalAltitude: 566.25,
    verticalAccuracy: 7, speed: 1.5, speedAccuracy: 0.5, course: 271, courseAccuracy: 10,
    time: Timestamp(seconds: 978_307_200 + 800_000_000.5), arrival: at(5000.125), mode: .threeDimensional,
    status: .dgnss, device: "/dev/ttyACM0", satellitesUsed: 9, isReduced: true)

  private static let leastFix = Fix(
    latitude: -33.5, longitude: -70.25, arrival: at(-20), mode: .twoDimensional, status: .gnss)

  private static let home = StoredRegion(
    region: Region(
      id: "home", shape: .circle(center: Self.place, radius: 150), notify: [.enter, .exit, .dwell],
      dwellTime: .seconds(300), latency: .milliseconds(1500), expiresIn: .seconds(86_400), initial: .ifInside),
    snapshot: RegionSnapshot(state: .inside, since: at(4000.5), hasDwelled: true, expiry: at(90_000)))

  private static let park = StoredRegion(
    region: Region(
      id: "park",
      shape: .polygon([
        Self.place, Coordinate(latitude: 48.2, longitude: 11.5), Coordinate(latitude: 48, longitude: 11),
      ]),
      notify: []), snapshot: RegionSnapshot())

  private static let position = StoredPosition(
    parameters: SubscriptionParameters(
      mode: .significant, accuracy: .meters(25), minInterval: .seconds(2), minDistance: 10, maxInterval: .seconds(60),
      onlyBetterThan: 100, maxUpdates: 50, duration: .seconds(7200), deferredDistance: 1000,
      deferredTimeout: .seconds(600), significantDistance: 250, significantInterval: .seconds(120),
      acquire: Acquisition(
        budget: .seconds(20), desiredAccuracy: 8, acceptableAccuracy: 80), activity: .automotive, autoPause: true,
      replay: .any), lastDelivered: Self.fix, expiry: at(12_000), updates: 4)

  private static let leastPosition = StoredPosition(parameters: SubscriptionParameters(mode: .deferred))

  private static let events = [
    DurableEvent(
      id: 11, at: at(4000.5),
      content: .region(
        RegionEvent(
          id: "home", kind: .enter, state: .inside, fix: Self.fix, isInferred: true, isInitial: false,
          probability: 0.95,
          passage: at(3990)...at(3995), isReduced: false))),
    DurableEvent(
      id: 12, at: at(4100),
      content: .position(
        PositionUpdate(
          fix: Self.fix, fixes: [Self.leastFix, Self.fix], achievedAccuracy: .house, availability: .available,
          reason: .distance, isReplay: true, isRepeat: true, dropped: 2))),
    DurableEvent(
      id: 13, at: at(4200),
      content: .visit(
        Visit(
          id: 3, latitude: 48.137, longitude: 11.575, horizontalAccuracy: 12, arrival: at(3600), departure: at(4200)
        ))),
  ]

  private static let visitMemory = VisitDetector.Snapshot(
    lastVisit: 3, hasMoved: true,
    stay: Stay(
      anchor: MeanPlace(Coordinate(latitude: 0, longitude: 0), weight: 0.25, count: 2),
      centre: MeanPlace(Coordinate(latitude: 0, longitude: 90), weight: 0.5, count: 3), start: at(3600),
      newest: at(4200), isArrivalKnown: true, visit: 3))

  static let cafe = DurableID(uid: 4_294_967_294, name: "caf\u{E9} \"1\"")

  static let changes: [StoreChange] =
    [
      .putName(anna, user: "user1000", wake: "tracker.service"), .putRegion(anna, Self.home),
      .putRegion(anna, Self.park), .putPosition(anna, Self.position), .putVisits(anna),
      .overflow(anna, through: 10, dropped: 3), .putName(Self.cafe, user: "user4294967294", wake: nil),
      .putPosition(Self.cafe, Self.leastPosition), .putVisitMemory(Self.visitMemory),
      .putName(DurableID(uid: 1000, name: "gone"), user: "user1000", wake: nil),
      .overflow(DurableID(uid: 1000, name: "gone"), through: 21, dropped: 0),
      .removeName(DurableID(uid: 1000, name: "gone")),
    ] + Self.events.map { .putEvent(anna, $0) }

  /// Before version 2 there were no permissions, so everything is from precise fixes.
  static var state: StoredState {
    var model = StoreModel()
    model.take(Self.changes)
    model.take([anna, Self.cafe].map { .setFeed($0, .everything) })
    return model.state
  }
}
