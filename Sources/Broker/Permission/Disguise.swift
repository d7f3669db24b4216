package import Positioning

/// Takes the precision from fixes, the same for everybody who may know the position roughly.
package struct Disguise: Hashable, Sendable {
  /// What must outlive the daemon, so that nobody learns more by having it start again.
  package struct Snapshot: Hashable, Sendable {
    /// How far the grid is moved, in metres.
    package var east: Double
    package var north: Double
    /// Up to when the move has drifted.
    package var drifted: Instant
    /// What was told last; it holds for a while.
    package var told: Fix?

    package init(east: Double, north: Double, drifted: Instant, told: Fix? = nil) {
      self.east = east
      self.north = north
      self.drifted = drifted
      self.told = told
    }
  }

  /// What was told holds for so long.
  /// Metres: the accuracy that is told, and the least that a fix must have.
  static let accuracy: Double = 2000
  static let interval: Duration = .seconds(600)

  package private(set) var snapshot: Snapshot

  /// - Parameter seed: nobody can guess it.
  package init(seed: UInt64, now: Instant) { self.snapshot = Snapshot(east: 0, north: 0, drifted: now) }

  package init(restoring snapshot: Snapshot, seed: UInt64) { self.snapshot = snapshot }

  /// What this fix becomes; `nil` while what was told before still holds.
  package mutating func fixed(_ fix: Fix, now: Instant) -> Fix? { nil }
}
