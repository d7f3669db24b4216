import CSystemd
package import EventLoop
import Glibc

/// A socket that systemd made and passed in.
package struct PassedSocket {
  /// `FileDescriptorName=` of its unit.
  package let name: String
  package let listener: UnixListener
}

extension ServiceManager {
  /// The sockets that systemd passed in; none where it passed none. The environment tells of them once.
  ///
  /// - Throws: where one is not a Unix stream socket that listens, in words.
  package static func passedSockets() throws(SystemError) -> [PassedSocket] {
    var names: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
    let count = unsafe sd_listen_fds_with_names(1, &names)
    defer { unsafe free(names) }
    guard count >= 0 else { throw SystemError(code: -count, call: "sd_listen_fds_with_names") }
    var sockets: [PassedSocket] = []
    for place in 0..<Int(count) {
      let name = unsafe names?[place].map { unsafe String(cString: $0) } ?? ""
      unsafe free(names?[place])
      sockets.append(PassedSocket(name: name, listener: try UnixListener.adopt(3 + Int32(place))))
    }
    return sockets
  }
}
