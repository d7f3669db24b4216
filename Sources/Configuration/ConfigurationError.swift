/// What is wrong with one line of a configuration file, or with the file as a whole.
package struct ConfigurationError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file's path, as it was asked for.
  package let file: String

  /// Counted from 1; `nil` where the file as a whole is meant.
  package let line: Int?

  /// What was found, what was expected, and what to do: printable, on one line.
  package let message: String

  /// `FILE:LINE: message`, the form that editors jump to.
  package var description: String {
    let place = line.map { "\(file.printable):\($0)" } ?? file.printable
    return "\(place): \(message)"
  }
}

/// Everything that is wrong with a configuration, told at once so that one look mends it all. Never empty.
package struct ConfigurationErrors: Error, Hashable, Sendable, CustomStringConvertible {
  /// In the order of the files, and of the lines within each.
  package let all: [ConfigurationError]

  /// `nil` where nothing is wrong.
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
  /// The text as it may stand in a message: a configuration file is foreign text, and what it holds must neither steer a
  /// terminal nor break a log's line. Shortened where it is long.
  var printable: String {
    let longest = 120
    var shown = ""
    for (count, scalar) in unicodeScalars.enumerated() {
      guard count < longest else { return shown + "..." }
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned:
        shown += scalar.escaped(asASCII: true)
      default: shown.unicodeScalars.append(scalar)
      }
    }
    return shown
  }
}
