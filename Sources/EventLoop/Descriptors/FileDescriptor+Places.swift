import Glibc

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
