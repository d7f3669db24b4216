package import PositionProtocol
package import Positioning

/// The regions that one loop watches, over all the connections that carry it: what the daemon is to be asked, and what
/// of its words is news.
///
/// Each region has an id on the wire that no other loop of this client uses, so that two may watch the same one. And the
/// daemon is asked for more than the program wants to know: for the first decision, for every `enter` and every `exit`.
/// So it is known here where the device was when a connection was lost; what changed before there was another one is
/// told then, and what did not change is not told again.
package struct FollowedRegions {
  /// What is to be done, in order.
  package enum Action: Hashable {
    /// Ask the daemon to watch this.
    case add(RegionObject)
    /// Ask it to watch what has this id on the wire no more.
    case remove(String)
    /// Tell the program.
    case tell(RegionEvent)
  }

  fileprivate struct Entry {
    let wireID: String
    var region: Region
    var state = RegionState.unknown
    /// Whether `dwell` was told of this stay.
    var hasDwelled = false
    /// When it ends, once it was asked for.
    var expiry: Instant?
    /// Whether its time is over; it is remembered until its program takes it away.
    var isOver = false
  }

  private let prefix: String
  private var lastNumber = 0
  private var entries: [String: Entry] = [:]
  /// The regions' own ids.
  private var ids: [String: String] = [:]
  /// In the order of the program.
  private var order: [String] = []

  /// - Parameter ticket: No other loop of this client has it.
  package init(ticket: Int) {
    self.prefix = "\(ticket)."
  }

  /// The ids on the wire of what is watched.
  package var wireIDs: [String] { self.living.map(\.wireID) }

  private var living: [Entry] { self.order.compactMap { self.entries[$0] }.filter { !$0.isOver } }

  // MARK: What is asked

  /// The program wants these, no others.
  ///
  /// - Returns: What a connection is to be told that knows what was wanted before.
  package mutating func change(to regions: [Region], now: Instant) -> [Action] {
    let wanted = Set(regions.map(\.id))
    var actions: [Action] = []
    for id in self.order where !wanted.contains(id) {
      guard let entry = self.entries.removeValue(forKey: id) else { continue }
      self.ids[entry.wireID] = nil
      if !entry.isOver { actions.append(.remove(entry.wireID)) }
    }
    self.order = regions.map(\.id)
    for region in regions where self.entries[region.id]?.region != region {
      let entry = self.entries[region.id].map { Self.changed($0, to: region) } ?? self.newEntry(region)
      self.entries[region.id] = entry
      actions += self.ask(region.id, now: now)
    }
    return actions
  }

  /// A new connection stands, which knows of nothing.
  package mutating func stood(now: Instant) -> [Action] {
    self.order.flatMap { self.ask($0, now: now) }
  }

  private mutating func newEntry(_ region: Region) -> Entry {
    self.lastNumber += 1
    let entry = Entry(wireID: self.prefix + "\(self.lastNumber)", region: region)
    self.ids[entry.wireID] = region.id
    return entry
  }

  private static func changed(_ entry: Entry, to region: Region) -> Entry {
    var changed = Entry(wireID: entry.wireID, region: region)
    // As the daemon does: with the same shape it goes on.
    if entry.region.shape == region.shape, !entry.isOver {
      changed.state = entry.state
      changed.hasDwelled = entry.hasDwelled
    }
    return changed
  }

  /// Asks for a region, for as long as it has left.
  private mutating func ask(_ id: String, now: Instant) -> [Action] {
    guard var entry = self.entries[id], !entry.isOver else { return [] }
    entry.expiry = entry.expiry ?? entry.region.expiresIn.map { now + $0.bounded }
    defer { self.entries[id] = entry }
    var region = entry.region
    if let expiry = entry.expiry {
      guard expiry > now else {
        entry.isOver = true
        return [.tell(RegionEvent(id: id, kind: .expired, state: entry.state))]
      }
      // The daemon takes no shorter one.
      region.expiresIn = max(.milliseconds(100), expiry - now)
    }
    region.id = entry.wireID
    region.initial = .always
    region.notify.formUnion([.enter, .exit])
    return [.add(RegionObject(region))]
  }

  // MARK: What is told

  /// The event by the region's own id; `nil` where it is no news, or not what the program wants to know.
  package mutating func received(_ event: RegionEvent) -> RegionEvent? {
    guard let id = self.ids[event.id], var entry = self.entries[id], !entry.isOver else { return nil }
    let isNews = entry.takes(event)
    self.entries[id] = entry
    guard isNews else { return nil }
    var told = event
    told.id = id
    return told
  }
}

extension FollowedRegions.Entry {
  /// Whether the program is told of it.
  fileprivate mutating func takes(_ event: RegionEvent) -> Bool {
    switch event.kind {
    case .enter, .exit:
      let before = self.state
      self.state = event.state
      guard before != event.state else { return false }
      self.hasDwelled = false
      return before == .unknown ? self.region.initial.tells(event.kind) : self.region.notify.contains(event.kind)
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
  /// Whether a first decision is told.
  fileprivate func tells(_ kind: RegionEventKind) -> Bool {
    switch self {
    case .none: false
    case .ifInside: kind == .enter
    case .always: true
    }
  }
}
