import FoundationEssentials
import Glibc
import Printable

/// What the user reads.
enum Console {
  /// Text on standard output, at once: a script waits for it.
  static func write(_ text: String) {
    print(text, terminator: "")
    fflush(nil)
  }

  /// Values on standard output: as JSON on one line, or each as `key value` on its own.
  static func show(_ values: [(key: String, value: String)], isJSON: Bool) {
    guard isJSON else { return self.write(values.map { "\($0.key) \($0.value)".printable + "\n" }.joined()) }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    do {
      let data = try encoder.encode(Dictionary(values.map { ($0.key, $0.value) }, uniquingKeysWith: { $1 }))
      self.write(String(decoding: data, as: UTF8.self).printableJSON + "\n")
    } catch {
      preconditionFailure("a dictionary of strings can be encoded: \(error)")
    }
  }

  static func error(_ message: String) {
    let bytes = Array("positionsim: \(message.printable)\n".utf8)
    // A failure to write an error cannot be reported.
    _ = unsafe bytes.withUnsafeBytes { unsafe Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }
}
