import Positioning
import Systemd

/// One of GeoClue's client objects.
struct ClientObject {
  private enum Phase {
    case idle
    /// The daemon is asked whether the program may know; these calls of Start wait.
    case starting([GeoClueService.CallNumber])
    case active
    /// Permission was taken away since, and by another need than what is followed, if that was set since.
    case suspended(hasNewNeed: Bool)
  }

  let number: GeoClueService.ClientNumber
  /// The program's own name on the bus.
  let owner: String
  let uid: UInt32
  /// The number with which it is counted.
  let countedAs: UInt32
  private var desktopID = ""
  private var need = LocationNeed()
  private var phase = Phase.idle
  /// The announced locations: the last, and the one before it, which LocationUpdated names too.
  private var locations: [(number: Int, location: Location)] = []
  private var lastLocation = -1

  init(number: GeoClueService.ClientNumber, owner: String, uid: UInt32, countedAs: UInt32) {
    self.number = number
    self.owner = owner
    self.uid = uid
    self.countedAs = countedAs
  }

  /// A desktop id is shown and decides nothing. The daemon takes a name of this many bytes.
  private static let longestName = 64

  /// The path that stands for no object.
  private static let nowhere = "/"

  var path: String { "\(GeoClueService.root)/Client/\(self.number)" }

  var isActive: Bool { if case .active = self.phase { true } else { false } }

  private var locationPath: String { self.locations.last.map { self.path(of: $0.number) } ?? Self.nowhere }

  private func path(of location: Int) -> String { "\(self.path)/Location/\(location)" }

  func location(at path: String) -> Location? {
    self.locations.first { self.path(of: $0.number) == path }?.location
  }

  var properties: [String: BusValue] {
    [
      "Location": .objectPath(self.locationPath),
      "DistanceThreshold": .uint32(self.need.distanceThreshold),
      "TimeThreshold": .uint32(self.need.timeThreshold),
      "DesktopId": .string(self.desktopID),
      "RequestedAccuracyLevel": .uint32(self.need.level.rawValue),
      "Active": .boolean(self.isActive),
    ]
  }

  /// Sets a property, whose type was checked. An active client follows the new need.
  mutating func set(_ property: String, _ value: BusValue) throws(BusError) -> [GeoClueService.Action] {
    var need = self.need
    switch (property, value) {
    case ("DesktopId", .string(let text)):
      guard text.utf8.count <= GeoClueService.longestDesktopID else {
        throw BusError(.limitsExceeded, "DesktopId has at most \(GeoClueService.longestDesktopID) bytes")
      }
      guard text != self.desktopID else { return [] }
      self.desktopID = text
    case ("DistanceThreshold", .uint32(let meters)): need.distanceThreshold = meters
    case ("TimeThreshold", .uint32(let seconds)): need.timeThreshold = seconds
    case ("RequestedAccuracyLevel", .uint32(let number)): need.level = RequestedLevel(number: number)
    default: preconditionFailure("\(property) is not writable, or of another type")
    }
    if need == self.need, property != "DesktopId" { return [] }
    let hasChanged = need != self.need
    self.need = need
    var actions = [self.changed([property: self.properties[property] ?? value])]
    switch self.phase {
    case .active where hasChanged: actions.append(.follow(self.number, need))
    // A new subscription would be refused, and then nothing would notice that permission returns.
    case .suspended where hasChanged: self.phase = .suspended(hasNewNeed: true)
    case .idle, .starting, .active, .suspended: break
    }
    return actions
  }

  mutating func start(_ call: GeoClueService.CallNumber) throws(BusError) -> [GeoClueService.Action] {
    switch self.phase {
    case .idle:
      guard !self.desktopID.isEmpty else { throw BusError(.accessDenied, "'DesktopId' property must be set") }
      self.phase = .starting([call])
      return [.authorize(self.number, uid: self.uid, desktopID: self.shownDesktopID, self.need.level.precision)]
    case .starting(let calls):
      guard calls.count < GeoClueService.maxWaitingCalls else {
        throw BusError(.limitsExceeded, "too many calls of this program wait")
      }
      self.phase = .starting(calls + [call])
      return []
    case .active, .suspended: return [.reply(call, [])]
    }
  }

