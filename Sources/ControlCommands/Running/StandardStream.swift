import Glibc

/// Standard output or standard error.
///
/// It is unbuffered, so that the next command of a pipe gets every line at once. SIGPIPE must be ignored.
final class StandardStream: TextSink {
  private let descriptor: Int32
  private(set) var isBroken = false

  /// - Parameter descriptor: `STDOUT_FILENO` or `STDERR_FILENO`.
  init(_ descriptor: Int32) {
    self.descriptor = descriptor
  }

  var isTerminal: Bool { isatty(self.descriptor) == 1 }

  var columns: Int {
    var size = winsize()
    let result = unsafe ioctl(self.descriptor, UInt(TIOCGWINSZ), &size)
    return result == 0 && size.ws_col > 0 ? Int(size.ws_col) : 80
  }

  func write(_ text: String) {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty, !self.isBroken {
      let descriptor = self.descriptor
      let count = unsafe bytes.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
      let code = errno
      if count >= 0 {
        bytes = bytes.dropFirst(count)
      } else if code == EAGAIN {
        // Another program on the same terminal made it non-blocking.
        var poller = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = unsafe poll(&poller, 1, -1)
      } else if code != EINTR {
        self.isBroken = true
      }
    }
  }
}
