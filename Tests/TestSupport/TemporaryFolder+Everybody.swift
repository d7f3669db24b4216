package import EventLoop
import Glibc

extension TemporaryFolder {
  /// Lets every user reach a file in it with a known name, such as a socket, if the file's own mode allows that.
  package func openToEverybody() throws(SystemError) {
    guard unsafe chmod(self.path, 0o711) == 0 else { throw SystemError.last("chmod \(self.path)") }
  }
}
