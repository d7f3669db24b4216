import Glibc

/// Where a log's lines go.
package enum LogDestination: Hashable, Sendable {
  /// To the journal, with fields. If that fails, the line goes to the descriptor, which leads to the journal too, with
  /// the priority as a prefix.
  case journal(fallback: Int32)
  /// As readable lines to a descriptor.
  case stream(Int32, hasColor: Bool)

  /// This process's stderr, by its environment.
  package static var standardError: LogDestination {
    .of(STDERR_FILENO) { name in unsafe getenv(name).map { unsafe String(cString: $0) } }
  }

  /// The journal if the descriptor is the stream that systemd connected, and was not redirected since; else the
  /// descriptor, with colour only on a terminal whose user has not set `NO_COLOR`.
  static func of(_ descriptor: Int32, environment: (String) -> String?) -> LogDestination {
    if let stream = environment("JOURNAL_STREAM"), stream == Self.identity(of: descriptor) {
      return .journal(fallback: descriptor)
    }
    let hasColor = isatty(descriptor) != 0 && (environment("NO_COLOR") ?? "").isEmpty
    return .stream(descriptor, hasColor: hasColor)
  }

  /// Device and inode, as systemd writes them.
  private static func identity(of descriptor: Int32) -> String? {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { return nil }
    return "\(status.st_dev):\(status.st_ino)"
  }
}
