import EventLoop
import Glibc
import ReceiverSimulator
import TestSupport

/// A library that replaces functions of the system in a program, and makes them slow for as long as a file exists.
struct Preload {
  private let folder: TemporaryFolder
  private let variable: String
  private var library: String { self.folder.file("preload.so") }
  private var file: String { self.folder.file("slow") }

  /// - Parameters:
  ///   - source: One of the C files in Programs.
  ///   - variable: The environment variable that names the library's file.
  init(_ source: String, _ variable: String) throws {
    self.folder = try TemporaryFolder()
    self.variable = variable
    let path = "\(PackageRoot.path)/Tests/IntegrationTests/Programs/\(source)"
    let built = try SystemProgram.run("/usr/bin/cc", ["-shared", "-fPIC", "-o", self.library, path, "-ldl"])
    guard built.code == 0 else { throw TimedOut("\(source) cannot be built: \(built.words)") }
  }

  /// - Parameter words: The file's contents, for a library that reads it.
  func slowDown(_ words: String = "") throws { try File.write(Array(words.utf8), to: self.file) }

  func speedUp() throws {
    guard unsafe unlink(self.file) == 0 else { throw SystemError.last("remove \(self.file)") }
  }

  var environment: [String: String] { ["LD_PRELOAD": self.library, self.variable: self.file] }
}
