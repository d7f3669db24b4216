import Positioning

/// Makes reduced fixes for those who may know the position roughly, and has the newest that was kept.
struct ReducedFixes: Sendable {
  private var fuzzer: LocationFuzzer
  /// The newest that is kept.
  private(set) var newest: Fix?

  /// - Parameter seed: what nobody can guess.
  init(restoring stored: LocationFuzzer.Snapshot?, seed: UInt64, now: Instant) {
    self.fuzzer = stored.map { LocationFuzzer(restoring: $0, seed: seed) } ?? LocationFuzzer(seed: seed, now: now)
    // That of an earlier boot may be of any age: it is not told as if it were the newest.
    self.newest = stored?.shown.flatMap { $0.arrival.isBeforeBoot ? nil : $0 }
  }

  /// What must outlive the daemon.
  var snapshot: LocationFuzzer.Snapshot { self.fuzzer.snapshot }

  /// What the fix becomes, if it is time for one; it is to be kept before it is shown.
  ///
  /// - Parameter mayDrift: whether another offset could be kept.
  mutating func fixed(_ fix: Fix, mayDrift: Bool, now: Instant) -> Fix? {
    self.fuzzer.fixed(fix, mayDrift: mayDrift, now: now)
  }

  /// What was made of a fix is kept, or is shown without where nothing can be kept: then by the offset that was kept last.
  ///
  /// - Returns: what is shown, and what is to be kept instead.
  mutating func confirmed(
    _ reduced: Fix, of fix: Fix, kept: LocationFuzzer.Snapshot, isKept: Bool
  ) -> (shown: Fix, correction: StoreChange?) {
    var (shown, correction): (Fix, StoreChange?) = (reduced, nil)
    if !isKept, self.snapshot.drifted != kept.drifted {
      shown = self.fuzzer.takenBack(to: kept, fix)
      correction = .putFuzzer(self.snapshot)
    }
    self.newest = shown
    return (shown, correction)
  }
}
