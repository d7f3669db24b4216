import Positioning
import TestSupport

@testable import Broker

extension BrokerMachine {
  /// The differences between memory and the store. They must be equal only while nothing is under way and nothing
  /// waits.
  func differences(from store: StoreModel) -> [String] {
    guard self.commits.isEmpty, self.commits.owesNothing, !self.isStopping else { return [] }
    var found: [String] = []
    func compare<Value: Equatable>(_ memory: Value, _ disk: Value, _ what: @autoclosure () -> String) {
      // The text costs more than the comparison, which every turn of every random run makes.
      if memory != disk { found.append("\(what()) is \(memory) in memory and \(disk) in the store") }
    }
    compare(Set(self.names.ids), Set(store.names.keys), "the set of names")
    for name in self.names.all {
      guard let disk = store.names[name.id] else { continue }
      let memory = self.kept(name)
      compare(memory.user, disk.user, "the user of \(name.id)")
      compare(memory.wake, disk.wake, "the unit of \(name.id)")
      compare(memory.feed, disk.feed, "the feed of \(name.id)")
      compare(memory.hasVisits, disk.hasVisits, "visits of \(name.id)")
      compare(memory.position?.parameters, disk.position?.parameters, "positions of \(name.id)")
      compare(memory.position?.isPaused, disk.position?.isPaused, "the pause of \(name.id)")
      compare(memory.position?.isAcquiring, disk.position?.isAcquiring, "the search of \(name.id)")
      if memory.position?.parameters.mode == .significant {
        compare(memory.position?.lastDelivered, disk.position?.lastDelivered, "the baseline of \(name.id)")
      }
      compare(memory.events, disk.events, "events of \(name.id)")
      compare(memory.lastEvent, disk.lastEvent, "the newest number of \(name.id)")
      compare(memory.dropped, disk.dropped, "what \(name.id) lost")
      let regions = { (stored: StoredName) in stored.regions.sorted { $0.region.id < $1.region.id } }
      compare(regions(memory), regions(disk), "regions of \(name.id)")
    }
    // While the store has an error, changes that it refused are stored again later.
    if self.commits.awaitsNothing, self.commits.denial == nil {
      let decisions = Dictionary(uniqueKeysWithValues: self.permissions.grants.map { ($0.uid, $0.decision) })
      compare(decisions, store.decisions, "the set of decisions")
      compare(self.permissions.isSwitchedOn, store.isEnabled, "the master switch")
      compare(self.permissions.unread, store.unread, "what could not be read")
    }
    compare(self.names.wakeStarts, store.wakeStarts, "the starts of units")
    return found
  }
}
