package import Positioning
package import ReceiverPorts

/// Asks gpsd once for its version and its receivers.
///
/// It does not watch, because a watch would open the receiver. In gpsd's list, a device that gpsd does not have open
/// lacks `activated`.
package struct GpsdProbe: Sendable {
  package enum Action: Hashable, Sendable {
    case connect(address: String)
    case send(String)
    case close
    /// Call `deadlineReached` at that moment.
    case arm(Instant)
    case finish(GpsdFinding)
  }

  private enum State: Hashable, Sendable {
    case connecting(attempt: Int)
    case banner
    case list(version: String)
    case finished
  }

  private let settings: GpsdSettings
  private let limit: Duration
  private var state = State.connecting(attempt: 0)

  /// - Parameter limit: How long gpsd may take.
  package init(settings: GpsdSettings, limit: Duration) {
    self.settings = settings
    self.limit = limit
  }

  package func started(now: Instant) -> [Action] {
    [.arm(now + self.limit), .connect(address: self.settings.addresses[0])]
  }

  package mutating func connected() -> [Action] {
    guard case .connecting = self.state else { return [] }
    self.state = .banner
    return []
  }

  /// - Parameter isRefused: Whether the system's error was "Connection refused".
  package mutating func connectionFailed(_ reason: String, isRefused: Bool) -> [Action] {
    guard case .connecting(let attempt) = self.state else { return [] }
    guard attempt + 1 < self.settings.addresses.count else {
      return self.finish(isRefused ? .refused : .unreachable(reason), closing: false)
    }
    self.state = .connecting(attempt: attempt + 1)
    return [.connect(address: self.settings.addresses[attempt + 1])]
  }

  package mutating func connectionEnded(_ end: ConnectionEnd) -> [Action] {
    if case .list(let version) = self.state {
      return self.finish(.speaks(version: version, devices: nil), closing: false)
    }
    return self.finish(end == .closed ? .otherProgram : .full, closing: false)
  }

  package mutating func received(_ message: GpsdMessage) -> [Action] {
    switch (self.state, message) {
    case (.banner, .version(let release, _, _)) where GpsdReport.isOwn(release: release):
      return self.finish(.positiond, closing: true)
    case (.banner, .version(let release, _, _)):
      self.state = .list(version: release)
      return [.send(GpsdRequest.devices)]
    case (.banner, _):
      return self.finish(.otherProgram, closing: true)
    case (.list(let version), .devices(let devices)):
      return self.finish(.speaks(version: version, devices: devices), closing: true)
    case (.list, _), (.connecting, _), (.finished, _):
      return []
    }
  }

  /// - Parameter hasHeard: Whether any byte arrived.
  package mutating func deadlineReached(hasHeard: Bool) -> [Action] {
    switch self.state {
    case .connecting: self.finish(.unreachable("no answer"), closing: true)
    case .banner: self.finish(hasHeard ? .otherProgram : .silent, closing: true)
    case .list(let version): self.finish(.speaks(version: version, devices: nil), closing: true)
    case .finished: []
    }
  }

  private mutating func finish(_ finding: GpsdFinding, closing: Bool) -> [Action] {
    guard self.state != .finished else { return [] }
    self.state = .finished
    return (closing ? [.close] : []) + [.finish(finding)]
  }
}

/// The result of a probe of gpsd.
package enum GpsdFinding: Hashable, Sendable {
  /// No program listens there, or a packet filter rejects this user.
  case refused
  /// There is no connection; the text is the system's error.
  case unreachable(String)
  /// It accepts the connection and sends nothing: systemd holds the port and gpsd does not start, or gpsd hangs.
  case silent
  /// It closes the connection at once: it has its maximum of clients.
  case full
  /// Another program answers there.
  case otherProgram
  /// positiond itself answers there, in gpsd's place.
  case positiond
  /// - devices: `nil` if gpsd did not list them in time.
  case speaks(version: String, devices: [ReceiverDevice]?)

  /// Whether something accepts connections there.
  package var isReached: Bool {
    switch self {
    case .refused, .unreachable: false
    case .silent, .full, .otherProgram, .positiond, .speaks: true
    }
  }

  /// Whether gpsd has the receiver open; `nil` if that is unknown.
  ///
  /// - Parameter device: The configured receiver; `nil` for any.
  package func isOpen(_ device: String?) -> Bool? {
    guard case .speaks(_, let devices?) = self else { return nil }
    return devices.contains { (device == nil || $0.path == device) && $0.isActivated }
  }
}
