import Glibc

/// The file of subordinate numbers, read again whenever it has changed.
///
/// It is a local file, which waits for no server, so it is read on the loop's thread: whose place a client takes must be
/// known before anything else of it is.
package struct SubordinateFile {
  package static let systemPath = "/etc/subuid"

  /// More than the ranges of all users of a machine need.
  private static let mostBytes = 64 << 20

  /// What changes when the file does.
  private struct Version: Equatable {
    let device: dev_t
    let inode: ino_t
    let size: off_t
    let seconds: time_t
    let nanoseconds: Int
  }

  private let path: String
  private var version: Version?
  private var numbers = SubordinateNumbers([])

  package init(path: String = SubordinateFile.systemPath) { self.path = path }

  /// Returns the present content of a file each time it is called.
  package static func reader(of path: String = SubordinateFile.systemPath) -> () -> SubordinateNumbers {
    var file = SubordinateFile(path: path)
    return { file.current }
  }

  /// The present content. Without a file nobody has subordinate numbers.
  package var current: SubordinateNumbers {
    mutating get {
      var status = stat()
      guard unsafe stat(self.path, &status) == 0 else {
        self.version = nil
        return errno == ENOENT ? SubordinateNumbers([]) : .unreadable
      }
      let version = Version(
        device: status.st_dev, inode: status.st_ino, size: status.st_size, seconds: status.st_ctim.tv_sec,
        nanoseconds: status.st_ctim.tv_nsec)
      if version == self.version { return self.numbers }
      do throws(SystemError) {
        self.numbers = SubordinateNumbers(try self.read())
        self.version = version
        return self.numbers
      } catch {
        self.version = nil
        return .unreadable
      }
    }
  }

  private func read() throws(SystemError) -> [UInt8] {
    // Without O_NONBLOCK a FIFO would block the loop for ever.
    let number = unsafe open(self.path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard number >= 0 else { throw SystemError.last("open \(self.path)") }
    let file = try FileDescriptor(adopting: number)
    var bytes: [UInt8] = []
    while bytes.count <= Self.mostBytes {
      switch try file.read(into: &bytes, upTo: 1 << 16) {
      case .bytes: continue
      case .endOfFile, .wouldBlock: return bytes
      }
    }
    throw SystemError(code: EFBIG, call: "read \(self.path)")
  }
}
