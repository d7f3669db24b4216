import PositionClient
import PositionProtocol
import Positioning
import ReceiverPorts

/// The finding about the daemon.
enum DaemonFinding: Hashable {
  case unreachable(PositionError)
  /// It accepted the connection and did not answer in time.
  case silent
  case answers(SessionHelloRequest.Result, DaemonStatus)

  var status: DaemonStatus? {
    if case .answers(_, let status) = self { status } else { nil }
  }

  /// Where the daemon expects gpsd; `nil` if it does not say.
  var gpsdAddress: GpsdAddress? { self.status?.gpsd.address.flatMap { GpsdAddress($0) } }
}

extension ReceiverDevice {
  /// Whether its path is a file, and not a network address such as `tcp://host:port`.
  var isFile: Bool { self.path.hasPrefix("/") }
}

/// The findings about this machine.
struct MachineFinding: Hashable {
  /// A device's file.
  enum DeviceFile: Hashable {
    case absent
    /// The permissions (`rw-rw----` as 0o660) and the group's name, if it has one.
    case present(mode: UInt32, group: String?)
  }

  /// By path.
  var files: [String: DeviceFile] = [:]
  /// The paths of receivers whose USB device can be turned off by its `authorized` file.
  var switchableFiles: Set<String> = []
  var isModemManagerRunning = false
  /// Whether AppArmor is enforced by the kernel, and gpsd's profile is installed.
  var hasGpsdProfile = false
  /// `nil` if it is unknown.
  var isClockSynchronized: Bool?
  /// `nil` where it was not checked.
  var configuration: ConfigurationFinding?
  /// Whether gpsd has shared memory in which every user can read positions.
  var isSharedMemoryOpen = false
}
