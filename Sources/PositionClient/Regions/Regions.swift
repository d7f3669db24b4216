import PositionProtocol
public import Positioning
import Synchronization

extension PositionClient {
  /// Events of regions, which are watched from the start of the iteration until the loop is left.
  ///
  /// After a lost connection the regions are watched again. A border that was crossed meanwhile is reported with the
  /// first fix. A program that must not miss events while it does not run uses a `DurableName`.
  ///
  /// The sequence throws `.failed` if a region cannot be watched.
  public nonisolated func regionEvents(_ regions: [Region]) -> Updates<RegionUpdate> {
    self.regionEvents(RegionSet(unchecked: regions))
  }

  /// Events of the regions of a set, which may change during the iteration.
  public nonisolated func regionEvents(_ regions: RegionSet) -> Updates<RegionUpdate> {
    Updates { () async throws(PositionError) in
      let mailbox = Mailbox<RegionUpdate>(capacity: RegionUpdate.kept) { oldest, next in next.passOver(oldest) }
      return await self.subscribe(into: mailbox) { ticket, wake in
        RegionSubscriber(regions, ticket: ticket, mailbox: mailbox, wake: wake)
      }
    }
  }
}

/// One delivery of `PositionClient.regionEvents`: an event of a region, or a change of the connection.
public struct RegionUpdate: Hashable, Sendable {
  /// The event; absent if the connection changed.
  public var event: RegionEvent?
  /// How many events were dropped since the last update because more than 1000 were not taken in time.
  public var dropped: Int
  /// `.disconnected`, `.suspended` or `.reconnected` if the connection or the permission on it changed; else
  /// absent.
  public var reason: DeliveryReason?

  /// Creates an update, for a program's tests.
  public init(event: RegionEvent? = nil, dropped: Int = 0, reason: DeliveryReason? = nil) {
    self.event = event
    self.dropped = dropped
    self.reason = reason
  }

  /// The most events that wait for a slow reader. It is large, because an event is delivered only once.
  static let kept = 1000

  mutating func passOver(_ older: Self) {
    self.dropped = self.dropped.plus(older.dropped).plus(1)
  }
}

extension RegionEvent {
  /// The precision that it reveals. Only time decides that a region expires; of others without a fix it is not known.
  var reveals: Precision? { self.kind == .expired && self.state == .unknown ? nil : self.fix?.reveals ?? .precise }
}

/// Regions that are watched together and may change meanwhile: pass it to `PositionClient.regionEvents`.
///
/// It may be used from any thread, before a loop and during it. If several loops use it, each watches all its
/// regions.
///
/// ```swift
/// let regions = try RegionSet([home])
/// for try await update in client.regionEvents(regions) {
///   guard let event = update.event, event.kind == .exit else { continue }
///   regions.remove(id: event.id)
///   try regions.add(work)
/// }
/// ```
public final class RegionSet: Sendable {
  private struct State {
    /// In the order of adding.
    var regions: [Region]
    var watchers: [Int: @Sendable () -> Void] = [:]
    var lastWatcher = 0

    mutating func put(_ region: Region) {
      if let place = self.regions.firstIndex(where: { $0.id == region.id }) {
        self.regions[place] = region
      } else {
        self.regions.append(region)
      }
    }
  }

  private let state: Mutex<State>

  /// An empty set; regions can be added later.
  public init() {
    self.state = Mutex(State(regions: []))
  }

  /// - Parameter regions: Of two regions with the same id the later one counts.
  /// - Throws: What is wrong with the first region that cannot be watched.
  public init(_ regions: [Region]) throws(InvalidRegion) {
    var state = State(regions: [])
    for region in regions { state.put(try region.checked()) }
    self.state = Mutex(state)
  }

  /// Regions that only the daemon checks.
  init(unchecked regions: [Region]) {
    var state = State(regions: [])
    for region in regions { state.put(region) }
    self.state = Mutex(state)
  }

  /// The regions in the order of adding. A region whose time is over stays until it is removed.
  public var regions: [Region] { self.state.withLock { $0.regions } }

  /// Adds a region, or replaces the one with its id. With the same shape its state is kept; with another shape it
  /// begins again.
  ///
  /// - Throws: What is wrong with it, if it cannot be watched.
  public func add(_ region: Region) throws(InvalidRegion) {
    let checked = try region.checked()
    self.change { $0.put(checked) }
  }

  /// Removes the region with this id; does nothing if there is none.
  public func remove(id: String) {
    self.change { state in state.regions.removeAll { $0.id == id } }
  }

  private func change(_ body: (inout State) -> Void) {
    self.state.withLock { state in
      body(&state)
      for wake in state.watchers.values { wake() }
    }
  }

  /// Calls `wake`, from any thread, when the set has changed.
  ///
  /// - Returns: The number to pass to `leave`.
  func join(wake: @escaping @Sendable () -> Void) -> Int {
    self.state.withLock { state in
      state.lastWatcher += 1
      state.watchers[state.lastWatcher] = wake
      return state.lastWatcher
    }
  }

  func leave(_ watcher: Int) {
    self.state.withLock { $0.watchers[watcher] = nil }
  }
}
