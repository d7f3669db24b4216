import EventLoop
import Glibc

/// A program of the system that a test runs to its end.
package enum SystemProgram {
  /// Runs it with only a path in its environment.
  ///
  /// - Returns: its exit code, -1 if a signal ended it, and its output.
  /// - Throws: if it cannot be started, or does not end before the deadline.
  package static func run(
    _ path: String, _ arguments: [String], within time: Duration = TestDeadline.duration
  ) throws -> (code: Int32, words: String) {
    let loop = try EventLoop()
    let folder = try TemporaryFolder()
    let output = folder.file("output")
    var exit: ChildExit?
    let process = try Subprocess(
      Command(path, arguments, environment: ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin"], hasOwnGroup: true),
      on: loop,
      output: .file(output), errors: .file(output)
    ) { exit = $0 }
    try loop.drive(for: time, until: "\(path)'s end") { exit != nil }
    return withExtendedLifetime((process, folder)) {
      guard case .exited(let code) = exit else { return (-1, "a signal ended it") }
      return (code, self.text(of: output))
    }
  }

  private static func text(of path: String) -> String {
    guard let file = unsafe fopen(path, "re") else { return "" }
    defer { unsafe fclose(file) }
    var text: [UInt8] = []
    var bytes = [UInt8](repeating: 0, count: 4096)
    while case let count = unsafe fread(&bytes, 1, bytes.count, file), count > 0 { text += bytes.prefix(count) }
    return String(decoding: text, as: UTF8.self)
  }
}
