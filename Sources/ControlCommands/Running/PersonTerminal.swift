import EventLoop
import Glibc

/// The terminal with a person in front of it, wherever standard input and output lead.
enum PersonTerminal {
  /// Opens it anew, so that what is set on it changes it for nobody else.
  ///
  /// - Returns: `nil` where the process has none.
  static func open() throws(SystemError) -> FileDescriptor? {
    let number = unsafe Glibc.open("/dev/tty", O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
    if number >= 0 { return try FileDescriptor(adopting: number) }
    switch errno {
    case ENXIO, ENOENT, EIO: return nil
    default: throw SystemError.last("open /dev/tty")
    }
  }
}
