import Positioning

extension StoreChange {
  /// Its size in memory while it waits, in fixes and their equivalents: about 1 KB each.
  var weight: Int {
    switch self {
    case .putEvent(_, let event): event.weight
    case .putRegion(_, let stored): stored.region.shape.weight
    case .replaceName(let name):
      1 + name.regions.reduce(0) { $0 + $1.region.shape.weight } + name.events.reduce(0) { $0 + $1.weight }
    case .putName, .removeName, .removeRegion, .setRegionSnapshot, .resetRegions, .putPosition,
      .removePosition, .putVisits, .acknowledge, .overflow, .putVisitMemory, .setFeed, .putDecision,
      .removeDecision, .putEnabled, .putFuzzer, .putWakeStart, .removeWakeStart, .putStoppedReceiver,
      .putReceiver:
      1
    }
  }
}

extension RegionShape {
  fileprivate var weight: Int {
    switch self {
    case .circle: 1
    case .polygon(let corners): 1 + corners.count / 16
    }
  }
}
