import CSystemd
import Glibc

/// Where the daemon's messages go: the journal with its fields where stderr is the journal, else stderr, readably.
///
/// It is handed to who needs it. A message is one line; control characters in it, which may come from a client or from
/// gpsd, are escaped on the way, line breaks too, so that no foreign text can pass for a message of ours.
package final class Log {
  package enum Level: Int, Hashable, Sendable, Comparable, CaseIterable {
    case error = 3, warning, notice, info, debug

    package static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
  }

  /// Messages less severe than this are dropped.
  package var threshold: Level
  private let isJournal: Bool
  private let hasColor: Bool

  package init(_ threshold: Level) {
    self.threshold = threshold
    self.isJournal = Self.stderrIsJournal
    self.hasColor = unsafe isatty(STDERR_FILENO) != 0 && getenv("NO_COLOR") == nil
  }

  package func write(_ level: Level, _ message: @autoclosure () -> String) {
    guard level <= self.threshold else { return }
    let message = message()
    if self.isJournal, Self.sendToJournal(LogText.fields(level, message)) { return }
    let text = Array(LogText.line(level, message, hasColor: self.hasColor).utf8)
    // A log that cannot be written has nowhere to say so.
    _ = unsafe text.withUnsafeBytes { unsafe Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }

  private static func sendToJournal(_ fields: [String]) -> Bool {
    let copies = unsafe fields.map { unsafe strdup($0) }
    defer { unsafe copies.forEach { unsafe free($0) } }
    let vectors = unsafe copies.map { unsafe iovec(iov_base: $0, iov_len: $0.map { unsafe strlen($0) } ?? 0) }
    return unsafe sd_journal_sendv(vectors, Int32(vectors.count)) == 0
  }

  /// Whether stderr is the very stream that systemd connected to the journal, and not something it was redirected to.
  private static var stderrIsJournal: Bool {
    guard let stream = unsafe getenv("JOURNAL_STREAM") else { return false }
    var status = stat()
    guard unsafe fstat(STDERR_FILENO, &status) == 0 else { return false }
    return unsafe String(cString: stream) == "\(status.st_dev):\(status.st_ino)"
  }
}
