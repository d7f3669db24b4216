import Glibc
import Printable

/// Lines for a person who started a service by hand, with escaped foreign text.
package enum Terminal {
  package static func print(_ lines: [some StringProtocol]) { self.write(lines, to: STDOUT_FILENO) }
  package static func error(_ lines: [some StringProtocol]) { self.write(lines, to: STDERR_FILENO) }

  private static func write(_ lines: [some StringProtocol], to descriptor: Int32) {
    var bytes = Array(lines.map { "\(String($0).printable)\n" }.joined().utf8)[...]
    while !bytes.isEmpty {
      let count = unsafe bytes.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
      guard count > 0 || errno == EINTR else { return }
      bytes = bytes.dropFirst(max(0, count))
    }
  }
}
