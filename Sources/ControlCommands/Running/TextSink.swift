/// A destination for text: a terminal, a pipe, a file, or a test.
package protocol TextSink: AnyObject {
  /// Whether a person reads it.
  var isTerminal: Bool { get }
  /// How many characters a line of the terminal has; 80 for another sink.
  var columns: Int { get }
  /// Whether the reader is gone.
  var isBroken: Bool { get }

  /// Writes the text; if the reader is gone, sets `isBroken`.
  func write(_ text: String)
}
