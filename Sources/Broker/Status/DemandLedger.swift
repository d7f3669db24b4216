import Positioning

/// The demands on the receiver, updated as they change, so that reading them does not collect them again.
struct DemandLedger<Key: Hashable & Sendable>: Sendable {
  struct Entry: Hashable, Sendable {
    let holder: Holder
    let user: UInt32
    let what: String
    let demand: Demand
  }

  private var entries = OrderedTable<Key, Entry>()
  private var users = Grouping<Key, UInt32>()
  private var accuracies = LeastValue<Double>()
  private var intervals = LeastValue<Duration>()
  private var activities: [Activity: Int] = [:]
  /// Unchanged while the same holders have the same demands, in any order.
  private(set) var fingerprint = 0

  var count: Int { self.entries.count }

  mutating func set(_ entry: Entry?, for key: Key) {
    let old = self.entries[key]
    guard old != entry else { return }
    if let old { self.forget(old) }
    self.entries[key] = entry
    self.users.move(key, from: old?.user, to: entry?.user)
    guard let entry else { return }
    self.accuracies.add(entry.demand.accuracy)
    self.intervals.add(entry.demand.interval)
    self.activities[entry.demand.activity, default: 0] += 1
    self.fingerprint &+= entry.hashValue
  }

  private mutating func forget(_ entry: Entry) {
    self.fingerprint &-= entry.hashValue
    self.accuracies.remove(entry.demand.accuracy)
    self.intervals.remove(entry.demand.interval)
    let left = self.activities[entry.demand.activity, default: 1] - 1
    self.activities[entry.demand.activity] = left > 0 ? left : nil
  }

  /// The merged demand.
  var merged: Demand? {
    guard let accuracy = self.accuracies.least, let interval = self.intervals.least else { return nil }
    let activity = self.activities.count == 1 ? self.activities.keys.first : nil
    return Demand(accuracy: accuracy, interval: interval, activity: activity ?? .other)
  }

  /// Visits the entries of one user, or of all (`nil`), in order until the closure has enough.
  func visit(_ user: UInt32?, until isEnough: (Entry) -> Bool) {
    if let user {
      _ = self.users.contains(in: user) { self.entries[$0].map(isEnough) ?? false }
    } else {
      _ = self.entries.contains(where: isEnough)
    }
  }
}
