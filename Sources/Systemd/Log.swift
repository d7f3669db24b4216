import CSystemd
import Glibc
package import Positioning
import Printable

/// The log: the journal with fields if stderr is connected to it, else readable lines on stderr; or whoever takes the
/// messages as values.
///
/// It is passed to the objects that log. A message is one line; control characters and line breaks, which may come from
/// a client or gpsd, are escaped, so that foreign text cannot forge a message.
package final class Log {
  /// Messages less severe than this are dropped.
  package var threshold: LogLevel
  private let output: Output

  private enum Output {
    case text(LogDestination)
    case values((LogLevel, LogKind?, LogMessage) -> Void)
  }

  /// - Parameter destination: Where the lines go; by default this process's stderr.
  package init(_ threshold: LogLevel, to destination: LogDestination = .standardError) {
    self.threshold = threshold
    self.output = .text(destination)
  }

  /// - Parameter take: Gets each message that is severe enough, with its kind, if it has one.
  package init(_ threshold: LogLevel, take: @escaping (LogLevel, LogKind?, LogMessage) -> Void) {
    self.threshold = threshold
    self.output = .values(take)
  }

  /// Logs a message if it is severe enough; else the message is not even built.
  package func write(_ kind: LogKind, _ message: @autoclosure () -> LogMessage) {
    if kind.level <= self.threshold { self.write(kind.level, kind, message()) }
  }

  /// Logs a message without a kind, for a program that has none: in the journal it has only its priority.
  package func write(_ level: LogLevel, _ message: @autoclosure () -> String) {
    if level <= self.threshold { self.write(level, nil, "\(message())") }
  }

  private func write(_ level: LogLevel, _ kind: LogKind?, _ message: LogMessage) {
    switch self.output {
    case .text(.journal(let fallback)):
      if let kind, Self.sendToJournal(LogText.fields(kind, message)) { return }
      Self.send(LogText.plainLine(level, message.text), to: fallback)
    case .text(.stream(let descriptor, let hasColor)):
      Self.send(LogText.line(level, message.text, hasColor: hasColor), to: descriptor)
    case .values(let take): take(level, kind, message)
    }
  }

  /// Errors of the log itself cannot be logged: what cannot be written is lost.
  private static func send(_ text: String, to descriptor: Int32) {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let count = unsafe bytes.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { return }
      bytes = bytes.dropFirst(count)
    }
  }

  private static func sendToJournal(_ fields: [String]) -> Bool {
    let copies = unsafe fields.map { unsafe strdup($0) }
    defer { unsafe copies.forEach { unsafe free($0) } }
    let vectors = unsafe copies.map { unsafe iovec(iov_base: $0, iov_len: $0.map { unsafe strlen($0) } ?? 0) }
    return unsafe sd_journal_sendv(vectors, Int32(vectors.count)) == 0
  }
}

/// Where a log's lines go.
package enum LogDestination: Hashable, Sendable {
  /// To the journal, with fields. If that fails, the line goes to the descriptor, which leads to the journal too, with
  /// the priority as a prefix.
  case journal(fallback: Int32)
  /// As readable lines to a descriptor.
  case stream(Int32, hasColor: Bool)

  /// This process's stderr, by its environment.
  package static var standardError: LogDestination {
    .of(STDERR_FILENO) { name in unsafe getenv(name).map { unsafe String(cString: $0) } }
  }

  /// The journal if the descriptor is the stream that systemd connected, and was not redirected since; else the
  /// descriptor, with colour only on a terminal whose user has not set `NO_COLOR`.
  static func of(_ descriptor: Int32, environment: (String) -> String?) -> LogDestination {
    if let stream = environment("JOURNAL_STREAM"), stream == Self.identity(of: descriptor) {
      return .journal(fallback: descriptor)
    }
    let hasColor = isatty(descriptor) != 0 && (environment("NO_COLOR") ?? "").isEmpty
    return .stream(descriptor, hasColor: hasColor)
  }

  /// Device and inode, as systemd writes them.
  private static func identity(of descriptor: Int32) -> String? {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { return nil }
    return "\(status.st_dev):\(status.st_ino)"
  }
}

/// The forms of a log message.
package enum LogText {
  /// A longer message is cut, so that no peer can fill the log.
  static let longest = 4096

  /// For a terminal or a file, with its line's end.
  package static func line(_ level: LogLevel, _ message: String, hasColor: Bool) -> String {
    let color = hasColor ? self.color(of: level) : ""
    let reset = color.isEmpty ? "" : "\u{1B}[0m"
    return "\(color)\(self.word(for: level))\(reset): \(self.shown(message))\n"
  }

  /// For the journal without fields: with systemd's prefix for the priority.
  static func plainLine(_ level: LogLevel, _ message: String) -> String {
    "<\(level.priority)>\(self.shown(message))\n"
  }

  /// For the journal, `NAME=value` each.
  package static func fields(_ kind: LogKind, _ message: LogMessage) -> [String] {
    [
      "MESSAGE=\(self.shown(message.text))", "MESSAGE_ID=\(kind.messageID)", "PRIORITY=\(kind.level.priority)",
      "POSITIOND_KIND=\(kind.rawValue)", "SYSLOG_IDENTIFIER=positiond",
    ] + LogField.allCases.compactMap { field in message.fields[field].map { "\(field.name)=\(self.shown($0))" } }
  }

  private static func shown(_ message: String) -> String { message.printable(upTo: self.longest) }

  private static func word(for level: LogLevel) -> String {
    switch level {
    case .error: "error"
    case .warning: "warning"
    case .notice: "notice"
    case .info: "info"
    case .debug: "debug"
    }
  }

  /// The colour of the word on a terminal.
  private static func color(of level: LogLevel) -> String {
    switch level {
    case .error: "\u{1B}[31m"
    case .warning: "\u{1B}[33m"
    case .notice: "\u{1B}[1m"
    case .info: ""
    case .debug: "\u{1B}[2m"
    }
  }
}
