public import JSONRPC
public import Positioning

/// One delivery of a heading subscription: a heading, or a change of its state.
public struct HeadingUpdateNotification: NotificationType, WireObject, Hashable {
  public static let method = "heading.update"
  public static let summary = "One delivery of a heading subscription: a heading, or a change of its state."

  /// Its number on this connection.
  public var subscription: Int
  /// Whether it is known where the device points.
  public var state: State
  /// The heading; absent unless the state is valid.
  public var heading: Heading?
  /// True where it is a heartbeat and comes because nothing else did, else absent.
  public var isRepeat: Bool
  /// How many headings were passed over since the last delivery, because the client did not read in time.
  public var dropped: Int?

  public init(
    subscription: Int, state: State, heading: Heading? = nil, isRepeat: Bool = false, dropped: Int? = nil
  ) {
    self.subscription = subscription
    self.state = state
    self.heading = heading
    self.isRepeat = isRepeat
    self.dropped = dropped
  }

  public static let wire = ObjectCodec<HeadingUpdateNotification>(
    blank: HeadingUpdateNotification(subscription: 0, state: .fallback)
  ) {
    Field.required("subscription", \.subscription, .integer(minimum: 1), example: 1, "Its number on this connection.")
    Field.required("state", \.state, State.codec, example: "valid", "Whether it is known where the device points.")
    Field.optional(
      "heading", \.heading, Heading.codec, example: Heading.example,
      "The heading; absent unless the state is valid.")
    Field.flag("repeat", \.isRepeat, "True where it is a heartbeat and comes because nothing else did, else absent.")
    Field.optional(
      "dropped", \.dropped, .integer(minimum: 1), example: 2,
      "How many headings were passed over since the last delivery, because the client did not read in time.")
  }

  public enum State: String, Hashable, Sendable, CaseIterable {
    case valid
    /// Not now: the device rests, the receiver has no fix, the sensor is silent.
    case invalid
    /// Never with this receiver: it has no sensor, and tells no course. The subscription ends.
    case unavailable
  }
}