  /// The longest beginning that the daemon takes as a name.
  private var shownDesktopID: String {
    // Not by characters: one may be as long as the text.
    var text = self.desktopID
    while text.utf8.count > Self.longestName { text.unicodeScalars.removeLast() }
    return text
  }

  mutating func stop(_ call: GeoClueService.CallNumber) -> [GeoClueService.Action] {
    self.end(because: BusError(.failed, "the client was stopped")) + [.reply(call, [])]
  }

  /// The object is gone, or its program is.
  mutating func removed() -> [GeoClueService.Action] {
    switch self.phase {
    case .idle: []
    case .starting(let calls):
      calls.map { .fail($0, BusError(.failed, "the client was removed")) } + [.release(self.number)]
    case .active, .suspended: [.release(self.number)]
    }
  }

  mutating func decided(_ decision: GeoClueService.Decision) -> [GeoClueService.Action] {
    guard case .starting(let calls) = self.phase else { return [] }
    let error: BusError
    switch decision {
    case .granted:
      self.phase = .active
      return [self.changed(["Active": .boolean(true)])] + calls.map { .reply($0, []) }
        + [.follow(self.number, self.need)]
    case .denied(let words): error = BusError(.accessDenied, words)
    case .unreachable(let words): error = BusError(.failed, words)
    }
    self.phase = .idle
    return calls.map { .fail($0, error) } + [.release(self.number)]
  }

  mutating func located(_ location: Location) -> [GeoClueService.Action] {
    guard self.isActive, self.need.announces(location, after: self.locations.last?.location) else { return [] }
    let old = self.locationPath
    self.lastLocation += 1
    self.locations = self.locations.suffix(1) + [(self.lastLocation, location)]
    let new = self.locationPath
    return [
      self.changed(["Location": .objectPath(new)]),
      .signal(
        path: self.path, interface: Interface.client.name, member: "LocationUpdated",
        [.objectPath(old), .objectPath(new)], to: self.owner),
    ]
  }

  /// If an announced location reveals more than the program may know from now on, none of them can be read any more.
  mutating func permitted(_ precision: Precision?) -> [GeoClueService.Action] {
    let isAbove = self.locations.contains { location in precision.map { location.location.fix.reveals > $0 } ?? true }
    return isAbove ? self.forgetLocations() : []
  }

  private mutating func forgetLocations() -> [GeoClueService.Action] {
    guard !self.locations.isEmpty else { return [] }
    self.locations = []
    return [self.changed(["Location": .objectPath(Self.nowhere)])]
  }

  mutating func suspended(_ isSuspended: Bool) -> [GeoClueService.Action] {
    switch self.phase {
    case .active where isSuspended:
      self.phase = .suspended(hasNewNeed: false)
      return self.forgetLocations() + [self.changed(["Active": .boolean(false)])]
    case .suspended(let hasNewNeed) where !isSuspended:
      self.phase = .active
      let following: [GeoClueService.Action] = hasNewNeed ? [.follow(self.number, self.need)] : []
      return [self.changed(["Active": .boolean(true)])] + following
    case .idle, .starting, .active, .suspended: return []
    }
  }

  /// The daemon delivers nothing more.
  mutating func ended() -> [GeoClueService.Action] {
    self.end(because: BusError(.failed, "positiond delivers nothing more"))
  }

  private mutating func end(because error: BusError) -> [GeoClueService.Action] {
    let phase = self.phase
    self.phase = .idle
    switch phase {
    case .idle: return []
    case .starting(let calls): return calls.map { .fail($0, error) } + [.release(self.number)]
    case .active:
      // Without its connection it does not notice when its program may know less.
      return [.release(self.number)] + self.forgetLocations() + [self.changed(["Active": .boolean(false)])]
    case .suspended: return [.release(self.number)]
    }
  }

  /// The signal that these properties have changed, to its own program alone.
  private func changed(_ values: [String: BusValue]) -> GeoClueService.Action {
    .changed(self.path, .client, values, to: self.owner)
  }
}
