import EventLoop
import Glibc
import TestSupport

/// A library that replaces functions of the system in a program. The lock of a file decides when they answer, and its text
/// what.
final class Preload {
  private let folder: TemporaryFolder
  private let variable: String
  private let descriptor: Int32
  private var library: String { self.folder.file("preload.so") }
  private var file: String { self.folder.file("answer") }

  /// - Parameters:
  ///   - source: One of the C files in Programs.
  ///   - variable: The environment variable that names the library's file.
  init(_ source: String, _ variable: String) throws {
    self.folder = try TemporaryFolder()
    self.variable = variable
    let file = self.folder.file("answer")
    self.descriptor = unsafe open(file, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard self.descriptor >= 0 else { throw SystemError.last("make \(file)") }
    let path = "\(PackageRoot.path)/Tests/IntegrationTests/Programs/\(source)"
    let built = try SystemProgram.run("/usr/bin/cc", ["-shared", "-fPIC", "-o", self.library, path, "-ldl"])
    guard built.code == 0 else { throw TimedOut("\(source) cannot be built: \(built.words)") }
  }

  deinit { close(self.descriptor) }

  /// From now on there is no answer.
  func hold() throws { try self.lock(LOCK_EX) }

  /// Everything that waits is answered, and what comes later at once.
  func release() throws { try self.lock(LOCK_UN) }

  /// - Parameter text: What the file says; empty: the system answers.
  func answer(_ text: String) throws {
    guard ftruncate(self.descriptor, 0) == 0 else { throw SystemError.last("empty \(self.file)") }
    let count = unsafe text.withCString { unsafe pwrite(self.descriptor, $0, text.utf8.count, 0) }
    guard count == text.utf8.count else { throw SystemError.last("write \(self.file)") }
  }

  private func lock(_ operation: Int32) throws {
    guard flock(self.descriptor, operation) == 0 else { throw SystemError.last("lock \(self.file)") }
  }

  var environment: [String: String] { ["LD_PRELOAD": self.library, self.variable: self.file] }
}
