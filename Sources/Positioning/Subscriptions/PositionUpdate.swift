/// One delivery of a position subscription: a fix, a batch, or a change of availability, state or connection.
///
/// Most programs want the fix, with `if let fix = update.fix`. The other properties say why there is none:
///
/// ```swift
/// for try await update in client.updates(accuracy: .house) {
///   if let fix = update.fix {
///     show(fix)
///   } else if update.reason == .disconnected {
///     show("positiond is not there")
///   } else {
///     show(update.availability)
///   }
/// }
/// ```
public struct PositionUpdate: Hashable, Sendable {
  /// `nil` for a batch, or if only availability, state or the connection changed.
  public var fix: Fix?
  /// A batch of the mode `deferred`, oldest first; else empty.
  public var fixes: [Fix]
  /// The finest level that the fix reaches.
  public var achievedAccuracy: AccuracyLevel?
  /// Why there is or is not a fresh fix; `unknown` while the connection is lost.
  public var availability: Availability
  /// The state of the subscription.
  public var state: SubscriptionState
  /// Why availability, state or the connection changed, or why a batch comes now.
  public var reason: DeliveryReason?
  /// Whether the fix is older than the subscription.
  public var isReplay: Bool
  /// Whether it is a heartbeat, which repeats the last value because nothing new came.
  public var isRepeat: Bool
  /// How many fixes were dropped since the update before: the program did not read in time, or the batch was full.
  public var dropped: Int

  /// An update, for a program's tests.
  public init(
    fix: Fix? = nil, fixes: [Fix] = [], achievedAccuracy: AccuracyLevel? = nil, availability: Availability,
    state: SubscriptionState = .delivering, reason: DeliveryReason? = nil, isReplay: Bool = false,
    isRepeat: Bool = false, dropped: Int = 0
  ) {
    self.fix = fix
    self.fixes = fixes
    self.achievedAccuracy = achievedAccuracy
    self.availability = availability
    self.state = state
    self.reason = reason
    self.isReplay = isReplay
    self.isRepeat = isRepeat
    self.dropped = dropped
  }
}

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
