/// How severe a message of the log is, the most severe first; named as syslog names them.
package enum LogLevel: Int, Hashable, Sendable, Comparable {
  case error, warning, notice, info, debug

  package static func < (left: LogLevel, right: LogLevel) -> Bool { left.rawValue < right.rawValue }
}
