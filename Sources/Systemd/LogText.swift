/// What a message looks like where it is read.
package enum LogText {
  /// For a terminal or a file, with its line's end.
  package static func line(_ level: Log.Level, _ message: String, hasColor: Bool) -> String {
    let color = hasColor ? self.color(of: level) : ""
    let reset = color.isEmpty ? "" : "\u{1B}[0m"
    return "\(color)\(self.word(for: level))\(reset): \(message.escapingControls)\n"
  }

  /// For the journal, `NAME=value` each.
  package static func fields(_ level: Log.Level, _ message: String) -> [String] {
    ["MESSAGE=\(message.escapingControls)", "PRIORITY=\(level.rawValue)", "SYSLOG_IDENTIFIER=positiond"]
  }

  private static func word(for level: Log.Level) -> String {
    switch level {
    case .error: "error"
    case .warning: "warning"
    case .notice: "notice"
    case .info: "info"
    case .debug: "debug"
    }
  }

  /// What a terminal shows the word in.
  private static func color(of level: Log.Level) -> String {
    switch level {
    case .error: "\u{1B}[31m"
    case .warning: "\u{1B}[33m"
    case .notice: "\u{1B}[1m"
    case .info: ""
    case .debug: "\u{1B}[2m"
    }
  }
}

extension String {
  /// The text with control characters written out, so that foreign text can neither steer a terminal nor forge a line.
  package var escapingControls: String {
    guard self.unicodeScalars.contains(where: { $0.properties.generalCategory.isControl }) else { return self }
    var escaped = ""
    for scalar in self.unicodeScalars {
      if scalar.properties.generalCategory.isControl {
        escaped += scalar.escaped(asASCII: true)
      } else {
        escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}

extension Unicode.GeneralCategory {
  /// Format characters are among them: they turn the direction of what follows, or are not seen.
  fileprivate var isControl: Bool {
    self == .control || self == .format || self == .lineSeparator || self == .paragraphSeparator
  }
}
