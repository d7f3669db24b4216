package import ReceiverPorts

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
