import CSystemd
package import EventLoop
import Glibc

/// A socket that systemd made and passed in.
package struct PassedSocket {
  /// `FileDescriptorName=` of its unit; systemd passes `unknown` if the unit does not set it.
  package let name: String
  package let listener: any StreamListener

  package var isUnix: Bool { self.listener is UnixListener }

  /// Whether it listens at this port, at any address.
  package func listens(at port: Int) -> Bool {
    (self.listener as? TCPListener).map { Int($0.localPort) == port } ?? false
  }

  /// Whether it listens at this path and not elsewhere.
  package func listens(at path: String) -> Bool {
    unsafe sd_is_socket_unix(self.listener.descriptor.rawValue, Int32(SOCK_STREAM.rawValue), 1, path, 0) > 0
  }
}

extension ServiceManager {
  /// The sockets that systemd passed in, if any. The environment variables are removed by the first call.
  ///
  /// - Throws: if one is not a listening stream socket of Unix or TCP, with a description.
  package static func passedSockets() throws(SystemError) -> [PassedSocket] {
    var sockets: [PassedSocket] = []
    for (place, name) in try self.passedNames().enumerated() {
      // The first has the number 3, after the three standard descriptors.
      sockets.append(PassedSocket(name: name, listener: try FileDescriptor.adoptListener(3 + Int32(place))))
    }
    return sockets
  }

  /// The names of the passed descriptors, in the order of their numbers.
  private static func passedNames() throws(SystemError) -> [String] {
    var names: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
    let count = unsafe sd_listen_fds_with_names(1, &names)
    defer { unsafe free(names) }
    guard count >= 0 else { throw SystemError(code: -count, call: "read which sockets systemd passed in") }
    return (0..<Int(count)).map { place in
      let name = unsafe names?[place]
      defer { unsafe free(name) }
      return unsafe name.map { unsafe String(cString: $0) } ?? ""
    }
  }
}
