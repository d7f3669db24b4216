import Glibc

/// Which file a path names now: device and inode stay the same for as long as the file is there.
struct FileIdentity: Equatable {
  let device: dev_t
  let inode: ino_t
  let isSocket: Bool

  /// nil when nothing is there.
  init?(path: String) {
    var status = stat()
    guard unsafe lstat(path, &status) == 0 else { return nil }
    device = status.st_dev
    inode = status.st_ino
    isSocket = status.st_mode & S_IFMT == S_IFSOCK
  }
}
