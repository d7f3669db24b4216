/// Where text goes: a terminal, a pipe, a file, or a test.
package protocol TextSink: AnyObject {
  /// Whether a person reads along.
  var isTerminal: Bool { get }
  /// How many characters a line of the terminal has; of another sink, 80.
  var columns: Int { get }
  /// Whether the reader has gone, and writing makes no sense any more.
  var isBroken: Bool { get }

  /// Writes the text; where the reader has gone, nothing happens but that `isBroken` becomes true.
  func write(_ text: String)
}
