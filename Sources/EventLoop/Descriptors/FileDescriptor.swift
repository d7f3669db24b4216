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

/// Reading and writing. Each method makes one system call, repeated only if a signal interrupted it.
extension FileDescriptor {
  /// Reads once and appends the bytes.
  ///
  /// - Parameter limit: the most bytes to append, more than 0.
  package func read(into bytes: inout [UInt8], upTo limit: Int) throws(SystemError) -> ReadResult {
    if case .memory(let stream) = handle {
      guard let found = try stream.read(upTo: limit) else { return .wouldBlock }
      bytes += found
      return found.isEmpty ? .endOfFile : .bytes(found.count)
    }
    let (count, code) = unsafe withUnsafeTemporaryAllocation(byteCount: limit, alignment: 1) { buffer in
      let result = unsafe self.read(buffer)
      if result.count > 0 { unsafe bytes.append(contentsOf: buffer[..<result.count]) }
      return result
    }
    return try self.outcome(count, code)
  }

  /// Reads once over the bytes of an array from its start, and no more than it has.
  package func read(over bytes: inout [UInt8]) throws(SystemError) -> ReadResult {
    if case .memory(let stream) = handle {
      guard let found = try stream.read(upTo: bytes.count) else { return .wouldBlock }
      bytes.replaceSubrange(..<found.count, with: found)
      return found.isEmpty ? .endOfFile : .bytes(found.count)
    }
    let (count, code) = unsafe bytes.withUnsafeMutableBytes { unsafe self.read($0) }
    return try self.outcome(count, code)
  }

  private func read(_ buffer: UnsafeMutableRawBufferPointer) -> (count: Int, code: Int32) {
    precondition(unsafe !buffer.isEmpty, "a read of nothing looks like the end")
    let descriptor = rawValue
    return uninterrupted { unsafe Glibc.read(descriptor, buffer.baseAddress, buffer.count) }
  }

  private func outcome(_ count: Int, _ code: Int32) throws(SystemError) -> ReadResult {
    if count > 0 { return .bytes(count) }
    if count == 0 { return .endOfFile }
    switch code {
    case EAGAIN, EWOULDBLOCK: return .wouldBlock
    case EIO where isTerminal: return .endOfFile
    default: throw error(code, "read")
    }
  }

  /// Writes once, never raising SIGPIPE on a socket.
  ///
  /// - Throws: `EPIPE` or `ECONNRESET` when the other side is gone.
  package func write(_ bytes: ArraySlice<UInt8>) throws(SystemError) -> WriteResult {
    if case .memory(let stream) = handle { return try stream.write(bytes) }
    let descriptor = rawValue
    let (count, code) = unsafe bytes.withUnsafeBytes { buffer in
      uninterrupted {
        if isSocket {
          unsafe send(descriptor, buffer.baseAddress, buffer.count, Int32(MSG_NOSIGNAL))
        } else {
          unsafe Glibc.write(descriptor, buffer.baseAddress, buffer.count)
        }
      }
    }
    if count >= 0 { return .wrote(count) }
    switch code {
    case EAGAIN, EWOULDBLOCK: return .wouldBlock
    default: throw error(code, "write")
    }
  }

  /// The result of the call and its errno, repeated while signals interrupt it.
  private func uninterrupted(_ call: () -> Int) -> (count: Int, code: Int32) {
    while true {
      let count = call()
      let code = errno
      if count >= 0 || code != EINTR { return (count, code) }
    }
  }

  /// A closed descriptor or a wrong pointer is our own bug, so it traps.
  private func error(_ code: Int32, _ call: String) -> SystemError {
    let error = SystemError(code: code, call: call)
    precondition(code != EBADF && code != EFAULT, "\(error) on descriptor \(rawValue)")
    return error
  }
}

/// Writing at positions of a file.
extension FileDescriptor {
  /// Writes all bytes at a position.
  ///
  /// - Throws: The system's error; the bytes written before it remain.
  package func write(_ bytes: [UInt8], at offset: Int) throws(SystemError) {
    let descriptor = rawValue
    var written = 0
    while written < bytes.count {
      let rest = bytes[written...]
      let count = unsafe rest.withUnsafeBytes { buffer in
        unsafe pwrite(descriptor, buffer.baseAddress, buffer.count, off_t(offset + written))
      }
      if count > 0 {
        written += count
      } else if count == 0 {
        throw SystemError(code: EIO, call: "write")
      } else if errno != EINTR {
        throw SystemError.last("write")
      }
    }
  }

  /// Truncates the file at a position.
  package func truncate(to length: Int) throws(SystemError) {
    guard ftruncate(rawValue, off_t(length)) == 0 else { throw SystemError.last("truncate") }
  }

  /// Waits until the file's content is on the disk.
  package func synchronize() throws(SystemError) {
    // A file system without this operation returns EINVAL, and nothing more can be done.
    guard fsync(rawValue) == 0 || errno == EINVAL else { throw SystemError.last("fsync") }
  }
}
