package import EventLoop

/// A destination for text: a terminal, a pipe, a file, or a test.
package protocol TextSink: AnyObject {
  /// Whether a person reads it.
  var isTerminal: Bool { get }
  /// How many characters a line of the terminal has; 80 for another sink.
  var columns: Int { get }
  /// Why no more can be written; `nil`: all was.
  var loss: OutputLoss? { get }

  /// Writes the text, unless there is a loss already.
  func write(_ text: String)
}

/// Why text does not reach its destination.
package enum OutputLoss: Hashable, Sendable {
  /// The reader has what it wanted, as at the end of `| head`, so the command has succeeded.
  case readerGone
  /// Text is lost, for example because the disk is full.
  case failed(SystemError)
}
