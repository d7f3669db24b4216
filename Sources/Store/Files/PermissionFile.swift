import EventLoop
import Glibc

/// A copy of what was decided of permission, beside the database: it can be read where that cannot, on a file system that
/// is read-only, or after the database was set aside. Without it what was denied, or turned off, would come to be allowed.
struct PermissionFile {
  /// What reading it comes to.
  enum Content {
    case record(PermissionRecord)
    /// Its folder is there, and it is not.
    case absent
    /// In words why not.
    case unreadable(String)
  }

  /// More than all users of a machine could fill.
  private static let mostBytes = 64 << 20

  let path: String

  init(beside database: String) { self.path = "\(database).permission" }

  func read() -> Content {
    let descriptor = unsafe open(self.path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else {
      let error = SystemError.last("open \(self.path)")
      return error.code == ENOENT && self.hasFolder ? .absent : .unreadable("\(error)")
    }
    var bytes: [UInt8] = []
    do throws(SystemError) {
      let file = try FileDescriptor(adopting: descriptor)
      while case .bytes = try file.read(into: &bytes, upTo: 1 << 16), bytes.count <= Self.mostBytes {}
    } catch {
      return .unreadable("\(self.path): \(error)")
    }
    do throws(UnreadableRecord) {
      let record = try PermissionRecord(body: String(decoding: bytes, as: UTF8.self))
      return record.version == 1 ? .record(record) : .unreadable("\(self.path): written by a later positiond")
    } catch {
      return .unreadable("\(self.path): \(error.description)")
    }
  }

  /// Puts the record in the file's place, at once and for good.
  func write(_ record: PermissionRecord) throws(StoreError) {
    let new = "\(self.path).new"
    do throws(SystemError) {
      unsafe unlink(new)
      let descriptor = unsafe open(new, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
      guard descriptor >= 0 else { throw SystemError.last("open \(new)") }
      let file = try FileDescriptor(adopting: descriptor)
      var bytes = Array(record.body.utf8)[...]
      while !bytes.isEmpty {
        guard case .wrote(let count) = try file.write(bytes) else { throw SystemError(code: EIO, call: "write \(new)") }
        bytes = bytes.dropFirst(count)
      }
      guard fsync(descriptor) == 0 else { throw SystemError.last("write \(new)") }
      guard unsafe rename(new, self.path) == 0 else { throw SystemError.last("rename \(new)") }
    } catch {
      throw StoreError(error)
    }
    StoreFile.synchronize(StoreFile.folder(of: self.path))
  }

  private var hasFolder: Bool {
    var status = stat()
    return unsafe stat(StoreFile.folder(of: self.path), &status) == 0
  }
}
