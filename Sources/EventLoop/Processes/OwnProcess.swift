import CLinux
import Glibc

/// The program that runs.
package enum OwnProgram {
  /// The folder of its file.
  package static func folder() -> String? {
    var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
    let length = unsafe readlink("/proc/self/exe", &bytes, bytes.count)
    guard length > 0 else { return nil }
    let path = String(decoding: bytes.prefix(length).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return path.lastIndex(of: "/").map { String(path[..<$0]) }
  }
}

/// The memory of this process.
package enum OwnMemory {
  /// Gives back what a process does not need while it only waits: free memory of the heap, and its code.
  ///
  /// The start runs most parts of the code once, and the kernel maps 64 kB around each. What runs again is mapped again
  /// from the page cache, which costs the next client a millisecond or two; docs/decisions/0036 has the figures.
  package static func giveBack() { clinux_give_back_memory() }
}

/// Standard input, output and error of this process.
package enum StandardStreams {
  /// Makes writing to them safe; a program calls it before it opens anything.
  ///
  /// A reader that is gone becomes an error of the write instead of a signal. A number that the process was started without
  /// is taken by a file that can be neither read nor written in its direction: else the next socket or file would get the
  /// number, and the output with it.
  package static func prepare() {
    signal(SIGPIPE, SIG_IGN)
    for (number, mode) in [(STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDONLY)]
    where fcntl(number, F_GETFD) < 0 {
      // The lowest free number, which is this one. If even this fails, so does every other opening.
      _ = unsafe open("/dev/null", mode)
    }
  }

  /// Writes all of the text, however long that takes.
  ///
  /// - Throws: `EPIPE` if the reader is gone, as at the end of `| head`: it has read what it wanted. Any other error means
  ///   that text is lost.
  package static func write(_ text: String, to descriptor: Int32) throws(SystemError) {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let count = unsafe bytes.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
      let code = errno
      if count >= 0 {
        bytes = bytes.dropFirst(count)
      } else if code == EAGAIN {
        // Another program on the same terminal made it non-blocking.
        var poller = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = unsafe poll(&poller, 1, -1)
      } else if code != EINTR {
        throw SystemError(code: code, call: "write standard \(descriptor == STDERR_FILENO ? "error" : "output")")
      }
    }
  }
}
