/// How a command ended, as the shell sees it.
enum ExitCode: Int32, Sendable, CaseIterable {
  case success = 0
  case failure = 1
  case timedOut = 2
  case notPermitted = 3
  /// The number of BSD's sysexits and systemd's tools.
  case usage = 64
  /// By SIGHUP: the terminal is gone.
  case hungUp = 129
  /// By SIGINT, with the number that shells use.
  case interrupted = 130
  /// By SIGTERM.
  case terminated = 143

  var meaning: String {
    switch self {
    case .success: "success"
    case .failure: "failure; standard error says why and what to do"
    case .timedOut: "timed out; the best result so far is printed"
    case .notPermitted: "permission denied"
    case .usage: "wrong command line"
    case .interrupted: "interrupted with Ctrl-C"
    case .terminated: "terminated"
    case .hungUp: "the terminal was closed"
    }
  }

  /// The exit codes of the help text.
  static let documented: [ExitCode] = Self.allCases.filter { $0 != .terminated && $0 != .hungUp }
}
