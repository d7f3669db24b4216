package import Positioning
import Printable

/// The forms of a log message.
package enum LogText {
  /// A longer message is cut, so that no peer can fill the log.
  static let longest = 4096

  /// For a terminal or a file, with its line's end.
  package static func line(_ level: LogLevel, _ message: String, hasColor: Bool) -> String {
    let color = hasColor ? self.color(of: level) : ""
    let reset = color.isEmpty ? "" : "\u{1B}[0m"
    return "\(color)\(self.word(for: level))\(reset): \(self.shown(message))\n"
  }

  /// For the journal without fields: with systemd's prefix for the priority.
  static func plainLine(_ level: LogLevel, _ message: String) -> String {
    "<\(level.priority)>\(self.shown(message))\n"
  }

  /// For the journal, `NAME=value` each.
  package static func fields(_ kind: LogKind, _ message: LogMessage) -> [String] {
    [
      "MESSAGE=\(self.shown(message.text))", "MESSAGE_ID=\(kind.messageID)", "PRIORITY=\(kind.level.priority)",
      "POSITIOND_KIND=\(kind.rawValue)", "SYSLOG_IDENTIFIER=positiond",
    ] + LogField.allCases.compactMap { field in message.fields[field].map { "\(field.name)=\(self.shown($0))" } }
  }

  private static func shown(_ message: String) -> String { message.printable(upTo: self.longest) }

  private static func word(for level: LogLevel) -> String {
    switch level {
    case .error: "error"
    case .warning: "warning"
    case .notice: "notice"
    case .info: "info"
    case .debug: "debug"
    }
  }

  /// The colour of the word on a terminal.
  private static func color(of level: LogLevel) -> String {
    switch level {
    case .error: "\u{1B}[31m"
    case .warning: "\u{1B}[33m"
    case .notice: "\u{1B}[1m"
    case .info: ""
    case .debug: "\u{1B}[2m"
    }
  }
}
