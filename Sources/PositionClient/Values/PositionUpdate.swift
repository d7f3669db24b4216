public import PositionProtocol
public import Positioning

/// One delivery of `PositionClient.updates`: a fix, or a change of what can be had.
public struct PositionUpdate: Hashable, Sendable {
  /// Absent where only availability or state changed.
  public var fix: Fix?
  /// The finest level that the fix reaches.
  public var achievedAccuracy: AccuracyLevel?
  /// Why there is or is not a fresh fix.
  public var availability: Availability
  /// Where the subscription stands.
  public var state: SubscriptionObject.State
  /// Why availability or state changed.
  public var reason: DeliveryReason?
  /// Whether the fix was there before the subscription.
  public var isReplay: Bool
  /// Whether it is a heartbeat, which comes because nothing else did.
  public var isRepeat: Bool
  /// How many updates were passed over since the one before, because they were not taken in time.
  public var dropped: Int

  init(_ update: PositionUpdateNotification) {
    self.fix = update.fix?.fix
    self.achievedAccuracy = update.achievedAccuracy
    self.availability = update.availability
    self.state = update.state
    self.reason = update.reason
    self.isReplay = update.isReplay
    self.isRepeat = update.isRepeat
    self.dropped = update.dropped ?? 0
  }
}
