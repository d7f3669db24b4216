package import Positioning

/// An event of one region.
package struct RegionFinding<Holder: Hashable & Sendable>: Hashable, Sendable {
  package var holder: Holder
  package var region: Region
  package var event: RegionEvent
  /// When it was decided: the arrival of the fix, else the deadline.
  package var at: Instant
}
