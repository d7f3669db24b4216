package import Positioning

extension RegionMonitor {
  /// Adds a region, or changes the options of an existing one; with a new shape it begins again, with an unknown state.
  ///
  /// - Parameters:
  ///   - region: A checked region.
  ///   - geometry: The geometry of its shape, if it was computed before.
  ///   - restored: The state from before a restart; its expiry applies rather than the region's `expiresIn`.
  ///   - fix: The current fix, if it is young enough to judge by.
  mutating func add(
    _ region: Region, geometry: RegionGeometry? = nil, of holder: Holder, restored: RegionSnapshot? = nil, fix: Fix?,
    now: Instant
  ) -> [Event] {
    let slot: Int
    if let held = self.slot(id: region.id, of: holder), let entry = self.entries[held] {
      slot = held
      self.replace(slot, entry, with: region, geometry, now: now)
    } else {
      let geometry = geometry ?? RegionGeometry(region.shape)
      slot = self.insert(region, geometry, of: holder, restored: restored, now: now)
    }
    guard let fix, self.entries[slot]?.tracker.state == .unknown, let observation = self.trail.observation(of: fix)
    else {
      return []
    }
    return self.judge(slot, observation, on: .broken, now: now).events
  }

  /// The removed region's state; `nil` if there is none with this id.
  @discardableResult
  package mutating func remove(id: String, of holder: Holder) -> RegionState? {
    guard let slot = self.slot(id: id, of: holder), let entry = self.entries[slot] else { return nil }
    self.freeSlot(slot)
    self.changes[Key(holder: holder, id: id)] = nil
    return entry.tracker.state
  }

  private mutating func insert(
    _ region: Region, _ geometry: RegionGeometry, of holder: Holder, restored: RegionSnapshot?, now: Instant
  ) -> Int {
    let tracker = RegionTracker(geometry: geometry, state: restored?.state ?? .unknown, since: restored?.since)
    self.nextSerial += 1
    var entry = Entry(holder: holder, region: region, tracker: tracker, serial: self.nextSerial)
    entry.expiry = restored?.expiry ?? (restored == nil ? region.expiresIn.map { now + $0 } : nil)
    entry.hasDwelled = restored?.hasDwelled ?? false
    let slot = self.free.popLast() ?? self.entries.count
    if slot == self.entries.count { self.entries.append(entry) } else { self.entries[slot] = entry }
    self.holders[holder, default: OrderedTable()][region.id] = slot
    self.enlist(slot)
    return slot
  }

  private mutating func replace(
    _ slot: Int, _ entry: Entry, with region: Region, _ geometry: RegionGeometry?, now: Instant
  ) {
    self.removeFromIndexes(slot)
    self.entries[slot]?.region = region
    self.entries[slot]?.expiry = region.expiresIn.map { now + $0 }
    if entry.region.shape != region.shape {
      self.entries[slot]?.tracker = RegionTracker(geometry: geometry ?? RegionGeometry(region.shape))
      self.entries[slot]?.hasDwelled = false
      self.noteChange(slot)
    }
    self.enlist(slot)
  }

  mutating func freeSlot(_ slot: Int) {
    guard let entry = self.entries[slot] else { return }
    self.holders[entry.holder]?[entry.region.id] = nil
    if self.holders[entry.holder]?.isEmpty ?? false { self.holders[entry.holder] = nil }
    self.release(slot)
  }

  /// Removes a region without a holder.
  mutating func release(_ slot: Int) {
    self.removeFromIndexes(slot)
    self.entries[slot] = nil
    self.free.append(slot)
  }

  /// Enters a region into all tables.
  private mutating func enlist(_ slot: Int) {
    guard let entry = self.entries[slot] else { return }
    let geometry = entry.tracker.geometry
    self.index.insert(
      RegionIndex.Item(
        slot: slot, middle: geometry.middle, radius: geometry.radius, latency: entry.region.latency ?? .zero))
    if let latency = entry.region.latency { self.latencies.set(Instant(sinceBoot: latency), for: slot) }
    if entry.isForCrossing { self.crossingCount += 1 }
    if let expiry = entry.expiry { self.deadlines.set(expiry, for: .expiry(slot)) }
    self.settle(slot)
  }

  private mutating func removeFromIndexes(_ slot: Int) {
    guard let entry = self.entries[slot] else { return }
    self.index.remove(slot: slot)
    if entry.region.latency != nil { self.latencies.set(nil, for: slot) }
    if entry.isForCrossing { self.crossingCount -= 1 }
    if entry.expiry != nil { self.deadlines.set(nil, for: .expiry(slot)) }
    self.setDwell(nil, slot)
    self.setAwaited(nil, slot)
    self.setActive(false, slot)
  }

  // MARK: Consequences of a state

  /// Updates what follows from a region's state: whether it is active, and when its stay becomes a dwell.
  mutating func settle(_ slot: Int) {
    self.setActive(!(self.entries[slot]?.tracker.isQuiet ?? true), slot)
    self.setDwell(self.entries[slot]?.dwellDeadline, slot)
  }

  private mutating func setDwell(_ due: Instant?, _ slot: Int) {
    guard self.entries[slot]?.dwellArmed != due else { return }
    self.entries[slot]?.dwellArmed = due
    self.deadlines.set(due, for: .dwell(slot))
  }

  mutating func setAwaited(_ until: Instant?, _ slot: Int) {
    guard let wasAwaited = self.entries[slot]?.isAwaited, until != nil || wasAwaited else { return }
    self.entries[slot]?.isAwaited = until != nil
    self.awaitedCount += (until != nil ? 1 : 0) - (wasAwaited ? 1 : 0)
    self.deadlines.set(until, for: .awaited(slot))
  }

  private mutating func setActive(_ isActive: Bool, _ slot: Int) {
    let place = self.entries[slot]?.activePlace
    guard isActive != (place != nil) else { return }
    if isActive {
      self.entries[slot]?.activePlace = self.active.count
      self.active.append(slot)
    } else if let place, let last = self.active.last {
      // The last takes the place of the removed one.
      self.active[place] = last
      self.entries[last]?.activePlace = place
      self.active.removeLast()
      self.entries[slot]?.activePlace = nil
    }
  }
}
