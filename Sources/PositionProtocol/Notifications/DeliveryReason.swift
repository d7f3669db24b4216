/// Why an update comes without a new fix, or what changed with it. Later versions may know more.
public struct DeliveryReason: RawRepresentable, Hashable, Sendable, Codable {
  public let rawValue: String

  public init(rawValue: String) { self.rawValue = rawValue }

  public static let lost = Self(rawValue: "lost")
  public static let restored = Self(rawValue: "restored")
  public static let searching = Self(rawValue: "searching")
  public static let stale = Self(rawValue: "stale")
  public static let receiverMissing = Self(rawValue: "receiverMissing")
  public static let gpsdDown = Self(rawValue: "gpsdDown")
  public static let gpsdFull = Self(rawValue: "gpsdFull")
  public static let poweredDown = Self(rawValue: "poweredDown")
  public static let resumed = Self(rawValue: "resumed")
  public static let paused = Self(rawValue: "paused")
}
