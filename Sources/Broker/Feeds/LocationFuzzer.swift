import Geodesy
package import Positioning

/// Makes reduced fixes, the same for all clients with reduced precision.
///
/// The place is moved by an offset that only the daemon knows. The published place is the middle of the cell of a fixed
/// grid that contains the moved place. The grid alone would reveal too much: a device that changes from one cell to the
/// next is at their border, and a path crosses many borders. With the offset the border is some hundred metres from the
/// device, in an unknown direction. A new offset for each fix would not help either, because it averages out. So there
/// is one offset for all, which drifts: otherwise, whoever found it out once would know it for ever. It drifts slowly,
/// because the drift moves the borders over a resting device. docs/reduced-precision.md has the figures for both.
///
/// For the same reason there is one reduced fix for all clients, and at most one in 10 minutes: several clients
/// together, or one that connects a thousand times, see no more than one that watches. When a moving device crosses a
/// border, clients learn only between which two fixes that was. Storing it extends this across restarts, so it is
/// stored before the fix is published.
///
/// The published place is a point of the grid, without the offset removed again, which would reveal the offset.
///
/// Of the rest of the fix only its time is published:
/// - The accuracy, mode and status are constant: the receiver's would distinguish open sky from a street, and places
///   with corrections from others.
/// - Altitude, speed, course, satellites and the receiver's name are omitted.
/// - The receiver's time is cut to whole seconds: its fraction is typical of this receiver, and would identify a
///   reduced fix in a precise track.
/// - The arrival is unchanged, because ages count from it. A late one reveals only that there was no good fix for a
///   while, such as in a tunnel.
package struct LocationFuzzer: Hashable, Sendable {
  /// The state that outlives the daemon, so that a restart reveals nothing.
  package struct Snapshot: Hashable, Sendable {
    /// How far a place is moved, in metres.
    package var east: Double
    package var north: Double
    /// Until when the offset has drifted.
    package var drifted: Instant
    /// The last published fix; it is valid for a while.
    package var shown: Fix?

    package init(east: Double, north: Double, drifted: Instant, shown: Fix? = nil) {
      self.east = east
      self.north = north
      self.drifted = drifted
      self.shown = shown
    }
  }

  /// The accuracy of every reduced fix, and the worst accuracy of a fix from which one is made; metres.
  package static let accuracy = 2000.0
  /// The least time between two published fixes.
  package static let interval: Duration = .seconds(600)
  /// The offset's standard deviation along each axis, a quarter of a cell; metres.
  static let sigma = 500.0
  /// How often the offset drifts.
  static let driftInterval: Duration = .seconds(3600)
  /// How much of the offset is new each time. The offset is independent of its past after three months.
  static let renewal = 0.03
  /// After so many steps nothing is left of the old offset: 11 years.
  private static let mostDrifts = 100_000

  /// Changes only with each published fix.
  package private(set) var snapshot: Snapshot
  private var random: SeededRandom

  /// - Parameter seed: An unpredictable number.
  package init(seed: UInt64, now: Instant) {
    self.random = SeededRandom(seed: seed)
    let (east, north) = (self.random.normal(), self.random.normal())
    self.snapshot = Snapshot(east: Self.sigma * east, north: Self.sigma * north, drifted: now)
  }

  /// - Parameter seed: An unpredictable number, another each time, from which the further drift follows.
  package init(restoring snapshot: Snapshot, seed: UInt64) {
    self.snapshot = snapshot
    self.random = SeededRandom(seed: seed)
  }

  /// Whether a reduced fix can be made of it: its error is known and no larger than that of the reduced one.
  static func canReduce(_ fix: Fix) -> Bool {
    fix.castsVotes && fix.horizontalAccuracy.map { $0 <= self.accuracy } ?? false
  }

  /// The reduced fix; `nil` while the last one is still valid, and if the fix itself is too inaccurate.
  ///
  /// - Parameter mayDrift: Whether a new offset could be stored.
  package mutating func fixed(_ fix: Fix, mayDrift: Bool = true, now: Instant) -> Fix? {
    guard Self.canReduce(fix) else { return nil }
    // The age of a fix from before this boot is unknown, so it is not valid any more.
    if let shown = self.snapshot.shown, !shown.arrival.isBeforeBoot, Self.follows(fix, shown) { return nil }
    if mayDrift { self.drift(until: now) }
    let shown = self.shown(fix)
    self.snapshot.shown = shown
    return shown
  }

  /// Whether a fix comes too soon after another one: by their arrivals, or by when the device was there. A link or a sleep
  /// holds a fix back, and its time is published, so arrivals alone would show two points of the same 10 minutes.
  private static func follows(_ fix: Fix, _ shown: Fix) -> Bool {
    min(fix.arrival - shown.arrival, fix.ageBegin - shown.ageBegin) < self.interval
  }

  /// The offset could not be stored: the earlier one is used again. Returns the fix with that.
  package mutating func rollBack(to kept: Snapshot, _ fix: Fix) -> Fix {
    (self.snapshot.east, self.snapshot.north, self.snapshot.drifted) = (kept.east, kept.north, kept.drifted)
    let shown = self.shown(fix)
    self.snapshot.shown = shown
    return shown
  }

  /// Drifts for all the hours that have passed, in one step, which shortens the offset a little and adds a little of
  /// the normal distribution.
  private mutating func drift(until now: Instant) {
    let passed = (now - self.snapshot.drifted) / Self.driftInterval
    guard passed >= 1 else { return }
    let hours = Int(min(passed, Double(Self.mostDrifts)))
    // The share of the variance that is still the old offset's.
    var kept = 1.0
    for _ in 0..<hours { kept *= 1 - Self.renewal * Self.renewal }
    let (old, new) = (kept.squareRoot(), (1 - kept).squareRoot() * Self.sigma)
    self.snapshot.east = old * self.snapshot.east + new * self.random.normal()
    self.snapshot.north = old * self.snapshot.north + new * self.random.normal()
    self.snapshot.drifted = hours < Self.mostDrifts ? self.snapshot.drifted + Self.driftInterval * hours : now
  }

  private func shown(_ fix: Fix) -> Fix {
    let moved = Geodesy.moved(fix.coordinate, east: self.snapshot.east, north: self.snapshot.north)
    let place = GridCell(holding: moved).middle
    var shown = Fix(
      latitude: place.latitude, longitude: place.longitude, horizontalAccuracy: Self.accuracy,
      time: fix.time?.wholeSeconds,
      arrival: fix.arrival, mode: .twoDimensional, status: .gnss, isReduced: true)
    // The age of a position is the same for everybody.
    shown.lag = fix.lag
    return shown
  }
}

