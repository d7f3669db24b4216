import EventLoop
import Glibc

/// A symbolic link to the present terminal, like the links of udev in /dev/serial/by-id.
struct DeviceLink {
  let path: String

  /// Makes the link, in place of an existing one. A file that is not a link is left alone and is an error.
  func point(to target: String) throws(SystemError) {
    if self.target == nil, unsafe access(self.path, F_OK) == 0 {
      throw SystemError(code: EEXIST, call: "link \(self.path)", message: "there is a file that is not a link")
    }
    // Renaming replaces it in one step: the path always exists, also between two terminals.
    let temporary = "\(self.path).\(getpid())"
    guard unsafe symlink(target, temporary) == 0 else { throw SystemError.last("link \(temporary)") }
    guard unsafe rename(temporary, self.path) == 0 else {
      let error = SystemError.last("link \(self.path)")
      _ = unsafe unlink(temporary)
      throw error
    }
  }

  /// Removes the link, unless it points to another terminal now.
  func remove(ifPointingTo target: String) {
    if self.target == target { _ = unsafe unlink(self.path) }
  }

  /// The link's target; `nil` if there is no link.
  private var target: String? {
    var bytes = [CChar](repeating: 0, count: 256)
    let length = unsafe readlink(self.path, &bytes, bytes.count)
    guard length >= 0 else { return nil }
    return String(decoding: bytes.prefix(length).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
