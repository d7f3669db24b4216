import CLinux
import Glibc
import Positioning

extension PeerUnit {
  /// The unit of the process that connected, as it is now.
  ///
  /// - Parameter read: a process's control groups, by its number.
  init(ofPeerOf socket: FileDescriptor, read: (pid_t) -> String? = Self.controlGroups) {
    // After a process has ended, its number may be given to another. The kernel's handle refers to the process that
    // connected: while it lives, the number is its own. Before Linux 6.5 there is no handle, and none for an ended
    // process.
    let number = clinux_peer_process(socket.rawValue)
    guard number >= 0 else {
      self = .unknown
      return
    }
    defer { close(number) }
    let pid = clinux_process_number(number)
    guard pid > 0, let text = read(pid), clinux_process_lives(number) == 1 else {
      self = .unknown
      return
    }
    self.init(controlGroups: text)
  }

  /// `nil` if it cannot be read: the process has ended, or is hidden from this one.
  private static func controlGroups(of pid: pid_t) -> String? {
    // Larger than the deepest path.
    var bytes = [UInt8](repeating: 0, count: 64 << 10)
    let file = unsafe open("/proc/\(pid)/cgroup", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var count = 0
    while count < bytes.count {
      let more = unsafe bytes.withUnsafeMutableBytes { buffer in
        unsafe Glibc.read(file, buffer.baseAddress?.advanced(by: count), buffer.count - count)
      }
      if more < 0, errno == EINTR { continue }
      guard more >= 0 else { return nil }
      guard more > 0 else { return String(validating: bytes[..<count], as: UTF8.self) }
      count += more
    }
    return nil
  }
}
