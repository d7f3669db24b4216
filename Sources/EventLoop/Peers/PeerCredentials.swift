import CLinux
package import Glibc

/// The peer of a Unix socket as the kernel recorded it when the connection was made; its unit as it is
/// now.
package struct PeerCredentials: Hashable, Sendable {
  package let pid: pid_t
  package let uid: uid_t
  package let gid: gid_t
  /// All its groups, the primary one perhaps among them, in the kernel's order.
  package let groups: [gid_t]
  package let unit: SystemUnit

  /// - Throws: when the socket is not a connected Unix socket.
  package init(of socket: FileDescriptor) throws(SystemError) {
    var pid: pid_t = 0
    var uid: uid_t = 0
    var gid: gid_t = 0
    _ = try SystemError.check(
      unsafe clinux_peer_credentials(socket.rawValue, &pid, &uid, &gid), "ask for the peer's credentials")
    // For a socket without a peer the kernel's answer is empty.
    guard pid != 0 else { throw SystemError(code: ENOTCONN, call: "ask for the peer's credentials") }
    self.pid = pid
    self.uid = uid
    self.gid = gid
    self.groups = try Self.groups(of: socket)
    self.unit = SystemUnit(ofPeerOf: socket)
  }

  private static func groups(of socket: FileDescriptor) throws(SystemError) -> [gid_t] {
    var groups = [gid_t](repeating: 0, count: 64)
    while true {
      let count = Int(
        try SystemError.check(
          unsafe clinux_peer_groups(socket.rawValue, &groups, Int32(groups.count)), "ask for the peer's groups"))
      if count <= groups.count { return Array(groups.prefix(count)) }
      groups = [gid_t](repeating: 0, count: count)
    }
  }
}
