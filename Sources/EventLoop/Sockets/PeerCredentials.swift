package import Glibc

import CLinux

/// Who is at the other end of a Unix socket, as the kernel recorded it when the connection was made.
package struct PeerCredentials: Hashable, Sendable {
  package let pid: pid_t
  package let uid: uid_t
  package let gid: gid_t

  /// - Throws: when the socket is not a connected Unix socket.
  package init(of socket: FileDescriptor) throws(SystemError) {
    var pid: pid_t = 0
    var uid: uid_t = 0
    var gid: gid_t = 0
    _ = try SystemError.check(
      unsafe clinux_peer_credentials(socket.rawValue, &pid, &uid, &gid), "ask for the peer's credentials")
    // For a socket without a peer the kernel answers, with nobody in it.
    guard pid != 0 else { throw SystemError(code: ENOTCONN, call: "ask for the peer's credentials") }
    self.pid = pid
    self.uid = uid
    self.gid = gid
  }
}
