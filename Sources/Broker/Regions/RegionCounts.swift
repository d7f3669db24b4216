/// How many regions each holder and each user has, and how many corners their polygons have.
struct RegionCounts: Sendable {
  struct Count: Hashable, Sendable {
    var regions = 0
    var corners = 0
  }

  private var holders: [Holder: Count] = [:]
  private(set) var regions = Tally()
  private(set) var corners = Tally()

  subscript(holder: Holder) -> Count { self.holders[holder] ?? Count() }

  mutating func add(_ regions: Int, corners: Int, of holder: Holder, _ user: UInt32) {
    var count = self[holder]
    count.regions += regions
    count.corners += corners
    self.holders[holder] = count == Count() ? nil : count
    self.regions.add(regions, of: user)
    self.corners.add(corners, of: user)
  }

  /// The holder is gone.
  mutating func remove(_ holder: Holder, _ user: UInt32) {
    let count = self[holder]
    self.add(-count.regions, corners: -count.corners, of: holder, user)
  }
}
