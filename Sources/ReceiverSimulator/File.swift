package import EventLoop
package import Glibc

/// Whole files: routes, logs, and the files of the sandbox.
package enum File {
  /// All bytes of a file that is read to its end.
  package static func read(_ path: String) throws(SystemError) -> [UInt8] {
    let number = unsafe Glibc.open(path, O_RDONLY | O_CLOEXEC)
    guard number >= 0 else { throw SystemError.last("open \(path)") }
    let file = try FileDescriptor(adopting: number)
    defer { file.close() }
    var bytes: [UInt8] = []
    while case .bytes = try file.read(into: &bytes, upTo: 65_536) {}
    return bytes
  }

  /// Creates a new file with this mode.
  package static func write(_ bytes: [UInt8], to path: String, mode: mode_t = 0o600) throws(SystemError) {
    let number = unsafe Glibc.open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
    guard number >= 0 else { throw SystemError.last("make \(path)") }
    let file = try FileDescriptor(adopting: number)
    defer { file.close() }
    var rest = bytes[...]
    while !rest.isEmpty {
      switch try file.write(rest) {
      case .wrote(let count): rest = rest.dropFirst(count)
      case .wouldBlock: throw SystemError(code: EAGAIN, call: "write \(path)")
      }
    }
  }

  package static func exists(_ path: String) -> Bool {
    unsafe access(path, F_OK) == 0
  }

  package static func isExecutable(_ path: String) -> Bool {
    unsafe access(path, X_OK) == 0
  }
}
