import Printable

/// What is wrong with one line of a configuration file, or with the whole file.
package struct ConfigurationError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file's path as given.
  package let file: String

  /// Counted from 1; `nil` for the whole file.
  package let line: Int?

  /// What was found, what was expected, and what to do: printable, on one line.
  package let message: String

  package init(file: String, line: Int?, message: String) {
    self.file = file
    self.line = line
    self.message = message
  }

  /// `FILE:LINE: message`, the form that editors jump to.
  package var description: String {
    let place = line.map { "\(file.printable):\($0)" } ?? file.printable
    return "\(place): \(message)"
  }
}

/// All errors of a configuration, reported at once so that they can be fixed together. Never empty.
package struct ConfigurationErrors: Error, Hashable, Sendable, CustomStringConvertible {
  /// In the order of the files, and of the lines within each.
  package let all: [ConfigurationError]

  /// `nil` if there are no errors.
  package init?(_ errors: [ConfigurationError]) {
    guard !errors.isEmpty else { return nil }
    all = errors
  }

  /// One error a line.
  package var description: String {
    all.map(\.description).joined(separator: "\n")
  }
}

extension String {
  /// The text for quoting in a message: printable, because a configuration file is foreign text, and shortened.
  package var quotable: String { self.printable(upTo: 120) }
}
