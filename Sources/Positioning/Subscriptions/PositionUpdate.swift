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
