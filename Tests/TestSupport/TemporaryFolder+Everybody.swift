package import EventLoop
import Glibc

extension TemporaryFolder {
  /// Lets everybody reach a file in it whose name is known, a socket for example, if the file's own mode does.
  package func openToEverybody() throws(SystemError) {
    guard unsafe chmod(self.path, 0o711) == 0 else { throw SystemError.last("chmod \(self.path)") }
  }
}
