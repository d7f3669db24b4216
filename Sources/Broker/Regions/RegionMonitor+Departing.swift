import Positioning

/// A region that was removed from a feed, with what is needed to add it to another.
struct DepartedRegion<Holder: Hashable & Sendable>: Sendable {
  let holder: Holder
  let region: Region
  let geometry: RegionGeometry
  let snapshot: RegionSnapshot
  /// Whether its holder is gone, so that it is added nowhere.
  let isForgotten: Bool
}

/// Holders that leave, or that another feed judges from now on. This takes effect at once and takes the same time for
/// any number of regions; the regions themselves are removed later, a few at a time.
extension RegionMonitor {
  /// The holder's regions have no effect here any more.
  ///
  /// - Parameter keepsStates: Whether they keep their states in the other feed. If not, regions that depart already
  ///   lose them too.
  mutating func depart(_ holder: Holder, keepsStates: Bool = false) {
    self.depart(holder, as: keepsStates ? .keepsStates : .beginsAnew, besides: keepsStates ? [] : [.keepsStates])
  }

  /// The holder is gone: its regions, including those that depart already, are removed.
  mutating func forget(_ holder: Holder) {
    self.depart(holder, as: .isForgotten, besides: [.keepsStates, .beginsAnew])
  }

  private mutating func depart(_ holder: Holder, as outcome: Departure.Outcome, besides departing: [Departure.Outcome])
  {
    let departure = Departure(holder: holder, outcome: outcome)
    for other in departing {
      let earlier = Departure(holder: holder, outcome: other)
      guard let ids = self.departing[earlier] else { continue }
      self.departing[earlier] = nil
      self.depart(ids, as: departure)
    }
    if let ids = self.holders.removeValue(forKey: holder) { self.depart(ids, as: departure) }
  }

  private mutating func depart(_ ids: OrderedTable<String, Int>, as departure: Departure) {
    guard var others = self.departing[departure] else { return self.departing[departure] = ids }
    // It left, returned and left again before all regions were removed.
    for id in ids.keys {
      if let old = others[id] { self.release(old) }
      others[id] = ids[id]
    }
    self.departing[departure] = others
  }

  /// Removes the next departing region.
  mutating func takeDeparted() -> DepartedRegion<Holder>? {
    guard let departure = self.departing.firstKey, let id = self.departing[departure]?.firstKey else { return nil }
    return self.takeDeparted(id: id, as: departure)
  }

  /// Removes a departing region before its turn.
  mutating func takeDeparted(id: String, of holder: Holder) -> DepartedRegion<Holder>? {
    guard let departure = self.departures(of: holder).first(where: { self.departing[$0]?[id] != nil }) else {
      return nil
    }
    return self.takeDeparted(id: id, as: departure)
  }

  private mutating func takeDeparted(id: String, as departure: Departure) -> DepartedRegion<Holder>? {
    guard let slot = self.departing[departure]?[id], let entry = self.entries[slot] else { return nil }
    self.departing.modify(departure) { $0[id] = nil }
    if self.departing[departure]?.isEmpty ?? false { self.departing[departure] = nil }
    self.release(slot)
    return DepartedRegion(
      holder: departure.holder, region: entry.region, geometry: entry.tracker.geometry,
      snapshot: departure.snapshot(of: entry), isForgotten: departure.outcome == .isForgotten)
  }

  /// Only regions whose holder still exists.
  private func departures(of holder: Holder) -> [Departure] {
    [Departure.Outcome.keepsStates, .beginsAnew].map { Departure(holder: holder, outcome: $0) }
      .filter { self.departing[$0] != nil }
  }

  func isDeparting(_ slot: Int) -> Bool {
    guard !self.departing.isEmpty, let entry = self.entries[slot] else { return false }
    return [Departure.Outcome.keepsStates, .beginsAnew, .isForgotten].contains { outcome in
      self.departing[Departure(holder: entry.holder, outcome: outcome)]?[entry.region.id] == slot
    }
  }

  /// At most so many departing regions, and how many follow: in their future form.
  func departing(of holder: Holder, atMost limit: Int) -> (regions: [MonitoredRegion], omitted: Int) {
    var (regions, omitted) = ([MonitoredRegion](), 0)
    for departure in self.departures(of: holder) {
      guard let page = self.departing[departure]?.page(after: nil, atMost: limit - regions.count) else { continue }
      regions += page.values.compactMap { self.entries[$0] }.map {
        MonitoredRegion(region: $0.region, snapshot: departure.snapshot(of: $0))
      }
      omitted += page.omitted
    }
    return (regions, omitted)
  }

  // MARK: The stored form

  /// In the order of adding.
  func stored(of holder: Holder) -> [StoredRegion] {
    (self.holders[holder]?.all ?? []).compactMap { self.entries[$0] }.map { $0.stored($0.snapshot) }
  }

  /// The departing regions in their future form.
  func storedDeparting(of holder: Holder) -> [StoredRegion] {
    self.departures(of: holder).flatMap { departure in
      (self.departing[departure]?.all ?? []).compactMap { self.entries[$0] }.map {
        $0.stored(departure.snapshot(of: $0))
      }
    }
  }
}

extension RegionMonitor.Departure {
  /// The state of a departing region in the other feed.
  fileprivate func snapshot(of entry: RegionMonitor.Entry) -> RegionSnapshot {
    self.outcome == .keepsStates ? entry.snapshot : RegionSnapshot(expiry: entry.expiry)
  }
}

extension RegionMonitor.Entry {
  fileprivate func stored(_ snapshot: RegionSnapshot) -> StoredRegion {
    StoredRegion(region: self.region, snapshot: snapshot, geometry: self.tracker.geometry)
  }
}
