import Positioning

/// A region that was taken out, with what it needs to be put in elsewhere.
struct DepartedRegion<Holder: Hashable & Sendable>: Sendable {
  let holder: Holder
  let region: Region
  let geometry: RegionGeometry
  let standing: RegionStanding
}

/// Holders that leave, or are judged by other fixes from now on. That takes effect at once and costs the same however
/// many regions they have; the regions themselves are taken out later, a few at a time.
extension RegionMonitor {
  /// None of the holder's regions tells anything any more.
  ///
  /// - Parameter keepsStates: whether they go on elsewhere from what was known of them.
  mutating func depart(_ holder: Holder, keepsStates: Bool = false) {
    // Some may depart already, whose states are not known any more.
    if !keepsStates {
      self.keepers.remove(holder)
    } else if self.departing[holder] == nil {
      self.keepers.insert(holder)
    }
    guard let ids = self.holders.removeValue(forKey: holder) else { return }
    guard var others = self.departing[holder] else { return self.departing[holder] = ids }
    // It came, left and came again before all had been taken out.
    for id in ids.keys {
      if let old = others[id] { self.release(old) }
      others[id] = ids[id]
    }
    self.departing[holder] = others
  }

  /// Takes out the next one that departs.
  mutating func takeDeparted() -> DepartedRegion<Holder>? {
    guard let holder = self.departing.firstKey, let id = self.departing[holder]?.firstKey else { return nil }
    return self.takeDeparted(id: id, of: holder)
  }

  /// Takes out one that departs before its turn.
  mutating func takeDeparted(id: String, of holder: Holder) -> DepartedRegion<Holder>? {
    guard let slot = self.departing[holder]?[id], let entry = self.entries[slot] else { return nil }
    self.departing.modify(holder) { $0[id] = nil }
    let standing = self.departingStanding(entry)
    if self.departing[holder]?.isEmpty ?? false {
      self.departing[holder] = nil
      self.keepers.remove(holder)
    }
    self.release(slot)
    return DepartedRegion(
      holder: holder, region: entry.region, geometry: entry.tracker.geometry, standing: standing)
  }

  /// What one that departs will be known by where it arrives.
  private func departingStanding(_ entry: Entry) -> RegionStanding {
    self.keepers.contains(entry.holder) ? entry.standing : RegionStanding(expiry: entry.expiry)
  }

  func isDeparting(_ slot: Int) -> Bool {
    guard !self.departing.isEmpty, let entry = self.entries[slot] else { return false }
    return self.departing[entry.holder]?[entry.region.id] == slot
  }

  /// At most so many that depart, from the first or from the one after an id on, and how many come after them: as they
  /// will be.
  func departing(
    of holder: Holder, after id: String?, atMost limit: Int
  ) -> (regions: [MonitoredRegion], omitted: Int) {
    guard let page = self.departing[holder]?.page(after: id, atMost: limit) else { return ([], 0) }
    let regions = page.values.compactMap { self.entries[$0] }.map {
      MonitoredRegion(region: $0.region, standing: self.departingStanding($0))
    }
    return (regions, page.omitted)
  }

  // MARK: As they are kept

  /// In the order of adding.
  func stored(of holder: Holder) -> [StoredRegion] {
    (self.holders[holder]?.all ?? []).compactMap { self.entries[$0] }.map { $0.stored($0.standing) }
  }

  /// Those that depart, as they will be.
  func storedDeparting(of holder: Holder) -> [StoredRegion] {
    (self.departing[holder]?.all ?? []).compactMap { self.entries[$0] }.map { $0.stored(self.departingStanding($0)) }
  }
}

extension RegionMonitor.Entry {
  fileprivate func stored(_ standing: RegionStanding) -> StoredRegion {
    StoredRegion(region: self.region, standing: standing, geometry: self.tracker.geometry)
  }
}
