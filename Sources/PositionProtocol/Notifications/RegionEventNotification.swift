public import JSONRPC
public import Positioning

/// Something happened with a region.
public struct RegionEventNotification: NotificationType, Hashable {
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
  public var fix: FixObject?
  /// True where no fix lay inside, and the way between two fixes tells it; else absent.
  @TrueOrAbsent public var isInferred: Bool
  /// How likely the device is inside; where a fix decided.
  public var probability: Double?

  public init(
    id: String, durable: String? = nil, eventId: Int? = nil, event: RegionEventKind, state: RegionState,
    fix: FixObject? = nil, isInferred: Bool = false, probability: Double? = nil
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

  private enum CodingKeys: String, CodingKey {
    case id
    case durable
    case eventId
    case event
    case state
    case fix
    case isInferred = "inferred"
    case probability
  }

  public static let parameters: [FieldDescription] = [
    FieldDescription("id", .string(maximumBytes: nil), example: "home", "What its owner calls it."),
    UpdateSource.durable, UpdateSource.eventId,
    FieldDescription("event", .choice(of: RegionEventKind.self), example: "enter", "What happened."),
    FieldDescription("state", .choice(of: RegionState.self), example: "inside", "Where the device is after it."),
    FieldDescription(
      "fix", .reference(FixObject.schemaName), .optional, example: DescribedExample.of(FixObject.self),
      "The fix that decided it; absent where time alone did."),
    FieldDescription(
      "inferred", .boolean, .optional, example: true,
      "True where no fix lay inside, and the way between two fixes tells it; else absent."),
    FieldDescription(
      "probability", .number(.share), .optional, example: 0.97,
      "How likely the device is inside; where a fix decided."),
  ]
}
