import Positioning

/// Decides when the memory of visits is stored, so that a daemon that crashes has it again.
///
/// It is not stored with every fix, because each time is a write to the disk. A crash loses up to a minute of a stay
/// that builds, which delays the arrival by no more than that, and up to five minutes of a visit, which makes its
/// departure less certain.
struct VisitKeeper: Hashable, Sendable {
  static let whileBuilding: Duration = .seconds(60)
  static let otherwise: Duration = .seconds(300)

  private var kept: VisitDetector.Snapshot
  /// `nil` if it was before the daemon started: then the first change is stored at once.
  private var keptAt: Instant?

  /// - Parameter kept: The stored memory; an empty one need not be stored.
  init(kept: VisitDetector.Snapshot = VisitDetector.Snapshot()) { self.kept = kept }

  /// The memory to store now; `nil` if the stored one is good enough.
  ///
  /// - Parameter isPressing: Whether a visit was reported, or the daemon ends.
  mutating func snapshotToKeep(
    of snapshot: VisitDetector.Snapshot, isPressing: Bool, now: Instant
  ) -> VisitDetector.Snapshot? {
    guard snapshot != self.kept else { return nil }
    if !isPressing, let keptAt, now - keptAt < Self.interval(snapshot) { return nil }
    self.kept = snapshot
    self.keptAt = now
    return snapshot
  }

  /// There is little to store of a device that passes through.
  private static func interval(_ snapshot: VisitDetector.Snapshot) -> Duration {
    guard let stay = snapshot.stay, stay.visit == nil, stay.duration >= Self.whileBuilding else {
      return Self.otherwise
    }
    return Self.whileBuilding
  }
}
