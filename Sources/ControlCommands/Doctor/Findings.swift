import PositionClient
import PositionProtocol

/// What there is to be seen of the daemon.
enum DaemonFinding: Hashable {
  case unreachable(PositionError)
  /// It took the connection and did not answer in time.
  case silent
  case answers(SessionHelloRequest.Result, StatusObject)

  var status: StatusObject? {
    if case .answers(_, let status) = self { status } else { nil }
  }
}

/// What there is to be seen of gpsd, without asking it to open its receiver.
enum GpsdFinding: Hashable {
  /// Nobody listens there; or a packet filter keeps out who asks.
  case refused
  /// Nobody answers, in the system's words.
  case unreachable(String)
  /// It took the connection and said nothing: systemd holds the port, and gpsd does not start; or it hangs.
  case silent
  /// It closed the connection without a word: it serves as many clients as it can.
  case full
  /// Something else is there.
  case otherProgram
  case speaks(version: String, devices: [Device]?)

  /// Whether somebody took the connection.
  var isReached: Bool {
    switch self {
    case .refused, .unreachable: false
    case .silent, .full, .otherProgram, .speaks: true
    }
  }

  struct Device: Hashable {
    /// As gpsd knows it; a file, or a network address such as `tcp://host:port`.
    var path: String
    var driver: String?
    /// Whether gpsd has it open.
    var isOpen: Bool

    var isFile: Bool { self.path.hasPrefix("/") }
  }
}

/// What there is to be seen of this machine.
struct MachineFacts: Hashable {
  /// A device's file.
  enum DeviceFile: Hashable {
    case absent
    /// The permissions (`rw-rw----` as 0o660) and the group's name, where it has one.
    case present(mode: UInt32, group: String?)
  }

  /// By path.
  var files: [String: DeviceFile] = [:]
  var isModemManagerRunning = false
  /// Whether AppArmor is enforced by the kernel, and gpsd's profile is installed.
  var hasGpsdProfile = false
  /// `nil` where nobody says.
  var isClockSynchronized: Bool?
  /// Whether gpsd has shared memory in which every user can read positions.
  var isSharedMemoryOpen = false
}
