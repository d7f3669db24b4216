/// The severity of a log message, the most severe first, with syslog's names.
package enum LogLevel: String, Hashable, Sendable, Comparable, CaseIterable {
  case error, warning, notice, info, debug

  /// syslog's number, which systemd also uses: the more severe, the smaller.
  package var priority: Int {
    switch self {
    case .error: 3
    case .warning: 4
    case .notice: 5
    case .info: 6
    case .debug: 7
    }
  }

  package static func < (left: LogLevel, right: LogLevel) -> Bool { left.priority < right.priority }
}
