package import Positioning

/// What happened with one region.
package struct RegionFinding<Holder: Hashable & Sendable>: Hashable, Sendable {
  package var holder: Holder
  package var region: Region
  package var kind: RegionEventKind
  /// The region's state after it.
  package var state: RegionState
  /// The fix that decided it. `nil`: time alone did (`dwell`, `expired`).
  package var fix: Fix?
  /// Whether no fix lay inside, and only the way between two fixes tells it.
  package var isInferred = false
  /// That the device is inside, 0...1; where a fix decided.
  package var probability: Double?
  /// When the device was inside, reckoned from the two fixes; of `crossed` only.
  package var passage: ClosedRange<Instant>?
  /// When it was decided: the arrival of the fix, else the deadline.
  package var at: Instant
}
