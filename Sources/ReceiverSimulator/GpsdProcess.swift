package import EventLoop
package import Glibc

/// A separate gpsd on a free port of the loopback, independent of the system's.
package final class GpsdProcess {
  /// Why there is no gpsd.
  package enum Failure: Error, Hashable, CustomStringConvertible {
    case notInstalled
    case system(SystemError)

    package var description: String {
      switch self {
      case .notInstalled:
        "gpsd is not installed: no \(GpsdProcess.places.joined(separator: ", nor ")); try: sudo apt install gpsd"
      case .system(let error): error.description
      }
    }
  }

  /// Where distributions put it.
  package static let places = ["/usr/sbin/gpsd", "/usr/local/sbin/gpsd", "/usr/bin/gpsd"]

  /// Its TCP port on 127.0.0.1. Connecting is refused for the first milliseconds.
  package var port: UInt16 { self.reservation.port }
  private let controlSocket: String
  /// The path of its standard error.
  package let log: String
  private let reservation: TCPReservation
  private let process: Subprocess

  /// Starts it. Without `keepsOpen` it opens the devices when a program watches and closes them a minute after the last
  /// one left, like the system's gpsd.
  ///
  /// - Parameters:
  ///   - devices: The devices that it reads; may be empty, since the control socket can add some.
  ///   - folder: For its socket and its log. If root runs this, every user can enter the folder from now on: gpsd drops
  ///   root's rights before it opens the devices, and must reach a link to one in the folder.
  ///   - port: For a gpsd that replaces another one; by default one is reserved for it.
  ///   - arguments: Further options, such as `-b`.
  ///   - environment: Further variables of its environment.
  ///   - exited: Called when it has ended for any reason.
  package init(
    devices: [String], folder: String, on loop: EventLoop, port: TCPReservation? = nil, keepsOpen: Bool = false,
    arguments: [String] = [], environment: [String: String] = [:],
    exited: @escaping (ChildExit) -> Void = { _ in }
  ) throws(Failure) {
    guard let installed = Self.places.first(where: { File.isExecutable($0) }) else { throw .notInstalled }
    do throws(SystemError) {
      let binary = Self.isConfined() ? try Self.copy(installed, into: folder) : installed
      if geteuid() == 0, unsafe chmod(folder, 0o711) != 0 { throw SystemError.last("chmod \(folder)") }
      self.reservation = if let port { port } else { try TCPReservation() }
      self.controlSocket = "\(folder)/gpsd.sock"
      self.log = "\(folder)/gpsd.log"
      let command = Command(
        binary,
        ["-N", "-S", "\(self.reservation.port)", "-F", self.controlSocket] + (keepsOpen ? ["-n"] : []) + arguments
          + devices,
        // The key of its shared memory: with the default key it would overwrite that of the system's gpsd.
        environment: [
          "GPSD_SHM_KEY": "\(0x5053_0000 + Int32(self.reservation.port))", "PATH": "/usr/sbin:/usr/bin:/sbin:/bin",
        ].merging(environment) { $1 },
        hasOwnGroup: true)
      self.process = try Subprocess(
        command, on: loop, output: .file(self.log), errors: .file(self.log), exited: exited)
    } catch {
      throw .system(error)
    }
  }

  package var pid: pid_t { self.process.pid }

  /// Sends one command to its control socket, as udev's rule does: `+` and a device that was added, `-` and one that
  /// was removed.
  package func control(_ command: String) throws(SystemError) {
    let socket = try UnixSocket.connect(path: self.controlSocket)
    // Closing ends the command: gpsd reads until then, and serves no client meanwhile.
    defer { socket.close() }
    _ = try socket.write(Array("\(command)\r\n".utf8)[...])
  }

  /// Asks it to end; `exited` is called when it has. It is killed when this object is released.
  package func stop() { self.process.send(SIGTERM) }
  package func kill() { self.process.send(SIGKILL) }
  /// Stops its process like a hanging gpsd, and continues it.
  package func freeze() { self.process.send(SIGSTOP) }
  package func thaw() { self.process.send(SIGCONT) }

  /// Whether AppArmor holds the installed gpsd to a profile, which allows serial ports and no pseudoterminals.
  private static func isConfined() -> Bool {
    // If the list cannot be read, there is no AppArmor, or it does not concern this user.
    guard let bytes = try? File.read("/sys/kernel/security/apparmor/profiles") else { return false }
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n")
      .contains { $0.contains("gpsd") && $0.hasSuffix("(enforce)") }
  }

  /// A private copy of the binary, at a path that no profile names.
  private static func copy(_ binary: String, into folder: String) throws(SystemError) -> String {
    let copy = "\(folder)/gpsd"
    try File.write(try File.read(binary), to: copy, mode: 0o700)
    return copy
  }
}
