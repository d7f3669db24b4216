import Positioning

extension Demand {
  /// The merged demand, with the finest accuracy and the shortest interval; `nil` if there is none.
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

  /// Whether this demand determines the merged rate.
  func isDecisive(for merged: Demand) -> Bool {
    self.interval.seconds <= (merged.interval.seconds + 1) * 1.5
  }
}
