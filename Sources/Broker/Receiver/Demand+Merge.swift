import Positioning

extension Demand {
  /// What serves all: the finest accuracy, the shortest interval; `nil` where nobody needs anything.
  static func merged(_ demands: some Sequence<Demand>) -> Demand? {
    var merged: Demand?
    var activity: Activity?
    for demand in demands {
      guard let soFar = merged else {
        merged = demand
        activity = demand.activity
        continue
      }
      if activity != demand.activity { activity = .other }
      merged = Demand(
        accuracy: min(soFar.accuracy, demand.accuracy), interval: min(soFar.interval, demand.interval),
        activity: activity ?? .other)
    }
    return merged
  }

  /// Whether the merged rate is as high as it is because of this demand.
  func isDecisive(for merged: Demand) -> Bool {
    self.interval.seconds <= (merged.interval.seconds + 1) * 1.5
  }
}
