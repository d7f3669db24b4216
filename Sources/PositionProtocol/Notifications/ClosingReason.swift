import JSONRPC

/// Why the daemon closes a connection. Later versions may know more.
public struct ClosingReason: RawRepresentable, Hashable, Sendable {
  public let rawValue: String

  public init(rawValue: String) { self.rawValue = rawValue }

  /// The daemon is stopping.
  public static let shuttingDown = Self(rawValue: "shuttingDown")
  /// The client did not read, and more bytes wait for it than the limit allows.
  public static let tooSlow = Self(rawValue: "tooSlow")
  /// The limit of clients is reached, and this one makes room for another: it is idle and without permission, or its user
  /// has the most clients.
  public static let makingRoom = Self(rawValue: "makingRoom")
}

extension ClosingReason {
  static let codec = Codec<ClosingReason>.openWord { ClosingReason(rawValue: $0) }
}
