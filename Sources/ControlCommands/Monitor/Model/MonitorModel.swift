import JSONRPC
import PositionClient
import PositionProtocol
import Positioning

/// What `positionctl monitor` knows: made of the daemon's notifications and answers, one method for each.
struct MonitorModel {
  /// What is known of one thing.
  enum Reading<Value: Sendable>: Sendable {
    /// The daemon has said nothing yet.
    case waiting
    case known(Value)
    /// Why it is not known, in words that stand in its place.
    case missing(String)

    var value: Value? { if case .known(let value) = self { value } else { nil } }
  }

  /// A fix, and what the daemon said with it.
  struct Position: Sendable {
    /// The newest fix; `nil`: there was none.
    var fix: Fix?
    /// The level of accuracy that it reached.
    var level: AccuracyLevel?
    var availability: Availability
  }

  /// A region of a durable name.
  struct NamedRegion: Hashable, Sendable {
    var name: String
    var info: RegionInfo
  }

  /// Whether it keeps the receiver on, by `--on`.
  let keepsOn: Bool
  private(set) var status = Reading<DaemonStatus>.waiting
  private(set) var position = Reading<Position>.waiting
  /// `nil`: the receiver has reported no sky.
  private(set) var sky = Reading<Sky?>.waiting
  private(set) var regions = Reading<[NamedRegion]>.waiting
  private(set) var track = MonitorTrack()
  private(set) var events = MonitorEvents()

  init(keepsOn: Bool) { self.keepsOn = keepsOn }

  // MARK: What the daemon says

  /// - Returns: The events that follow from it, here and in the other methods.
  @discardableResult
  mutating func received(_ status: DaemonStatus, at moment: CodingMoment) -> [MonitorEvent] {
    let changes = StatusChanges.events(from: self.status.value, to: status)
    self.status = .known(status)
    return self.events.add(changes, at: moment)
  }

  mutating func received(_ update: PositionUpdate, at moment: CodingMoment) {
    if update.state == .suspended { return self.suspended() }
    let newest = update.fix ?? update.fixes.last
    var position = self.position.value ?? Position(availability: update.availability)
    position.availability = update.availability
    if let newest {
      (position.fix, position.level) = (newest, update.achievedAccuracy)
      self.track.add(newest)
    }
    if update.reason == .lost { self.track.interrupt() }
    self.position = .known(position)
  }

  /// The subscription to positions is established.
  mutating func began(_ availability: Availability) {
    self.position = .known(Position(fix: self.position.value?.fix, availability: availability))
  }

  /// Permission was withdrawn.
  mutating func suspended() {
    self.position = .missing("permission was withdrawn; positions come again when it is granted")
  }

  mutating func received(_ sky: Sky?) { self.sky = .known(sky) }

  mutating func received(_ names: [DurableInfo], at moment: CodingMoment) {
    let regions = names.flatMap { name in name.regions.map { NamedRegion(name: name.name, info: $0) } }
    let changes = RegionChanges.events(from: self.regions.value, to: regions)
    self.regions = .known(regions)
    self.events.add(changes, at: moment)
  }

  // MARK: What it does not say

  /// The parts that the daemon may refuse.
  enum Part: CaseIterable {
    case position, sky, regions
  }

  mutating func refused(_ part: Part, _ error: PositionError, at moment: CodingMoment) {
    let words = MonitorModel.words(error)
    // All parts are refused for one reason, and again and again, which is one event.
    let isNews = if part == .position, case .missing(words) = self.position { false } else { part == .position }
    switch part {
    case .position: self.position = .missing(words)
    case .sky: self.sky = .missing(words)
    case .regions: self.regions = .missing(words)
    }
    if isNews { self.noted(words, .bad, at: moment) }
  }

  /// Something that is no state, such as that a person is asked.
  mutating func noted(_ text: String, _ emphasis: Line.Emphasis? = nil, at moment: CodingMoment) {
    self.events.add([MonitorEvent.Change(text, emphasis)], at: moment)
  }

  /// There is no connection to the daemon.
  @discardableResult
  mutating func disconnected(_ error: PositionError, at moment: CodingMoment) -> [MonitorEvent] {
    let words = MonitorModel.words(error)
    let isNews = if case .missing(words) = self.status { false } else { true }
    (self.status, self.position, self.sky, self.regions) = (
      .missing(words), .missing(words), .missing(Self.unconnected), .missing(Self.unconnected)
    )
    self.track.interrupt()
    return isNews ? self.events.add([MonitorEvent.Change(words, .bad)], at: moment) : []
  }

  /// The connection stands again: what was missing with it follows.
  mutating func reconnected() {
    if case .missing = self.status { self.status = .waiting }
  }

  /// What stands beside the whole reason.
  static let unconnected = "no connection to positiond"

  /// The error in one sentence, with what to do.
  static func words(_ error: PositionError) -> String {
    switch error {
    case .connectionLost(let reason): return "lost the connection to positiond (\(reason)); connecting again"
    case .daemonNotRunning, .cannotConnect: return "\(error); trying again" + self.remedy(error)
    case .notAllowedToConnect, .closed, .cancelled, .notPermitted, .failed, .unexpected:
      return ErrorFormat.line(error) + self.remedy(error)
    }
  }

  private static func remedy(_ error: PositionError) -> String {
    error.advice.map { "; what to do: \(PermissionAdvice.text($0))" } ?? ""
  }
}
