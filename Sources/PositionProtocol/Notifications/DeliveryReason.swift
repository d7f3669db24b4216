/// Why an update comes without a new fix, or what changed with it. Later versions may know more.
public struct DeliveryReason: RawRepresentable, Hashable, Sendable, Codable {
  public let rawValue: String

  public init(rawValue: String) { self.rawValue = rawValue }

  /// There were fixes, and there are none now; told once until `restored`.
  public static let lost = Self(rawValue: "lost")
  /// There are fixes again.
  public static let restored = Self(rawValue: "restored")
  /// There are fixes, for the first time.
  public static let available = Self(rawValue: "available")
  /// What stands between the receiver and the client changed, and there still are no fixes.
  public static let changed = Self(rawValue: "changed")
}
