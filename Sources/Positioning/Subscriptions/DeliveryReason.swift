/// Why an update without a new fix comes, or what changed with the fix. Later versions may know more.
public struct DeliveryReason: RawRepresentable, Hashable, Sendable {
  public let rawValue: String

  public init(rawValue: String) { self.rawValue = rawValue }

  /// There were fixes, and there are none now; reported once until `restored`.
  public static let lost = Self(rawValue: "lost")
  /// There are fixes again.
  public static let restored = Self(rawValue: "restored")
  /// There are fixes, for the first time.
  public static let available = Self(rawValue: "available")
  /// The reason why there are no fixes has changed, or the precision of the fixes.
  public static let changed = Self(rawValue: "changed")
  /// The client paused it, or the device rests.
  public static let paused = Self(rawValue: "paused")
  /// The client resumed it, or the device moves again.
  public static let resumed = Self(rawValue: "resumed")
  /// The device is far enough from where it was; a fix is searched for, unless this is the last update.
  public static let significantChange = Self(rawValue: "significantChange")
  /// The client asked for a fix, and one is searched for.
  public static let acquiring = Self(rawValue: "acquiring")
  /// The fix that was searched for.
  public static let acquired = Self(rawValue: "acquired")
  /// No fix was good enough in time, or a pause or another mode ended the search.
  public static let acquisitionFailed = Self(rawValue: "acquisitionFailed")
  /// A batch whose path is long enough.
  public static let distance = Self(rawValue: "distance")
  /// A batch whose time is over.
  public static let timeout = Self(rawValue: "timeout")
  /// A batch that the client asked for.
  public static let flush = Self(rawValue: "flush")
  /// The last batch: the subscription or the daemon ends.
  public static let ended = Self(rawValue: "ended")
  /// The subscription under a durable name has ended: its `duration` or `maxUpdates` is reached.
  public static let expired = Self(rawValue: "expired")
}
