import Geodesy
package import Positioning

/// Takes the precision from fixes, the same for everybody who may know the position roughly.
///
/// The place is moved by an offset that only the daemon knows, and what is told is the middle of the cell of a fixed grid
/// in which it then lies. The grid alone would not do: who sees when the device goes from one cell into the next knows
/// that it is on their edge, and a way crosses many edges. With the offset the edge is some hundred metres from the
/// device, and nobody knows where. An offset made anew for each fix would not do either: it averages out. So there is one
/// for all, for as long as the daemon is installed. It drifts, or who found it out once would know it for ever; and slowly,
/// for it is the drift that moves the edges over a device at rest. docs/reduced-precision.md has what both come to.
///
/// For the same reason there is one fix for all, and the next one no sooner than in 10 minutes: neither several clients
/// together nor one that comes a thousand times see more than one that watches, and of the moment at which a moving device
/// crosses an edge nobody learns more than between which two fixes it was. What is kept makes it so across restarts; it is
/// to be kept before the fix is told.
///
/// What is told is a point of the grid as it is, the offset not taken off again: that would tell the offset.
///
/// Nothing else of the fix is told but when it was:
/// - The accuracy is always the same, and so are mode and status: the receiver's would tell open sky from a street, and a
///   place with corrections from others.
/// - Altitude, speed, course, satellites and the receiver's name are left out.
/// - Of the receiver's time whole seconds are left: a fraction is the rhythm of this receiver, by which a rough fix could
///   be found again in a precise track that somebody else has.
/// - The arrival stays: ages are counted from it. That it is late tells that there was no good fix for a while, under a
///   roof or in a tunnel.
package struct LocationFuzzer: Hashable, Sendable {
  /// What must outlive the daemon, so that nobody learns more by having it start again.
  package struct Snapshot: Hashable, Sendable {
    /// How far a place is moved, in metres.
    package var east: Double
    package var north: Double
    /// Up to when the offset has drifted.
    package var drifted: Instant
    /// What was told last; it holds for a while.
    package var shown: Fix?

    package init(east: Double, north: Double, drifted: Instant, shown: Fix? = nil) {
      self.east = east
      self.north = north
      self.drifted = drifted
      self.shown = shown
    }
  }

  /// What every reduced fix has for its accuracy, and the worst accuracy of a fix that becomes one; metres.
  package static let accuracy = 2000.0
  /// The least time between two fixes that are told.
  package static let interval: Duration = .seconds(600)
  /// The offset's standard deviation along each axis: a quarter of a cell, in metres.
  static let sigma = 500.0
  /// How often the offset drifts.
  static let driftInterval: Duration = .seconds(3600)
  /// How much of the offset is new then. It forgets itself in three months.
  static let renewal = 0.03
  /// So many times at once and nothing is left of the offset: 11 years.
  private static let mostDrifts = 100_000

  /// Changes with each fix that is told, and only then.
  package private(set) var snapshot: Snapshot
  private var random: SeededRandom

  /// - Parameter seed: nobody can guess it.
  package init(seed: UInt64, now: Instant) {
    self.random = SeededRandom(seed: seed)
    let (east, north) = (self.random.normal(), self.random.normal())
    self.snapshot = Snapshot(east: Self.sigma * east, north: Self.sigma * north, drifted: now)
  }

  /// - Parameter seed: nobody can guess it, and it is another each time: what drifts from here on comes of it.
  package init(restoring snapshot: Snapshot, seed: UInt64) {
    self.snapshot = snapshot
    self.random = SeededRandom(seed: seed)
  }

  /// What this fix becomes; `nil` while what was told before still holds, and where the fix itself is too vague.
  ///
  /// - Parameter mayDrift: whether another offset could be kept.
  package mutating func fixed(_ fix: Fix, mayDrift: Bool = true, now: Instant) -> Fix? {
    guard let accuracy = fix.horizontalAccuracy, accuracy <= Self.accuracy else { return nil }
    // One that was told before this boot is of unknown age, and holds no longer.
    if let shown = self.snapshot.shown, !shown.arrival.isBeforeBoot, fix.arrival - shown.arrival < Self.interval {
      return nil
    }
    if mayDrift { self.drift(until: now) }
    let shown = self.shown(fix)
    self.snapshot.shown = shown
    return shown
  }

  /// The offset could not be kept: it is again what it was before, and this is what the fix becomes by that.
  package mutating func takenBack(to kept: Snapshot, _ fix: Fix) -> Fix {
    (self.snapshot.east, self.snapshot.north, self.snapshot.drifted) = (kept.east, kept.north, kept.drifted)
    let shown = self.shown(fix)
    self.snapshot.shown = shown
    return shown
  }

  /// Drifts for all the hours that have passed, which is one step: each makes the offset a little shorter and adds a
  /// little of the normal distribution.
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
    return Fix(
      latitude: place.latitude, longitude: place.longitude, horizontalAccuracy: Self.accuracy,
      time: fix.time?.wholeSeconds,
      arrival: fix.arrival, mode: .twoDimensional, status: .gnss, isReduced: true)
  }
}
