import JSONRPC

/// Why the daemon closes a connection. Later versions may know more.
public struct ClosingReason: RawRepresentable, Hashable, Sendable {
  public let rawValue: String

  public init(rawValue: String) { self.rawValue = rawValue }

  /// The daemon is stopping.
  public static let shuttingDown = Self(rawValue: "shuttingDown")
  /// The client did not read, and what waited for it is over the limit.
  public static let tooSlow = Self(rawValue: "tooSlow")
  /// All places are taken, and the client, which is granted nothing and was idle, makes room for another.
  public static let makingRoom = Self(rawValue: "makingRoom")
}

extension ClosingReason {
  static let codec = Codec<ClosingReason>.openWord { ClosingReason(rawValue: $0) }
}
