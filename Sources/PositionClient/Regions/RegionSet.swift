public import Positioning
import Synchronization

/// Regions that are watched together, and may change while they are: hand it to `PositionClient.regionEvents`.
///
/// It may be used from anywhere, before a loop and during it. Where several loops run with it, all watch what is in it.
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

  /// An empty set, to be filled later.
  public init() {
    self.state = Mutex(State(regions: []))
  }

  /// - Parameter regions: Of two with one id the later counts.
  /// - Throws: What is wrong with the first region that cannot be watched.
  public init(_ regions: [Region]) throws(InvalidRegion) {
    var state = State(regions: [])
    for region in regions { state.put(try region.checked()) }
    self.state = Mutex(state)
  }

  /// Regions that the daemon checks.
  init(unchecked regions: [Region]) {
    var state = State(regions: [])
    for region in regions { state.put(region) }
    self.state = Mutex(state)
  }

  /// What is in it, in the order of adding. A region whose time is over stays until it is removed.
  public var regions: [Region] { self.state.withLock { $0.regions } }

  /// Adds a region, or puts it in the place of the one with its id: with the same shape that goes on with what is known
  /// of it, with another it begins anew.
  ///
  /// - Throws: What is wrong with it, where it cannot be watched.
  public func add(_ region: Region) throws(InvalidRegion) {
    let checked = try region.checked()
    self.change { $0.put(checked) }
  }

  /// Removes the region with this id; does nothing where there is none.
  public func remove(id: String) {
    self.change { state in state.regions.removeAll { $0.id == id } }
  }

  private func change(_ body: (inout State) -> Void) {
    self.state.withLock { state in
      body(&state)
      for wake in state.watchers.values { wake() }
    }
  }

  /// Has it tell, from any thread, when it has changed.
  ///
  /// - Returns: What `leave` takes.
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
