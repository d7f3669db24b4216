/// Why a subscription ended. Later versions may know more.
public struct EndReason: RawRepresentable, Hashable, Sendable {
  public let rawValue: String

  public init(rawValue: String) { self.rawValue = rawValue }

  /// The client cancelled it, or removed the durable name.
  public static let cancelled = Self(rawValue: "cancelled")
  /// Its `duration` or `maxUpdates` is reached.
  public static let expired = Self(rawValue: "expired")
  /// This device cannot deliver it.
  public static let unavailable = Self(rawValue: "unavailable")
  /// Another client attached to the durable name.
  public static let replaced = Self(rawValue: "replaced")
}
