import CLinux
import Glibc

/// An open descriptor that this object owns: closed on exec and never blocking, from birth until it is closed.
///
/// It belongs to one thread at a time. Closing ends its watch first, so the kernel never watches a number that has
/// been given away.
package final class FileDescriptor {
  /// What reading gave.
  package enum ReadResult: Hashable, Sendable {
    /// So many bytes were appended.
    case bytes(Int)
    /// Nothing for now.
    case wouldBlock
    /// The other side has ended; on a terminal, it has hung up.
    case endOfFile
  }

  /// What writing took.
  package enum WriteResult: Hashable, Sendable {
    /// So many bytes were taken, perhaps fewer than were given.
    case wrote(Int)
    /// Nothing for now.
    case wouldBlock
  }

  private enum Kind {
    case socket
    case terminal
    case other
  }

  private var number: Int32
  private let kind: Kind
  /// The one watch upon it, ended when it is closed.
  weak var watch: DescriptorWatch?

  /// Takes over an open descriptor and makes it close on exec and non-blocking if it is not. The caller's number is
  /// given up, even when this throws.
  package init(adopting number: Int32) throws(SystemError) {
    var status = stat()
    guard clinux_set_cloexec_nonblocking(number) == 0, unsafe fstat(number, &status) == 0 else {
      let error = SystemError.last("take over descriptor \(number)")
      Glibc.close(number)
      throw error
    }
    self.number = number
    switch status.st_mode & S_IFMT {
    case S_IFSOCK: kind = .socket
    case S_IFCHR: kind = .terminal
    default: kind = .other
    }
  }

  deinit {
    close()
  }

  package var isClosed: Bool { number < 0 }

  var isSocket: Bool { kind == .socket }

  var isTerminal: Bool { kind == .terminal }

  /// The number for a call into the system. Traps once closed: the number may be someone else's by then.
  package var rawValue: Int32 {
    precondition(number >= 0, "the descriptor is closed")
    return number
  }

  /// Ends the watch upon it and closes it. A second time does nothing.
  package func close() {
    guard number >= 0 else { return }
    watch?.cancel()
    watch = nil
    // Linux frees the number whatever close returns, so there is nothing to try again.
    Glibc.close(number)
    number = -1
  }
}
