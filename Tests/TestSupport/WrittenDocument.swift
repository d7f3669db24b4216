import EventLoop
import Glibc

/// A document of the source tree that is made from the code's tables.
package struct WrittenDocument {
  /// What to do if it is outdated.
  package static let advice = "run `make documents` and look at what it changed"

  private let path: String
  package let text: String

  /// - Parameter path: From the package's root.
  package init(_ path: String) throws {
    self.path = "\(PackageRoot.path)/\(path)"
    let number = unsafe open(self.path, O_RDONLY | O_CLOEXEC)
    guard number >= 0 else { throw SystemError.last("open \(path)") }
    let file = try FileDescriptor(adopting: number)
    var bytes: [UInt8] = []
    while case .bytes = try file.read(into: &bytes, upTo: 65536) {}
    self.text = String(decoding: bytes, as: UTF8.self)
  }

  /// Whether it has this text. If `make documents` runs the test, the document is written.
  package func isCurrent(_ text: String) throws -> Bool {
    if self.text == text { return true }
    guard unsafe getenv("POSITIOND_WRITE_DOCUMENTS") != nil else { return false }
    let number = unsafe open(self.path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard number >= 0 else { throw SystemError.last("open \(self.path)") }
    let file = try FileDescriptor(adopting: number)
    try file.write(Array(text.utf8), at: 0)
    file.close()
    return true
  }
}
