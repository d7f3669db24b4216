/// One delivery of a position subscription: a fix, a batch of them, or a change of what can be had.
///
/// A fix is what most programs want, and `if let fix = update.fix` takes it. The rest says why there is none:
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
  /// `nil` where it is a batch, or only availability, state or the connection changed.
  public var fix: Fix?
  /// A batch of the mode `deferred`, oldest first; else empty.
  public var fixes: [Fix]
  /// The finest level that the fix reaches.
  public var achievedAccuracy: AccuracyLevel?
  /// Why there is or is not a fresh fix; `unknown` while the connection is lost.
  public var availability: Availability
  /// Where the subscription stands.
  public var state: SubscriptionState
  /// Why availability, state or the connection changed, or why a batch comes now.
  public var reason: DeliveryReason?
  /// Whether the fix was there before the subscription.
  public var isReplay: Bool
  /// Whether it is a heartbeat, which comes because nothing else did.
  public var isRepeat: Bool
  /// How many fixes were passed over since the update before: they were not taken in time, or the batch was full.
  public var dropped: Int

  /// An update as a test of a program may want one.
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
