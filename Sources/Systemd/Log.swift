import CSystemd
import Glibc
package import Positioning

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
    guard kind.level <= self.threshold else { return }
    let message = message()
    switch self.output {
    case .text(.journal(let fallback)):
      if !Self.sendToJournal(LogText.fields(kind, message)) {
        Self.send(LogText.plainLine(kind.level, message.text), to: fallback)
      }
    case .text(.stream(let descriptor, let hasColor)):
      Self.send(LogText.line(kind.level, message.text, hasColor: hasColor), to: descriptor)
    case .values(let take): take(kind.level, kind, message)
    }
  }

  /// Logs a message without a kind, for a program that has none: in the journal it has only its priority.
  package func write(_ level: LogLevel, _ message: @autoclosure () -> String) {
    guard level <= self.threshold else { return }
    switch self.output {
    case .text(.journal(let fallback)): Self.send(LogText.plainLine(level, message()), to: fallback)
    case .text(.stream(let descriptor, let hasColor)):
      Self.send(LogText.line(level, message(), hasColor: hasColor), to: descriptor)
    case .values(let take): take(level, nil, "\(message())")
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
