import Broker
import Positioning

extension Load {
  /// A region as it was kept: with its reach, which was found when it was added.
  static func kept(_ region: Region) -> StoredRegion {
    StoredRegion(region: region, standing: RegionStanding(), reach: 3)
  }
}
