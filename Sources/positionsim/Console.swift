import EventLoop
import FoundationEssentials
import Glibc
import Printable

/// What the user reads.
enum Console {
  /// Text on standard output, at once: a script waits for it. A reader that is gone has read what it wanted.
  ///
  /// - Throws: If the text is lost.
  static func write(_ text: String) throws(SystemError) {
    do throws(SystemError) {
      try StandardStreams.write(text, to: STDOUT_FILENO)
    } catch {
      guard error.code == EPIPE else { throw error }
    }
  }

  /// Values on standard output: as JSON on one line, or each as `key value` on its own.
  static func show(_ values: [(key: String, value: String)], isJSON: Bool) throws(SystemError) {
    guard isJSON else { return try self.write(values.map { "\($0.key) \($0.value)".printable + "\n" }.joined()) }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let data: Data
    do {
      data = try encoder.encode(Dictionary(values.map { ($0.key, $0.value) }, uniquingKeysWith: { $1 }))
    } catch {
      preconditionFailure("a dictionary of strings can be encoded: \(error)")
    }
    try self.write(String(decoding: data, as: UTF8.self).printableJSON + "\n")
  }

  static func error(_ message: String) {
    // A failure to write an error cannot be reported.
    do throws(SystemError) {
      try StandardStreams.write("positionsim: \(message.printable)\n", to: STDERR_FILENO)
    } catch {}
  }
}
