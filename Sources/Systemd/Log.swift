import CSystemd
import Glibc
package import Positioning

/// Where the daemon's messages go: the journal with its fields where stderr is the journal, else stderr, readably.
///
/// It is handed to who needs it. A message is one line; control characters in it, which may come from a client or from
/// gpsd, are escaped on the way, line breaks too, so that no foreign text can pass for a message of ours.
package final class Log {
  /// Messages less severe than this are dropped.
  package var threshold: LogLevel
  private let destination: LogDestination

  /// - Parameter destination: where the lines go; by default where this process's stderr leads.
  package init(_ threshold: LogLevel, to destination: LogDestination = .standardError) {
    self.threshold = threshold
    self.destination = destination
  }

  /// Says something, if it is severe enough; else the message is not even made.
  package func write(_ level: LogLevel, _ message: @autoclosure () -> String) {
    guard level <= self.threshold else { return }
    let message = message()
    switch self.destination {
    case .journal(let fallback):
      if !Self.sendToJournal(LogText.fields(level, message)) {
        Self.send(LogText.plainLine(level, message), to: fallback)
      }
    case .stream(let descriptor, let hasColor):
      Self.send(LogText.line(level, message, hasColor: hasColor), to: descriptor)
    }
  }

  /// A log that cannot be written has nowhere to say so: what does not go out is lost.
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
