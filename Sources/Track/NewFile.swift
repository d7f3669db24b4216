package import EventLoop
package import Glibc

/// A file that replaces the one at its path only when it is complete.
///
/// It is written to the same folder, so that the replacement is one step of the file system, under a name that nobody can
/// know before: in a folder that others may write to, they could place a file of their own there.
package final class NewFile: TextOutputStream {
  private static let chunk = 1 << 16
  private static let ownersMode: mode_t = 0o600

  private let path: String
  private let temporaryPath: String
  /// It stays open after it was put in place.
  let file: FileDescriptor
  private var buffer: [UInt8] = []
  /// The first error; after it nothing is written.
  private var error: SystemError?
  private var isPlaced = false

  /// Creates the file, empty, in the folder of its final path.
  ///
  /// - Parameter mode: Who may read and write it, whatever the umask is; `nil`: its owner, as far as the umask allows. A track
  ///   says where its owner lives.
  package init(for path: String, mode: mode_t? = nil) throws(SystemError) {
    let folder = path.lastIndex(of: "/").map { path[...$0] } ?? ""
    let name = String(UInt64.random(in: .min ... .max), radix: 36)
    self.path = path
    self.temporaryPath = "\(folder).\(name).part"
    let number = unsafe open(self.temporaryPath, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, Self.ownersMode)
    guard number >= 0 else { throw SystemError.last("write \(path)") }
    self.file = try FileDescriptor(adopting: number)
    if let mode, fchmod(number, mode) != 0 { throw SystemError.last("change the mode of \(path)") }
  }

  /// Removes it unless it was put in place.
  deinit {
    if !self.isPlaced { _ = unsafe unlink(self.temporaryPath) }
  }

  package func write(_ text: String) {
    self.buffer += text.utf8
    if self.buffer.count >= Self.chunk { self.flush() }
  }

  /// Puts the whole file in place, durably.
  ///
  /// - Parameter replaces: Whether it replaces an existing file; if not, an existing file is an error, `EEXIST`.
  package func commit(replacing replaces: Bool) throws(SystemError) {
    self.flush()
    if let error = self.error { throw error }
    do throws(SystemError) {
      try self.file.synchronize()
    } catch {
      throw SystemError(code: error.code, call: "write \(self.path)")
    }
    if !replaces {
      if try self.link() { return }
      try self.reserve()
    }
    guard unsafe rename(self.temporaryPath, self.path) == 0 else { throw SystemError.last("write \(self.path)") }
    self.isPlaced = true
  }

  /// Links it to its path, if no file is there.
  ///
  /// - Returns: Whether the file system supports that.
  private func link() throws(SystemError) -> Bool {
    if unsafe Glibc.link(self.temporaryPath, self.path) == 0 { return true }
    switch errno {
    case EPERM, EOPNOTSUPP, ENOSYS, EMLINK: return false
    default: throw SystemError.last("write \(self.path)")
    }
  }

  /// Reserves its path, if no file is there, with an empty file that is replaced at once.
  private func reserve() throws(SystemError) {
    let number = unsafe open(self.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, Self.ownersMode)
    guard number >= 0 else { throw SystemError.last("write \(self.path)") }
    close(number)
  }

  private func flush() {
    var rest = self.buffer[...]
    do throws(SystemError) {
      while self.error == nil, !rest.isEmpty {
        if case .wrote(let count) = try self.file.write(rest) { rest = rest.dropFirst(count) }
      }
    } catch {
      self.error = SystemError(code: error.code, call: "write \(self.path)")
    }
    self.buffer.removeAll(keepingCapacity: true)
  }
}
