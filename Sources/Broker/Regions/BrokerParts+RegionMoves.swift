import Positioning

/// Regions whose holder's permission has changed, or whose holder is gone. That takes effect at once; the regions
/// themselves are moved or removed a few in each turn.
extension BrokerParts {
  /// The cost of moving a region, in steps of a turn's effort.
  private static let moveEffort = 16

  /// The holder's permission has changed: its regions are judged again, by its new feed.
  ///
  /// - Parameter keepsStates: Whether they keep their states.
  mutating func moveRegions(
    of holder: Holder, from old: FixFeedKey?, keepsStates: Bool = false, _ turn: inout Turn
  ) {
    let places = self.feeds.depart(holder, from: old, keepsStates: keepsStates)
    // The states are removed from the store too, in case the daemon ends meanwhile.
    if !keepsStates, let id = holder.durable, self.feeds.regionCount(of: holder) > 0 {
      turn.store(.resetRegions(id))
    }
    for place in places { self.moveDeparted(from: place, &turn) }
  }

  /// The holder is gone: its regions have no effect any more.
  mutating func forgetRegions(of holder: Holder, _ turn: inout Turn) {
    for place in self.feeds.forget(holder) { self.moveDeparted(from: place, &turn) }
  }

  /// Moves regions to the feed that judges them now, as far as the effort allows. Regions without a holder are removed.
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

  /// Moves a region before its turn, because a call is about it.
  mutating func moveDeparted(id: String, of holder: Holder, _ turn: inout Turn) {
    while let departed = self.feeds.takeDeparted(id: id, of: holder) {
      let place = self.feeds.put(departed, seeing: self.feed(of: holder), now: turn.now)
      self.probe(place, isNew: place != nil, &turn)
    }
  }

  /// Turns the receiver on for regions that were added to a feed.
  mutating func probe(_ key: FixFeedKey?, isNew: Bool, _ turn: inout Turn) {
    self.feeds.probe(key, isNew: isNew, lastFix: self.receiver.current?.arrival, now: turn.now)
  }
}
