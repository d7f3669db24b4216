/// Why a subscription ended. Later versions may know more.
public struct EndReason: RawRepresentable, Hashable, Sendable {
  public let rawValue: String

  public init(rawValue: String) { self.rawValue = rawValue }

  /// By the client; of a durable name, that it was removed.
  public static let cancelled = Self(rawValue: "cancelled")
  /// It had its `duration` or its `maxUpdates`.
  public static let expired = Self(rawValue: "expired")
  /// This device cannot serve it.
  public static let unavailable = Self(rawValue: "unavailable")
  /// Another client attached to the durable name.
  public static let replaced = Self(rawValue: "replaced")
}
