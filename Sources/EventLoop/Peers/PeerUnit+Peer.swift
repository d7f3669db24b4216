import CLinux
import Glibc
import Positioning

extension PeerUnit {
  /// The unit of the process that connected, as it is now.
  ///
  /// - Parameter read: a process's control groups, by its number.
  init(ofPeerOf socket: FileDescriptor, read: (pid_t) -> String? = Self.controlGroups) {
    // A number is free again once its process is gone, and may be another's. The kernel's handle of the process stays
    // that of the one that connected: while that one lives, the number is its own. An older kernel has no handle to
    // give (Linux 6.5), and none for a process that is gone.
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

  /// `nil` where it cannot be read: the process is gone, or hidden from this one.
  private static func controlGroups(of pid: pid_t) -> String? {
    // Far more than the deepest path on every hierarchy.
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
