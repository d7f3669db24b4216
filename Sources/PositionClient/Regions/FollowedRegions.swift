package import Positioning

/// The regions that one loop watches, over all its connections: the requests to the daemon, and the selection of its
/// notifications.
///
/// Each region has an id on the wire that no other loop of this client uses, so that two loops may watch the same
/// region. The daemon is asked for more than the program requested: for the first decision and for every `enter` and
/// `exit`. So this knows where the device was when a connection was lost: missed changes are delivered afterwards, and
/// unchanged states are not repeated.
package struct FollowedRegions {
  /// What to do, in order.
  package enum Action: Hashable {
    /// Ask the daemon to watch this region.
    case add(Region)
    /// Ask it to stop watching the region with this id on the wire.
    case remove(String)
    /// Deliver the event to the program.
    case deliver(RegionEvent)
  }

  fileprivate struct Entry {
    let wireID: String
    var region: Region
    var state = RegionState.unknown
    /// Whether `dwell` of this stay was reported.
    var hasDwelled = false
    /// When the region ends, once it was requested.
    var expiry: Instant?
    /// Whether the region's time is over; it is remembered until the program removes it.
    var isOver = false
  }

  private let prefix: String
  private var lastNumber = 0
  private var entries: [String: Entry] = [:]
  /// The programs' ids of the regions, by their ids on the wire.
  private var ids: [String: String] = [:]
  /// The ids in the program's order.
  private var command: [String] = []

  /// - Parameter ticket: A number that no other loop of this client has.
  package init(ticket: Int) {
    self.prefix = "\(ticket)."
  }

  /// The ids on the wire of the watched regions.
  package var wireIDs: [String] { self.living.map(\.wireID) }

  private var living: [Entry] { self.command.compactMap { self.entries[$0] }.filter { !$0.isOver } }

  // MARK: Requests

  /// The program wants exactly these regions.
  ///
  /// - Returns: What to do on a connection that has the previous regions.
  package mutating func change(to regions: [Region], now: Instant) -> [Action] {
    let wanted = Set(regions.map(\.id))
    var actions: [Action] = []
    for id in self.command where !wanted.contains(id) {
      guard let entry = self.entries.removeValue(forKey: id) else { continue }
      self.ids[entry.wireID] = nil
      if !entry.isOver { actions.append(.remove(entry.wireID)) }
    }
    self.command = regions.map(\.id)
    for region in regions where self.entries[region.id]?.region != region {
      let entry = self.entries[region.id].map { Self.changed($0, to: region) } ?? self.newEntry(region)
      self.entries[region.id] = entry
      actions += self.ask(region.id, now: now)
    }
    return actions
  }

  /// A new connection stands, on which no region is watched yet.
  package mutating func established(now: Instant) -> [Action] {
    self.command.flatMap { self.ask($0, now: now) }
  }

  private mutating func newEntry(_ region: Region) -> Entry {
    self.lastNumber += 1
    let entry = Entry(wireID: self.prefix + "\(self.lastNumber)", region: region)
    self.ids[entry.wireID] = region.id
    return entry
  }

  private static func changed(_ entry: Entry, to region: Region) -> Entry {
    var changed = Entry(wireID: entry.wireID, region: region)
    // As in the daemon, a region with the same shape keeps its state.
    if entry.region.shape == region.shape, !entry.isOver {
      changed.state = entry.state
      changed.hasDwelled = entry.hasDwelled
    }
    return changed
  }

  /// Requests a region for the rest of its time.
  private mutating func ask(_ id: String, now: Instant) -> [Action] {
    guard var entry = self.entries[id], !entry.isOver else { return [] }
    entry.expiry = entry.expiry ?? entry.region.expiresIn.map { now + $0.bounded }
    defer { self.entries[id] = entry }
    var region = entry.region
    if let expiry = entry.expiry {
      guard expiry > now else {
        entry.isOver = true
        return [.deliver(RegionEvent(id: id, kind: .expired, state: entry.state))]
      }
      // The daemon accepts no shorter time.
      region.expiresIn = max(.milliseconds(100), expiry - now)
    }
    region.id = entry.wireID
    region.initial = .always
    region.notify.formUnion([.enter, .exit])
    return [.add(region)]
  }

  // MARK: Events

  /// The event with the region's own id; `nil` if it is not new, or the program did not request it.
  package mutating func received(_ event: RegionEvent) -> RegionEvent? {
    guard let id = self.ids[event.id], var entry = self.entries[id], !entry.isOver else { return nil }
    let isFirst = entry.state == .unknown
    let isNews = entry.takes(event)
    self.entries[id] = entry
    guard isNews else { return nil }
    var own = event
    own.id = id
    // A new connection's first state is a change, if there was another state before.
    own.isInitial = own.isInitial && isFirst
    return own
  }
}

extension FollowedRegions.Entry {
  /// Whether the program is notified of it.
  fileprivate mutating func takes(_ event: RegionEvent) -> Bool {
    switch event.kind {
    case .enter, .exit:
      let before = self.state
      self.state = event.state
      guard before != event.state else { return false }
      self.hasDwelled = false
      return before == .unknown ? self.region.initial.includes(event.kind) : self.region.notify.contains(event.kind)
    case .dwell:
      defer { self.hasDwelled = true }
      return !self.hasDwelled
    case .crossed, .unknown: return true
    case .expired:
      self.isOver = true
      return true
    }
  }
}

extension InitialReport {
  /// Whether a first decision is delivered.
  fileprivate func includes(_ kind: RegionEventKind) -> Bool {
    switch self {
    case .none: false
    case .ifInside: kind == .enter
    case .always: true
    }
  }
}
