import EventLoop
import TestSupport

/// A copy of a file or folder of the source tree that every user may read, since the tree itself may be closed to others.
/// It is removed with this object.
final class ReadableCopy {
  private let folder: TemporaryFolder
  let path: String

  /// - Parameter source: The path below the root of the tree.
  init(of source: String) throws {
    self.folder = try TemporaryFolder()
    try self.folder.openToEverybody()
    self.path = self.folder.file(source.split(separator: "/").last.map { String($0) } ?? "")
    try Self.run("/bin/cp", ["-R", "\(PackageRoot.path)/\(source)", self.path])
    try Self.run("/bin/chmod", ["-R", "a+rX", self.path])
  }

  /// A copy of one of the tests' programs in other languages.
  convenience init(ofProgram name: String) throws {
    try self.init(of: "Tests/IntegrationTests/Programs/\(name)")
  }

  private static func run(_ program: String, _ arguments: [String]) throws {
    let run = try SystemProgram.run(program, arguments)
    guard run.code == 0 else { throw TimedOut("\(program) \(arguments): \(run.words)") }
  }
}
