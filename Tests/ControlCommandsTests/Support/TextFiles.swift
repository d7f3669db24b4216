import EventLoop
import Glibc

/// A whole file of text.
func readFile(_ path: String) throws -> String {
  let number = unsafe open(path, O_RDONLY | O_CLOEXEC)
  guard number >= 0 else { throw SystemError.last("open \(path)") }
  let file = try FileDescriptor(adopting: number)
  var bytes: [UInt8] = []
  while case .bytes = try file.read(into: &bytes, upTo: 65536) {}
  return String(decoding: bytes, as: UTF8.self)
}

/// Creates a file of text, which must not exist yet.
func writeFile(_ text: String, to path: String) throws {
  let number = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
  guard number >= 0 else { throw SystemError.last("make \(path)") }
  let file = try FileDescriptor(adopting: number)
  _ = try file.write(Array(text.utf8)[...])
  file.close()
}
