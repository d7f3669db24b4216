import Positioning

/// The number of regions of each holder and user, and of their polygons' corners.
struct RegionCounts: Sendable {
  private struct Count: Sendable {
    let user: UInt32
    var regions = 0
    var corners = 0
  }

  private var holders: [Holder: Count] = [:]
  private(set) var regions = Tally()
  private(set) var corners = Tally()

  /// How many regions a holder has.
  subscript(holder: Holder) -> Int { self.holders[holder]?.regions ?? 0 }

  /// - Parameter user: The holder's user.
  mutating func add(_ regions: Int, corners: Int, of holder: Holder, _ user: UInt32) {
    self.holders[holder, default: Count(user: user)].regions += regions
    self.holders[holder]?.corners += corners
    if self[holder] == 0 { self.holders[holder] = nil }
    self.regions.add(regions, of: user)
    self.corners.add(corners, of: user)
  }

  /// A region of a holder is removed.
  mutating func remove(_ region: Region, of holder: Holder) {
    guard let user = self.holders[holder]?.user else { return }
    self.add(-1, corners: -region.cornerCount, of: holder, user)
  }

  /// The holder is gone.
  ///
  /// - Returns: whether it had any regions.
  mutating func removeAll(of holder: Holder) -> Bool {
    guard let count = self.holders[holder] else { return false }
    self.add(-count.regions, corners: -count.corners, of: holder, count.user)
    return true
  }
}
