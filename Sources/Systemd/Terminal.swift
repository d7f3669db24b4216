import EventLoop
import Glibc
import Printable

/// Lines for a person who started a service by hand, with escaped foreign text.
package enum Terminal {
  /// Prints lines on standard output.
  ///
  /// - Returns: The exit code: a failure, which is reported, if lines are lost; not if the reader wants no more.
  package static func print(_ lines: [some StringProtocol]) -> Int32 {
    do throws(SystemError) {
      try self.write(lines, to: STDOUT_FILENO)
    } catch {
      guard error.code != EPIPE else { return ExitCode.success }
      self.error(["cannot \(error)"])
      return ExitCode.failure
    }
    return ExitCode.success
  }

  package static func error(_ lines: [some StringProtocol]) {
    // A failure to write an error cannot be reported.
    do throws(SystemError) { try self.write(lines, to: STDERR_FILENO) } catch {}
  }

  private static func write(_ lines: [some StringProtocol], to descriptor: Int32) throws(SystemError) {
    try StandardStreams.write(lines.map { "\(String($0).printable)\n" }.joined(), to: descriptor)
  }
}
