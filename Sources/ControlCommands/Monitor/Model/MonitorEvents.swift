import JSONRPC
import Notations
import PositionProtocol
import Positioning

/// Something that changed, as one line.
struct MonitorEvent: Hashable, Sendable {
  /// What changed, without a time.
  struct Change: Hashable, Sendable {
    var text: String
    var emphasis: Line.Emphasis?

    init(_ text: String, _ emphasis: Line.Emphasis? = nil) { (self.text, self.emphasis) = (text, emphasis) }
  }

  var time: Timestamp
  var change: Change

  /// Such as `10:42:07 the receiver is on: gpsd decides whether it sleeps`; the time is UTC, as everywhere.
  var text: String { "\(self.time.clock) \(self.change.text)" }
}

extension Timestamp {
  /// The time of the day, to the second.
  var clock: String { String(self.description.dropFirst(11).prefix(8)) }
}

/// The last events, the newest first.
struct MonitorEvents: Sendable {
  /// As many as the largest screen shows.
  static let capacity = 200

  private(set) var list: [MonitorEvent] = []

  @discardableResult
  mutating func add(_ changes: [MonitorEvent.Change], at moment: CodingMoment) -> [MonitorEvent] {
    let time = Timestamp(since1970: moment.since1970)
    let events = changes.map { MonitorEvent(time: time, change: $0) }
    self.list = Array((events.reversed() + self.list).prefix(Self.capacity))
    return events
  }
}

/// The events that follow from a status.
enum StatusChanges {
  /// - Parameter old: `nil`: this is the first status, so all of it is new.
  static func events(from old: DaemonStatus?, to new: DaemonStatus) -> [MonitorEvent.Change] {
    self.power(old?.power.current, new.power.current) + self.receiver(old?.receiver, new.receiver)
      + self.gpsd(old?.gpsd, new.gpsd) + self.demands(old?.demand, new.demand)
      + self.error(old?.lastError, new.lastError)
  }

  private static func power(_ old: PowerState?, _ new: PowerState) -> [MonitorEvent.Change] {
    var changes: [MonitorEvent.Change] = []
    if old?.state != new.state || old?.rung != new.rung {
      changes.append(.init("the receiver is \(new.state.text): \(new.rung.text)", new.state.emphasis))
    }
    if let problem = new.problem, problem != old?.problem { changes.append(.init(problem, .bad)) }
    return changes
  }

  private static func receiver(_ old: DaemonStatus.Receiver?, _ new: DaemonStatus.Receiver) -> [MonitorEvent.Change] {
    var changes: [MonitorEvent.Change] = []
    if let device = new.device, device != old?.device { changes.append(.init("gpsd reads \(device)")) }
    if old?.availability != new.availability {
      changes.append(.init(new.availability.text, new.availability.emphasis))
    }
    if new.problem != old?.problem {
      changes.append(.init(new.problemText ?? "the receiver's reports are good again", new.problem.map { _ in .bad }))
    }
    let doubt = new.integrity?.doubt(new.integrityReasons)
    if doubt != old?.integrity?.doubt(old?.integrityReasons ?? []) {
      changes.append(
        doubt.map { .init("fixes are \($0)", new.integrity?.emphasis) } ?? .init("nothing speaks against the fixes now")
      )
    }
    return changes
  }

  private static func gpsd(_ old: DaemonStatus.Gpsd?, _ new: DaemonStatus.Gpsd) -> [MonitorEvent.Change] {
    guard old?.state != new.state else { return [] }
    return [.init("gpsd: \(new.state.text(detail: new.detail))", new.state.emphasis)]
  }

  private static func demands(
    _ old: DaemonStatus.Demands?, _ new: DaemonStatus.Demands?
  ) -> [MonitorEvent.Change] {
    let (before, after) = (old?.clients ?? [], new?.clients ?? [])
    let begun = after.filter { !before.map(\.key).contains($0.key) }
    let ended = before.filter { !after.map(\.key).contains($0.key) }
    let changes =
      ended.map { MonitorEvent.Change("\(PrincipalFormat.short($0.principal)) needs no \($0.what) any more") }
      + begun.map { client in
        MonitorEvent.Change(
          "\(PrincipalFormat.short(client.principal)) needs \(client.what),"
            + " \(StatusFormat.need(client.demand, PositionFormat()))")
      }
    if old != nil, new == nil, ended.isEmpty { return changes + [.init("nobody needs the receiver")] }
    return changes
  }

  private static func error(_ old: DaemonStatus.LastError?, _ new: DaemonStatus.LastError?) -> [MonitorEvent.Change] {
    guard let new, new != old else { return [] }
    return [.init(new.message, .bad)]
  }
}

extension DaemonStatus.ClientDemand {
  /// What makes two needs one: whether it decides the rate changes with the others.
  fileprivate var key: DaemonStatus.ClientDemand {
    var key = self
    key.isDecisive = false
    return key
  }
}

/// The events that follow from the states of regions.
enum RegionChanges {
  /// - Parameter old: `nil`: the states were not known before.
  static func events(
    from old: [MonitorModel.NamedRegion]?, to new: [MonitorModel.NamedRegion]
  ) -> [MonitorEvent.Change] {
    guard let old else { return [] }
    return new.compactMap { region in
      let before = old.first { $0.name == region.name && $0.info.region.id == region.info.region.id }
      guard let before, before.info.state != region.info.state else { return nil }
      let id = "\(region.name) \"\(region.info.region.id)\""
      switch region.info.state {
      case .inside: return .init("entered \(id)", .good)
      case .outside: return .init("left \(id)")
      case .unknown: return .init("\(id): position not known any more")
      }
    }
  }
}
