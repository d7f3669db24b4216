import CLinux
import Glibc

extension FileDescriptor {
  /// The next connection of a listening socket, or nil when none waits.
  func acceptConnection() throws(SystemError) -> FileDescriptor? {
    if case .memory(let stream) = handle { return try stream.accept().map { FileDescriptor($0) } }
    while true {
      let number = clinux_accept(rawValue)
      let code = errno
      if number >= 0 { return try FileDescriptor(adopting: number) }
      switch code {
      case EAGAIN, EWOULDBLOCK: return nil
      // This client has disconnected; another may be waiting.
      case ECONNABORTED, EINTR, EPROTO: continue
      default: throw SystemError(code: code, call: "accept")
      }
    }
  }
}
