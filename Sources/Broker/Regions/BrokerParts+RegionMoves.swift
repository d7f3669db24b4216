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
    of holder: Holder, from old: FixFeedKey?, to new: FixFeedKey?, keepsStates: Bool = false, _ turn: inout Turn
  ) {
    let places = old == nil ? [nil] : [old, nil]
    if keepsStates {
      for place in places { self.feeds.modify(place) { $0.regions.depart(holder, keepsStates: true) } }
    } else {
      // Those that are on their way from elsewhere forget what was known of them as well.
      for place in self.feeds.allKeys { self.feeds.modify(place) { $0.regions.depart(holder) } }
      // And so does the store, whatever becomes of the daemon meanwhile.
      if let id = holder.durable, self.regionCounts[holder].regions > 0 { turn.store(.forgetStandings(id)) }
    }
    for place in places { self.moveDeparted(from: place, &turn) }
  }

  /// The holder is gone: its regions count no more, and tell nothing.
  mutating func forgetRegions(of holder: Holder, _ user: UInt32, _ turn: inout Turn) {
    guard self.regionCounts[holder].regions > 0 else { return }
    self.regionCounts.remove(holder, user)
    for key in self.feeds.allKeys {
      self.feeds.modify(key) { $0.regions.forget(holder) }
      self.moveDeparted(from: key, &turn)
    }
  }

  /// Moves those that depart from a feed to where they are judged now, as far as the effort goes. Those of a holder that
  /// is gone are just removed.
  mutating func moveDeparted(from key: FixFeedKey?, _ turn: inout Turn) {
    var reached: Set<FixFeedKey?> = []
    var isAny = false
    while turn.effort > 0, let departed = self.feeds.modify(key, { $0.regions.takeDeparted() }) {
      turn.effort -= Self.moveEffort
      isAny = true
      if let place = self.put(departed, &turn) { reached.insert(place) }
    }
    guard isAny else { return }
    for place in reached { self.lookForRegions(in: place, isNew: place != nil, &turn) }
    if !reached.contains(key) { self.feeds.refreshRegions(in: key, now: turn.now) }
  }

  /// One that is asked for before its turn.
  mutating func arrive(_ departed: DepartedRegion<Holder>, _ turn: inout Turn) {
    if let place = self.put(departed, &turn) { self.lookForRegions(in: place, isNew: place != nil, &turn) }
  }

  /// Where it was put; `nil`: nowhere, for nobody has it.
  private mutating func put(_ departed: DepartedRegion<Holder>, _ turn: inout Turn) -> FixFeedKey?? {
    let holder = departed.holder
    guard !departed.isForgotten else { return nil }
    let own = self.feed(of: holder)
    let place = departed.geometry.fits(own) ? own : nil
    self.feeds.modify(place) { feed in
      _ = feed.regions.add(
        departed.region, geometry: departed.geometry, of: holder, restored: departed.standing, fix: nil, now: turn.now)
    }
    return .some(place)
  }
}
