import CLinux
import Glibc

/// A temporary folder for its owner only (0700), removed with its contents when this is released.
package final class TemporaryFolder {
  package let path: String
  private var isRemoved = false

  /// - Parameters:
  ///   - prefix: how its name begins.
  ///   - parent: where it is made. The default is short, because a Unix socket's path must be.
  package init(prefix: String = "positiond-", in parent: String = "/tmp") throws(SystemError) {
    var name = Array("\(parent)/\(prefix)XXXXXX".utf8CString)
    guard unsafe mkdtemp(&name) != nil else { throw SystemError.last("make a temporary folder in \(parent)") }
    path = String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit {
    // What cannot be removed now is left to the system's cleaning of temporary files.
    if !isRemoved { _ = unsafe clinux_remove_tree(path) }
  }

  /// The path of a file in it.
  package func file(_ name: String) -> String {
    "\(path)/\(name)"
  }

  /// Removes it with its contents; links are removed, not followed. A second call does nothing.
  package func remove() throws(SystemError) {
    guard !isRemoved else { return }
    isRemoved = true
    _ = try SystemError.check(unsafe clinux_remove_tree(path), "remove \(path)")
  }
}
