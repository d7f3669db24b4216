public import JSONRPC
public import Positioning

/// One delivery of a position subscription: a fix, a batch, or a change of its availability or state.
public struct PositionUpdateNotification: NotificationType, WireObject, Hashable {
  public static let method = "position.update"
  public static let summary =
    "One delivery of a position subscription: a fix, a batch, or a change of its availability or state."

  /// Its number on this connection; absent where it is durable.
  public var subscription: Int?
  /// The durable name that it belongs to.
  public var durable: String?
  /// The event's number, to acknowledge it by; where it is durable.
  public var eventId: Int?
  /// Where it stands.
  public var state: SubscriptionObject.State
  /// Why there is or is not a fresh fix.
  public var availability: Availability
  /// The fix; absent where it is a batch, or only availability or state changed.
  public var fix: Fix?
  /// A batch, oldest first.
  public var fixes: [Fix]?
  /// The finest level that the fix reaches.
  public var achievedAccuracy: AccuracyLevel?
  /// Why availability or state changed, or why the batch comes now.
  public var reason: DeliveryReason?
  /// True where the fix was there before the subscription, else absent.
  public var isReplay: Bool
  /// True where it is a heartbeat and comes because nothing else did, else absent.
  public var isRepeat: Bool
  /// How many fixes were passed over since the last delivery: the client did not read in time, or the batch was full.
  public var dropped: Int?

  public init(
    subscription: Int? = nil, durable: String? = nil, eventId: Int? = nil, state: SubscriptionObject.State,
    availability: Availability, fix: Fix? = nil, fixes: [Fix]? = nil,
    achievedAccuracy: AccuracyLevel? = nil, reason: DeliveryReason? = nil, isReplay: Bool = false,
    isRepeat: Bool = false, dropped: Int? = nil
  ) {
    self.subscription = subscription
    self.durable = durable
    self.eventId = eventId
    self.state = state
    self.availability = availability
    self.fix = fix
    self.fixes = fixes
    self.achievedAccuracy = achievedAccuracy
    self.reason = reason
    self.isReplay = isReplay
    self.isRepeat = isRepeat
    self.dropped = dropped
  }

  public static let wire = ObjectCodec<PositionUpdateNotification>(
    blank: PositionUpdateNotification(state: .fallback, availability: .fallback)
  ) {
    UpdateSource.subscription(\.subscription)
    UpdateSource.durable(\.durable)
    UpdateSource.eventId(\.eventId)
    Field.required("state", \.state, SubscriptionObject.State.codec, example: "waiting", "Where it stands.")
    Field.required(
      "availability", \.availability, Availability.codec, example: "searching",
      "Why there is or is not a fresh fix.")
    Field.optional(
      "fix", \.fix, Fix.codec, example: Fix.example,
      "The fix; absent where it is a batch, or only availability or state changed.")
    Field.optional(
      "fixes", \.fixes, .array(of: Fix.codec), example: [Fix.example],
      "A batch, oldest first.")
    Field.optional(
      "achievedAccuracy", \.achievedAccuracy, AccuracyLevel.codec, example: "room",
      "The finest level that the fix reaches.")
    Field.optional(
      "reason", \.reason, DeliveryReason.codec, example: "restored",
      "Why availability or state changed, or why the batch comes now.")
    Field.flag("replay", \.isReplay, "True where the fix was there before the subscription, else absent.")
    Field.flag("repeat", \.isRepeat, "True where it is a heartbeat and comes because nothing else did, else absent.")
    Field.optional(
      "dropped", \.dropped, .integer(minimum: 1), example: 2,
      "How many fixes were passed over since the last delivery: the client did not read in time, or the batch was full."
    )
  }
}
