import Broker
import Positioning

extension Load {
  /// Regions as they were stored, with values computed when they were added. No user has more than its share.
  static func kept(_ count: Int, share: Int, _ region: (Int) -> Region) -> StoredState {
    var stored = StoredState()
    var cap: Cap?
    for holder in 0..<(count + share - 1) / share {
      var name = StoredName(id: DurableID(uid: 1000 + UInt32(holder), name: "log"), user: "user")
      name.feed = FixFeedKey.everything
      name.regions = (0..<min(count - holder * share, share)).map { number in
        let region = region(number)
        guard case .polygon(let corners) = region.shape else {
          return StoredRegion(region: region, snapshot: RegionSnapshot())
        }
        cap = cap ?? SphericalPolygon(corners)?.cap
        return StoredRegion(region: region, snapshot: RegionSnapshot(), reach: 3, cap: cap)
      }
      stored.names.append(name)
    }
    return stored
  }
}
