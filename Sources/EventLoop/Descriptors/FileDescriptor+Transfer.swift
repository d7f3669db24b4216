import Glibc

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
