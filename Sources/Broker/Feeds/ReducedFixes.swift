import Positioning

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
