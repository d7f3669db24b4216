import CLinux
import Glibc

/// An open descriptor that this object owns; it is close-on-exec and non-blocking from the start. Or a stream of a kernel
/// in memory.
///
/// It belongs to one thread at a time. Closing ends its watch first, so the kernel never watches a number that is used
/// again.
package final class FileDescriptor {
  /// The result of reading.
  package enum ReadResult: Hashable, Sendable {
    /// So many bytes were appended.
    case bytes(Int)
    /// No bytes are available now.
    case wouldBlock
    /// The other side has ended; on a terminal, it has hung up.
    case endOfFile
  }

  /// The result of writing.
  package enum WriteResult: Hashable, Sendable {
    /// So many bytes were written, perhaps fewer than given.
    case wrote(Int)
    /// No bytes are available now.
    case wouldBlock
  }

  private enum Kind {
    case socket
    case terminal
    case other
  }

  enum Handle {
    case number(Int32)
    case memory(any KernelStream)
    case closed
  }

  private(set) var handle: Handle
  private let kind: Kind
  /// The watch of this descriptor, which ends when it is closed.
  weak var watch: DescriptorWatch?

  /// Takes over an open descriptor and makes it close-on-exec and non-blocking. The caller loses the number, even when
  /// this throws.
  package init(adopting number: Int32) throws(SystemError) {
    var status = stat()
    guard clinux_set_cloexec_nonblocking(number) == 0, unsafe fstat(number, &status) == 0 else {
      let error = SystemError.last("take over descriptor \(number)")
      Glibc.close(number)
      throw error
    }
    handle = .number(number)
    switch status.st_mode & S_IFMT {
    case S_IFSOCK: kind = .socket
    case S_IFCHR: kind = .terminal
    default: kind = .other
    }
  }

  /// Takes over a stream of a kernel in memory.
  init(_ stream: any KernelStream) {
    handle = .memory(stream)
    kind = .socket
  }

  deinit {
    close()
  }

  package var isClosed: Bool {
    switch handle {
    case .number, .memory: false
    case .closed: true
    }
  }

  var isSocket: Bool { kind == .socket }

  var isTerminal: Bool { kind == .terminal }

  /// The number, for system calls. Traps after closing, because the number may be in use again.
  package var rawValue: Int32 {
    switch handle {
    case .number(let number): return number
    case .memory: preconditionFailure("a stream in memory has no number")
    case .closed: preconditionFailure("the descriptor is closed")
    }
  }

  /// Ends its watch and closes it. A second call does nothing.
  package func close() {
    guard !isClosed else { return }
    watch?.cancel()
    watch = nil
    switch handle {
    // Linux frees the number whatever close returns, so it must not be called again.
    case .number(let number): Glibc.close(number)
    case .memory(let stream): stream.close()
    case .closed: break
    }
    handle = .closed
  }
}
