import Broker
import FoundationEssentials
import Positioning

@testable import Store

/// A database as version 1 made it, what was given to it, and what comes out. It is not changed any more.
enum Version1 {
  static let tables = """
    -- The boots that moments count from; epoch: what the wall clock showed at the boot, ns since 1970.
    CREATE TABLE clocks (
      key INTEGER PRIMARY KEY,
      boot TEXT NOT NULL,
      epoch INTEGER NOT NULL,
      UNIQUE (boot, epoch)
    ) STRICT;

    CREATE TABLE names (
      key INTEGER PRIMARY KEY,
      uid INTEGER NOT NULL,
      name TEXT NOT NULL,
      user TEXT,
      wake TEXT,
      has_visits INTEGER NOT NULL DEFAULT 0,
      last_event INTEGER NOT NULL DEFAULT 0,
      dropped INTEGER NOT NULL DEFAULT 0,
      UNIQUE (uid, name)
    ) STRICT;

    -- The highest number of an event of any name of a user that was removed.
    CREATE TABLE removed (
      uid INTEGER PRIMARY KEY,
      last_event INTEGER NOT NULL
    ) STRICT;

    -- Keys rise in the order in which regions were added.
    CREATE TABLE regions (
      key INTEGER PRIMARY KEY,
      name INTEGER NOT NULL REFERENCES names ON DELETE CASCADE,
      id TEXT NOT NULL,
      body TEXT NOT NULL,
      clock INTEGER NOT NULL REFERENCES clocks,
      standing TEXT NOT NULL,
      standing_clock INTEGER NOT NULL REFERENCES clocks,
      UNIQUE (name, id)
    ) STRICT;

    CREATE TABLE positions (
      name INTEGER PRIMARY KEY REFERENCES names ON DELETE CASCADE,
      body TEXT NOT NULL,
      clock INTEGER NOT NULL REFERENCES clocks
    ) STRICT;

    CREATE TABLE events (
      name INTEGER NOT NULL REFERENCES names ON DELETE CASCADE,
      id INTEGER NOT NULL,
      body TEXT NOT NULL,
      clock INTEGER NOT NULL REFERENCES clocks,
      PRIMARY KEY (name, id)
    ) STRICT;

    CREATE TABLE visit_memory (
      key INTEGER PRIMARY KEY CHECK (key = 0),
      body TEXT NOT NULL,
      clock INTEGER NOT NULL REFERENCES clocks
    ) STRICT;

    -- What this version could not read, for whoever wants to look.
    CREATE TABLE unreadable (
      key INTEGER PRIMARY KEY,
      kind TEXT NOT NULL,
      uid INTEGER,
      name TEXT,
      id TEXT,
      body TEXT NOT NULL,
      reason TEXT NOT NULL
    ) STRICT;

    """

  static let rows = """
    @@ROWS@@

    """

  private static let place = Coordinate(latitude: 48.137, longitude: 11.575)

  private static let fix = Fix(
    latitude: 48.137, longitude: 11.575, horizontalAccuracy: 3.5, altitude: 519, ellipsoidalAltitude: 566.25,
    verticalAccuracy: 7, speed: 1.5, speedAccuracy: 0.5, course: 271, courseAccuracy: 10,
    time: Date(timeIntervalSinceReferenceDate: 800_000_000.5), arrival: at(5000.125), mode: .threeDimensional,
    status: .dgnss, device: "/dev/ttyACM0", satellitesUsed: 9, isReduced: true)

  private static let leastFix = Fix(
    latitude: -33.5, longitude: -70.25, arrival: at(-20), mode: .twoDimensional, status: .gnss)

  private static let home = StoredRegion(
    region: Region(
      id: "home", shape: .circle(center: Self.place, radius: 150), notify: [.enter, .exit, .dwell],
      dwellTime: .seconds(300), latency: .milliseconds(1500), expiresIn: .seconds(86_400), initial: .ifInside),
    state: .inside, since: at(4000.5), expiry: at(90_000))

  private static let park = StoredRegion(
    region: Region(
      id: "park",
      shape: .polygon([Self.place, Coordinate(latitude: 48.2, longitude: 11.5), Coordinate(latitude: 48, longitude: 11)]),
      notify: []), state: .unknown)

  private static let position = StoredPosition(
    parameters: SubscriptionParameters(
      mode: .significant, accuracy: .meters(25), minInterval: .seconds(2), minDistance: 10, maxInterval: .seconds(60),
      onlyBetterThan: 100, maxUpdates: 50, duration: .seconds(7200), deferredDistance: 1000,
      deferredTimeout: .seconds(600), significantDistance: 250, significantInterval: .seconds(120),
      acquire: SubscriptionParameters.Acquisition(
        budget: .seconds(20), desiredAccuracy: 8, acceptableAccuracy: 80), activity: .automotive, autoPause: true,
      replay: .any), lastDelivered: Self.fix, expiry: at(12_000), updates: 4)

  private static let leastPosition = StoredPosition(parameters: SubscriptionParameters(mode: .deferred))

  private static let events = [
    DurableEvent(
      id: 11, at: at(4000.5),
      content: .region(
        RegionEvent(
          region: "home", holder: ClientID(0), kind: .enter, state: .inside, fix: Self.fix, isInferred: true,
          probability: 0.95))),
    DurableEvent(
      id: 12, at: at(4100),
      content: .position(
        PositionUpdate(
          subscription: SubscriptionID(client: ClientID(0), number: 0), state: .delivering, availability: .available,
          fix: Self.fix, fixes: [Self.leastFix, Self.fix], dropped: 2, achievedAccuracy: .house, reason: .distance,
          isReplay: true, isRepeat: true))),
    DurableEvent(
      id: 13, at: at(4200),
      content: .visit(
        Visit(
          id: "3", latitude: 48.137, longitude: 11.575, horizontalAccuracy: 12, arrival: at(3600), departure: at(4200)
        ))),
  ]

  private static let cafe = DurableID(uid: 4_294_967_294, name: "caf\u{E9} \"1\"")

  static let changes: [StoreChange] =
    [
      .putName(anna, user: "user1000", wake: "tracker.service"), .putRegion(anna, Self.home),
      .putRegion(anna, Self.park), .putPosition(anna, Self.position), .putVisits(anna),
      .overflow(anna, through: 10, dropped: 3), .putName(Self.cafe, user: "user4294967294", wake: nil),
      .putPosition(Self.cafe, Self.leastPosition), .putVisitMemory(VisitDetector.Memory()),
      .putName(DurableID(uid: 1000, name: "gone"), user: "user1000", wake: nil),
      .overflow(DurableID(uid: 1000, name: "gone"), through: 21, dropped: 0),
      .removeName(DurableID(uid: 1000, name: "gone")),
    ] + Self.events.map { .putEvent(anna, $0) }

  /// On the clock of the boot after: it was booted 8000 s later.
  static var state: StoredState {
    var state = StoreModel()
    Self.changes.forEach { state.apply($0) }
    return state.state
  }
}
