public import JSONRPC
public import Positioning

/// Something happened with a region.
public struct RegionEventNotification: NotificationType, WireObject, Hashable {
  public static let method = "region.event"
  public static let summary = "Something happened with a region."

  /// What its owner calls it.
  public var id: String
  /// The durable name that it belongs to.
  public var durable: String?
  /// The event's number, to acknowledge it by; where it is durable.
  public var eventId: Int?
  /// What happened.
  public var event: RegionEventKind
  /// Where the device is after it.
  public var state: RegionState
  /// The fix that decided it; absent where time alone did.
  public var fix: Fix?
  /// True where no fix lay inside, and the way between two fixes tells it; else absent.
  public var isInferred: Bool
  /// How likely the device is inside; where a fix decided.
  public var probability: Double?

  public init(
    id: String, durable: String? = nil, eventId: Int? = nil, event: RegionEventKind, state: RegionState,
    fix: Fix? = nil, isInferred: Bool = false, probability: Double? = nil
  ) {
    self.id = id
    self.durable = durable
    self.eventId = eventId
    self.event = event
    self.state = state
    self.fix = fix
    self.isInferred = isInferred
    self.probability = probability
  }

  public static let wire = ObjectCodec<RegionEventNotification>(
    blank: RegionEventNotification(id: "", event: .fallback, state: .fallback)
  ) {
    Field.required("id", \.id, .string, example: "home", "What its owner calls it.")
    UpdateSource.durable(\.durable)
    UpdateSource.eventId(\.eventId)
    Field.required("event", \.event, RegionEventKind.codec, example: "enter", "What happened.")
    Field.required("state", \.state, RegionState.codec, example: "inside", "Where the device is after it.")
    Field.optional(
      "fix", \.fix, Fix.codec, example: Fix.example,
      "The fix that decided it; absent where time alone did.")
    Field.flag(
      "inferred", \.isInferred, "True where no fix lay inside, and the way between two fixes tells it; else absent.")
    Field.optional(
      "probability", \.probability, .number(.share), example: 0.97,
      "How likely the device is inside; where a fix decided.")
  }
}
