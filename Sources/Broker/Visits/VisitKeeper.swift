import Positioning

/// Says when what the detector of visits has learned is to be kept, so that a daemon that is killed knows it again.
///
/// Not with every fix: each time is a write to the disk. What is lost of a stay is a minute while it builds, which delays
/// no arrival by more, and five minutes of a visit, by which its departure is less certain.
struct VisitKeeper: Hashable, Sendable {
  static let whileBuilding: Duration = .seconds(60)
  static let otherwise: Duration = .seconds(300)

  private var kept: VisitDetector.Snapshot?
  /// `nil` where that was before the daemon started: then the first change is kept at once.
  private var keptAt: Instant?

  /// - Parameter kept: What is kept already.
  init(kept: VisitDetector.Snapshot? = nil) { self.kept = kept }

  /// What is to be kept now; `nil` where what was kept still serves.
  ///
  /// - Parameter isPressing: Something was told, or the daemon ends.
  mutating func snapshotToKeep(
    of snapshot: VisitDetector.Snapshot, isPressing: Bool, now: Instant
  ) -> VisitDetector.Snapshot? {
    guard snapshot != self.kept else { return nil }
    if !isPressing, let keptAt, now - keptAt < Self.interval(snapshot) { return nil }
    self.kept = snapshot
    self.keptAt = now
    return snapshot
  }

  /// Of a device that only passes there is little to keep.
  private static func interval(_ snapshot: VisitDetector.Snapshot) -> Duration {
    guard let stay = snapshot.stay, stay.visit == nil, stay.duration >= Self.whileBuilding else {
      return Self.otherwise
    }
    return Self.whileBuilding
  }
}
