import EventLoop
import Glibc
import TestSupport

/// The service manager's end of sd_notify(3): a datagram socket that receives a daemon's notifications.
final class NotifySocket {
  /// For the daemon's environment.
  let path: String
  private let socket: FileDescriptor

  init(path: String) throws {
    self.path = path
    let socket = try FileDescriptor(
      adopting: Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0))
    guard unsafe withUnixAddress(path, { unsafe bind(socket.rawValue, $0, $1) }) == 0 else {
      throw SystemError.last("bind \(path)")
    }
    self.socket = socket
  }

  /// The next notification, one assignment in each line.
  func next(within seconds: Double = TestDeadline.seconds) throws -> [String] {
    let deadline = monotonicSeconds() + seconds
    var bytes: [UInt8] = []
    while case .wouldBlock = try self.socket.read(into: &bytes, upTo: 4096) {
      let left = deadline - monotonicSeconds()
      guard left > 0 else { throw TimedOut("no notice within \(seconds) s") }
      var poller = pollfd(fd: self.socket.rawValue, events: Int16(POLLIN), revents: 0)
      _ = unsafe poll(&poller, 1, Int32(left * 1000) + 1)
    }
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map { String($0) }
  }
}
