import Glibc

/// Writing at places of a file.
extension FileDescriptor {
  /// Writes all of it, from a place on.
  ///
  /// - Throws: The system's error; what was written until then stays written.
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

  /// Cuts what is behind a place.
  package func truncate(to length: Int) throws(SystemError) {
    guard ftruncate(rawValue, off_t(length)) == 0 else { throw SystemError.last("truncate") }
  }

  /// Waits until the file's content is on the disk.
  package func synchronize() throws(SystemError) {
    // A file system that cannot promise it says EINVAL; the file is as safe there as it gets.
    guard fsync(rawValue) == 0 || errno == EINVAL else { throw SystemError.last("fsync") }
  }
}
