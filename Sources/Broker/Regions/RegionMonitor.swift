import Geodesy
package import Positioning

/// All regions of all holders, and what every fix says of them.
///
/// A holder is whoever owns regions: a client, or a durable name. The monitor reads no clock; whoever drives it calls
/// `deadlineReached` at `nextDeadline`, keeps the receiver on while `isPending`, and lets it sleep no longer than
/// `nextLook` says.
package struct RegionMonitor<Holder: Hashable & Sendable & Comparable>: Sendable {
  package typealias Event = RegionFinding<Holder>
  package typealias Change = RegionChange<Holder>

  struct Key: Hashable {
    let holder: Holder
    let id: String
  }

  private var table = OrderedTable<Key, MonitoredRegion>()
  private var changed = OrderedTable<Key, Bool>()

  package init() {}

  package var count: Int { self.table.count }

  package func count(of holder: Holder) -> Int { self.table.keys.count { $0.holder == holder } }

  package func regions(of holder: Holder) -> [MonitoredRegion] {
    self.table.keys.filter { $0.holder == holder }.compactMap { self.table[$0] }
  }

  package func standing(id: String, of holder: Holder) -> RegionStanding? {
    self.table[Key(holder: holder, id: id)]?.standing
  }

  package func state(id: String, of holder: Holder) -> RegionState? { self.standing(id: id, of: holder)?.state }

  /// Adds a region, or gives one that exists new options; one with a new shape begins anew, with an unknown state.
  ///
  /// - Parameters:
  ///   - region: checked.
  ///   - restored: what was known of it before a restart; its expiry counts, not the region's `expiresIn`.
  ///   - fix: the current fix if it is young enough to judge by.
  package mutating func add(
    _ region: Region, of holder: Holder, restored: RegionStanding? = nil, fix: Fix?, now: Instant
  ) -> [Event] {
    let key = Key(holder: holder, id: region.id)
    var standing = restored ?? RegionStanding(expiry: region.expiresIn.map { now + $0 })
    if restored == nil, let held = self.table[key], held.region.shape == region.shape {
      standing.state = held.standing.state
      standing.since = held.standing.since
    }
    self.table[key] = MonitoredRegion(region: region, standing: standing)
    return fix.map { self.judge(key, $0) } ?? []
  }

  /// The state that it had; `nil` where there is none of that id.
  @discardableResult
  package mutating func remove(id: String, of holder: Holder) -> RegionState? {
    let key = Key(holder: holder, id: id)
    let state = self.table[key]?.standing.state
    self.table[key] = nil
    self.changed[key] = nil
    return state
  }

  package mutating func removeAll(of holder: Holder) {
    self.table.removeAll { $0.holder == holder }
    self.changed.removeAll { $0.holder == holder }
  }

  /// A new fix, or a better one of the newest epoch.
  package mutating func fixed(_ fix: Fix, now: Instant) -> [Event] {
    self.table.keys.flatMap { self.judge($0, fix) }
  }

  package mutating func deadlineReached(now: Instant) -> [Event] {
    var events: [Event] = []
    for key in self.table.keys {
      guard let held = self.table[key], let expiry = held.standing.expiry, expiry <= now else { continue }
      self.table[key] = nil
      self.changed[key] = true
      events.append(
        Event(holder: key.holder, region: held.region, kind: .expired, state: held.standing.state, at: now))
    }
    return events
  }

  /// When `deadlineReached` must be called: a stay that becomes a dwell, a region that expires, a wait that ends.
  package var nextDeadline: Instant? { self.table.all.compactMap(\.standing.expiry).min() }

  /// Whether a vote stands and waits for another fix: the receiver must stay on.
  package var isPending: Bool { false }

  /// How long the receiver may sleep after that fix; `nil` where there are no regions.
  ///
  /// - Parameter speedBound: how fast the device can move, metres per second; greater than 0.
  package mutating func nextLook(after fix: Fix, speedBound: Double, now: Instant) -> Duration? {
    self.table.isEmpty ? nil : .zero
  }

  /// What changed since it was asked last, in the order of the first change; each region once.
  package mutating func takeChanges() -> [Change] {
    defer { self.changed = OrderedTable() }
    return self.changed.keys.map { Change(holder: $0.holder, id: $0.id, standing: self.table[$0]?.standing) }
  }

  private mutating func judge(_ key: Key, _ fix: Fix) -> [Event] {
    guard let held = self.table[key], case .circle(let center, let radius) = held.region.shape,
      let accuracy = fix.horizontalAccuracy95
    else { return [] }
    let outside = Geodesy.distance(from: center, to: fix.coordinate) - radius
    let isInside = outside < -accuracy
    guard isInside || outside > accuracy + max(10, 0.1 * radius) else { return [] }
    let state: RegionState = isInside ? .inside : .outside
    guard state != held.state else { return [] }
    self.table.modify(key) {
      $0.standing = RegionStanding(state: state, since: fix.arrival, expiry: $0.standing.expiry)
    }
    self.changed[key] = true
    let kind: RegionEventKind = isInside ? .enter : .exit
    let isTold =
      held.state == .unknown
      ? held.region.initial == .always || isInside && held.region.initial == .ifInside
      : held.region.notify.contains(kind)
    guard isTold else { return [] }
    return [Event(holder: key.holder, region: held.region, kind: kind, state: state, fix: fix, at: fix.arrival)]
  }
}
