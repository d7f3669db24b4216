import EventLoop
import Glibc

/// Serves everything that is ready now, and returns once nothing is.
func settle(_ loop: EventLoop) throws {
  while try loop.runOnce(timeout: .zero) {}
}

/// A value that handlers and calls of one loop share, which run on one thread.
final class Box<Value>: @unchecked Sendable {
  var value: Value

  init(_ value: Value) {
    self.value = value
  }
}

/// Everything that can be read now.
func readAll(_ descriptor: FileDescriptor) throws -> [UInt8] {
  var bytes: [UInt8] = []
  while case .bytes = try descriptor.read(into: &bytes, upTo: 4096) {}
  return bytes
}

/// The other side of a terminal, as a program has it.
func openOther(_ terminal: Pseudoterminal) throws -> FileDescriptor {
  try FileDescriptor(adopting: unsafe open(terminal.path, O_RDWR | O_NOCTTY))
}
