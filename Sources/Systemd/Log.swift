import CSystemd
import Glibc

/// Where the daemon's messages go: the journal with its fields where stderr is the journal, else stderr, readably.
///
/// It is handed to who needs it. A message is one line for a terminal; control characters in it, which may come from a
/// client or from gpsd, are escaped on the way.
package final class Log {
  package enum Level: Int, Hashable, Sendable, Comparable, CaseIterable {
    case error = 3, warning, notice, info, debug

    package static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }

    var word: String {
      switch self {
      case .error: "error"
      case .warning: "warning"
      case .notice: "notice"
      case .info: "info"
      case .debug: "debug"
      }
    }

    /// What a terminal shows the word in.
    var color: String {
      switch self {
      case .error: "\u{1B}[31m"
      case .warning: "\u{1B}[33m"
      case .notice: "\u{1B}[1m"
      case .info: ""
      case .debug: "\u{1B}[2m"
      }
    }
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
    for line in message().split(separator: "\n") { self.write(level, line: String(line).escapingControls) }
  }

  private func write(_ level: Level, line: String) {
    if self.isJournal {
      let fields = ["MESSAGE=\(line)", "PRIORITY=\(level.rawValue)", "SYSLOG_IDENTIFIER=positiond"]
      if self.sendToJournal(fields) { return }
    }
    let reset = level.color.isEmpty ? "" : "\u{1B}[0m"
    let word = self.hasColor ? "\(level.color)\(level.word)\(reset)" : level.word
    let text = Array("\(word): \(line)\n".utf8)
    // A log that cannot be written has nowhere to say so.
    _ = unsafe text.withUnsafeBytes { unsafe Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }

  private func sendToJournal(_ fields: [String]) -> Bool {
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

extension String {
  /// The text with control characters written out, so that foreign text can neither steer a terminal nor forge a line.
  package var escapingControls: String {
    guard self.unicodeScalars.contains(where: { $0.properties.generalCategory.isControl }) else { return self }
    var escaped = ""
    for scalar in self.unicodeScalars {
      if scalar.properties.generalCategory.isControl {
        escaped += scalar.escaped(asASCII: true)
      } else {
        escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}

extension Unicode.GeneralCategory {
  fileprivate var isControl: Bool {
    self == .control || self == .format || self == .lineSeparator || self == .paragraphSeparator
  }
}
