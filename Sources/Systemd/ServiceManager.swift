import CSystemd
package import EventLoop
import Glibc
import Printable

/// Notifications to the service manager with sd_notify(3). Without a manager nothing happens.
package enum ServiceManager {
  package enum State: Hashable, Sendable {
    /// The sockets listen and the configuration is valid.
    case ready
    /// The configuration is being read again; `ready` follows. The time on the monotonic clock shows systemd which reload
    /// this answers.
    case reloading(since: Duration)
    case stopping
  }

  /// - Parameters:
  ///   - state: `nil`: it stays, and only the status changes.
  ///   - status: one line for `systemctl status`.
  package static func notify(_ state: State?, status: String) {
    // A missing manager, or one that does not read, is no error of the daemon.
    _ = unsafe sd_notify(0, self.message(state, status: status))
  }

  /// The text of a notification; a state comes first, whatever the status says.
  package static func message(_ state: State?, status: String) -> String {
    let assignments: [String] =
      switch state {
      case nil: []
      case .ready: ["READY=1"]
      case .reloading(let since): ["RELOADING=1", "MONOTONIC_USEC=\(since.attoseconds / 1_000_000_000_000)"]
      case .stopping: ["STOPPING=1"]
      }
    return (assignments + ["STATUS=\(status.printable)"]).joined(separator: "\n")
  }
}

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