/// Makes the reduced fixes, and knows the newest stored one.
struct ReducedFixes: Sendable {
  private var fuzzer: LocationFuzzer
  private let seed: UInt64
  /// The newest stored one.
  private(set) var newest: Fix?

  /// - Parameter seed: An unpredictable number.
  init(restoring stored: LocationFuzzer.Snapshot?, seed: UInt64, now: Instant) {
    self.seed = seed
    self.fuzzer = stored.map { LocationFuzzer(restoring: $0, seed: seed) } ?? LocationFuzzer(seed: seed, now: now)
    // A fix of an earlier boot may have any age, so it is not published as the newest.
    self.newest = stored?.shown.flatMap { $0.arrival.isBeforeBoot ? nil : $0 }
  }

  mutating func restore(_ stored: LocationFuzzer.Snapshot, now: Instant) {
    let newest = self.newest
    self = ReducedFixes(restoring: stored, seed: self.seed, now: now)
    self.newest = newest ?? self.newest
  }

  /// The state that outlives the daemon.
  var snapshot: LocationFuzzer.Snapshot { self.fuzzer.snapshot }

  /// The reduced fix, if it is time for one; it is stored before it is published.
  ///
  /// - Parameter mayDrift: Whether a new offset could be stored.
  mutating func fixed(_ fix: Fix, mayDrift: Bool, now: Instant) -> Fix? {
    self.fuzzer.fixed(fix, mayDrift: mayDrift, now: now)
  }

  /// A reduced fix is stored; or it is published without being stored, then with the last stored offset.
  ///
  /// - Returns: The fix to publish, and what to store instead.
  mutating func confirmed(
    _ reduced: Fix, of fix: Fix, kept: LocationFuzzer.Snapshot, isKept: Bool
  ) -> (shown: Fix, correction: StoreChange?) {
    var (shown, correction): (Fix, StoreChange?) = (reduced, nil)
    if !isKept, self.snapshot.drifted != kept.drifted {
      shown = self.fuzzer.rollBack(to: kept, fix)
      correction = .putFuzzer(self.snapshot)
    }
    self.newest = shown
    return (shown, correction)
  }
}
