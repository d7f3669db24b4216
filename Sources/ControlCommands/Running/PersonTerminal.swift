import EventLoop
import Glibc

/// The terminal of a person, even if standard input and output are redirected.
enum PersonTerminal {
  /// Opens it again, so that settings on it do not affect other programs.
  ///
  /// - Returns: `nil` if the process has none.
  static func open() throws(SystemError) -> FileDescriptor? {
    let number = unsafe Glibc.open("/dev/tty", O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
    if number >= 0 { return try FileDescriptor(adopting: number) }
    switch errno {
    case ENXIO, ENOENT, EIO: return nil
    default: throw SystemError.last("open /dev/tty")
    }
  }
}
