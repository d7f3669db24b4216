/// What is wrong with a command line, in words: which option, which value, what was expected.
package struct UsageError: Error, Hashable, CustomStringConvertible {
  package var message: String

  package init(_ message: String) { self.message = message }

  /// - Parameter command: where it is wrong; empty where the program has no commands.
  init(in command: String, _ message: String) {
    self.message = command.isEmpty ? message : "\(command): \(message)"
  }

  package var description: String { self.message }
}
