import Positioning

/// Regions whose holder may know more or less than before, or is gone. That counts at once; the regions themselves are
/// moved, or removed, a few in each turn.
extension BrokerParts {
  /// What it costs to move a region, in the steps of a turn's effort.
  private static let moveEffort = 16

  /// The holder may know more, less, or nothing: its regions are judged anew, by what it may know.
  ///
  /// - Parameter keepsStates: whether it may go on from what it knew.
  mutating func moveRegions(
    of holder: Holder, from old: FixFeedKey?, keepsStates: Bool = false, _ turn: inout Turn
  ) {
    let places = self.feeds.depart(holder, from: old, keepsStates: keepsStates)
    // What is forgotten is forgotten by the store too, whatever becomes of the daemon meanwhile.
    if !keepsStates, let id = holder.durable, self.feeds.regionCount(of: holder) > 0 {
      turn.store(.forgetStandings(id))
    }
    for place in places { self.moveDeparted(from: place, &turn) }
  }

  /// The holder is gone: its regions count no more, and tell nothing.
  mutating func forgetRegions(of holder: Holder, _ turn: inout Turn) {
    for place in self.feeds.forget(holder) { self.moveDeparted(from: place, &turn) }
  }

  /// Moves those that depart from a feed to where they are judged now, as far as the effort goes. Those of a holder that
  /// is gone are just removed.
  mutating func moveDeparted(from key: FixFeedKey?, _ turn: inout Turn) {
    var reached: Set<FixFeedKey?> = []
    var isAny = false
    while turn.effort > 0, let departed = self.feeds.takeDeparted(from: key) {
      turn.effort -= Self.moveEffort
      isAny = true
      guard !departed.isForgotten else { continue }
      reached.insert(self.feeds.put(departed, seeing: self.feed(of: departed.holder), now: turn.now))
    }
    guard isAny else { return }
    for place in reached { self.probe(place, isNew: place != nil, &turn) }
    if !reached.contains(key) { self.feeds.settle(key, now: turn.now) }
  }

  /// Moves one before its turn, since it is asked for.
  mutating func moveDeparted(id: String, of holder: Holder, _ turn: inout Turn) {
    while let departed = self.feeds.takeDeparted(id: id, of: holder) {
      let place = self.feeds.put(departed, seeing: self.feed(of: holder), now: turn.now)
      self.probe(place, isNew: place != nil, &turn)
    }
  }

  /// Has the receiver look for regions that came into a feed.
  mutating func probe(_ key: FixFeedKey?, isNew: Bool, _ turn: inout Turn) {
    self.feeds.probe(key, isNew: isNew, lastFix: self.receiver.current?.arrival, now: turn.now)
  }
}
