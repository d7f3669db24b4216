/// Why an update comes without a new fix, or what changed with it. Later versions may know more.
public struct DeliveryReason: RawRepresentable, Hashable, Sendable {
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
  /// The client paused it, or the device rests.
  public static let paused = Self(rawValue: "paused")
  /// The client resumed it, or the device moves again.
  public static let resumed = Self(rawValue: "resumed")
  /// The device is far enough from where it was; a fix is being acquired.
  public static let significantChange = Self(rawValue: "significantChange")
  /// The client asked for a fix; it is being acquired.
  public static let acquiring = Self(rawValue: "acquiring")
  /// The fix that was to be acquired.
  public static let acquired = Self(rawValue: "acquired")
  /// No fix was good enough in time.
  public static let acquisitionFailed = Self(rawValue: "acquisitionFailed")
  /// A batch, because of its length along the path.
  public static let distance = Self(rawValue: "distance")
  /// A batch, because of its time.
  public static let timeout = Self(rawValue: "timeout")
  /// A batch, because the client asked for it.
  public static let flush = Self(rawValue: "flush")
  /// A batch, the last one: the subscription or the daemon ends.
  public static let ended = Self(rawValue: "ended")
}
