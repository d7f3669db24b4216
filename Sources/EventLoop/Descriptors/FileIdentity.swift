import Glibc

/// The file of a path or a descriptor: device and inode stay the same while the file exists.
package struct FileIdentity: Equatable {
  let device: dev_t
  let inode: ino_t
  let isSocket: Bool

  /// `nil` if there is no file.
  package init?(path: String) {
    var status = stat()
    guard unsafe lstat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  init(_ status: stat) {
    device = status.st_dev
    inode = status.st_ino
    isSocket = status.st_mode & S_IFMT == S_IFSOCK
  }

  package init(_ file: FileDescriptor) throws(SystemError) {
    var status = stat()
    guard unsafe fstat(file.rawValue, &status) == 0 else { throw SystemError.last("fstat") }
    device = status.st_dev
    inode = status.st_ino
    isSocket = status.st_mode & S_IFMT == S_IFSOCK
  }
}
