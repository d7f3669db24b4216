/// The error of a command line: the option, the value, and what was expected.
package struct UsageError: Error, Hashable, CustomStringConvertible {
  package var message: String

  package init(_ message: String) { self.message = message }

  /// The same error with the name of the command whose line it is. Only who read the words up to that name adds it, so
  /// that every message has it, and once.
  ///
  /// - Parameter command: Empty if no command was named.
  package func of(_ command: String) -> UsageError {
    command.isEmpty ? self : UsageError("\(command): \(self.message)")
  }

  package var description: String { self.message }
}
