import CLinux
import Glibc
package import Positioning

extension Principal {
  /// The peer of a Unix socket, as the kernel recorded it at connect; its unit is the present one. The kernel knows no
  /// names.
  ///
  /// - Throws: when the socket is not a connected Unix socket.
  package init(peerOf socket: FileDescriptor) throws(SystemError) {
    var pid: pid_t = 0
    var uid: uid_t = 0
    var gid: gid_t = 0
    _ = try SystemError.check(
      unsafe clinux_peer_credentials(socket.rawValue, &pid, &uid, &gid), "ask for the peer's credentials")
    // For a socket without a peer the kernel's answer is empty.
    guard pid != 0 else { throw SystemError(code: ENOTCONN, call: "ask for the peer's credentials") }
    self.init(
      uid: uid, gid: gid, pid: pid, groups: try Self.groups(ofPeerOf: socket), unit: PeerUnit(ofPeerOf: socket))
  }

  private static func groups(ofPeerOf socket: FileDescriptor) throws(SystemError) -> [UInt32] {
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
