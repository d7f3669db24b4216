import Glibc

/// Lets one of several processes set up a socket: a locked file beside the socket that only its owner can open.
///
/// The folder itself cannot be the lock: every user that may read a folder can open it, and lock it for good.
struct SetupLock {
  private let path: String
  private let descriptor: FileDescriptor

  /// - Throws: `EADDRINUSE` while another process of this user holds it; `EPERM` if another user created the file.
  init(for socket: String, _ call: String) throws(SystemError) {
    self.path = "\(socket).lock"
    while true {
      // Links are not followed, and a file of another user is neither opened for writing nor waited for.
      let descriptor = try FileDescriptor(
        adopting: SystemError.check(
          unsafe Glibc.open(self.path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0o600),
          "\(call): open \(self.path)"))
      var status = stat()
      _ = try SystemError.check(unsafe fstat(descriptor.rawValue, &status), "\(call): look at \(self.path)")
      guard status.st_uid == geteuid(), status.st_mode & S_IFMT == S_IFREG, status.st_mode & 0o077 == 0 else {
        descriptor.close()
        throw SystemError(
          code: EPERM, call: call, message: "\(self.path) is not this user's alone; remove it, and start again")
      }
      guard flock(descriptor.rawValue, LOCK_EX | LOCK_NB) == 0 else {
        let error = SystemError.last(call)
        descriptor.close()
        guard error.code == EWOULDBLOCK else { throw error }
        throw SystemError(code: EADDRINUSE, call: call, message: "another process is setting up a socket there")
      }
      // The previous holder removed the file: a lock on a removed file locks nothing.
      if FileIdentity(path: self.path) == FileIdentity(status) {
        self.descriptor = descriptor
        return
      }
      descriptor.close()
    }
  }

  /// Releases the lock and removes the file.
  func release() {
    unsafe unlink(self.path)
    self.descriptor.close()
  }
}
