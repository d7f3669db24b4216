import EventLoop
import Glibc

/// Reports that a program may have opened or closed a device file.
///
/// The master of a pseudoterminal reports when the other side is closed for the last time, but not when it is opened; the
/// file system's notifications do.
final class DeviceOpenings {
  private let notices: FileDescriptor
  private var watch: DescriptorWatch?

  /// `changed` is called after every opening and closing of the file at `path`; the caller must check which of the two
  /// happened.
  init(of path: String, on loop: EventLoop, changed: @escaping () -> Void) throws(SystemError) {
    let number = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
    guard number >= 0 else { throw SystemError.last("inotify_init1") }
    let notices = try FileDescriptor(adopting: number)
    self.notices = notices
    guard unsafe inotify_add_watch(number, path, UInt32(IN_OPEN | IN_CLOSE_WRITE | IN_CLOSE_NOWRITE)) >= 0 else {
      throw SystemError.last("watch for openings of \(path)")
    }
    self.watch = try loop.watch(notices, for: .read) { _ in
      // The contents of the notifications do not matter, nor whether they can be read: the device itself is checked.
      var unread: [UInt8] = []
      do throws(SystemError) { while case .bytes = try notices.read(into: &unread, upTo: 4096) {} } catch {}
      changed()
    }
  }

  func cancel() {
    self.watch?.cancel()
    self.notices.close()
  }
}
