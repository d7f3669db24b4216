import Positioning

/// An event of one region.
struct RegionFinding: Hashable, Sendable {
  var holder: Holder
  var region: Region
  var event: RegionEvent
  /// When it was decided: the arrival of the fix, else the deadline.
  var at: Instant
}

/// A changed state, for the store.
struct RegionChange: Hashable, Sendable {
  var holder: Holder
  var id: String
  /// `nil`: the region has expired.
  var snapshot: RegionSnapshot?
}

/// A region that was removed from a feed, with what is needed to add it to another.
struct DepartedRegion: Sendable {
  let holder: Holder
  let region: Region
  let geometry: RegionGeometry
  let snapshot: RegionSnapshot
  /// Whether its holder is gone, so that it is added nowhere.
  let isForgotten: Bool
}
