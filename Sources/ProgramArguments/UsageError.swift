/// The error of a command line: the option, the value, and what was expected.
package struct UsageError: Error, Hashable, CustomStringConvertible {
  package var message: String

  package init(_ message: String) { self.message = message }

  /// - Parameter command: The command that it belongs to; empty if the program has no commands.
  init(in command: String, _ message: String) {
    self.message = command.isEmpty ? message : "\(command): \(message)"
  }

  package var description: String { self.message }
}
