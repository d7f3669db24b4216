import EventLoop
import Glibc

/// Standard output or standard error.
///
/// It is unbuffered, so that the next command of a pipe gets every line at once.
final class StandardStream: TextSink {
  private let descriptor: Int32
  private(set) var loss: OutputLoss?

  /// - Parameter descriptor: `STDOUT_FILENO`, `STDERR_FILENO`, or that of a terminal.
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
    guard self.loss == nil else { return }
    do throws(SystemError) {
      try StandardStreams.write(text, to: self.descriptor)
    } catch {
      self.loss = error.code == EPIPE ? .readerGone : .failed(error)
    }
  }
}
