public import JSONRPC

/// A durable name and what is registered under it.
public struct DurableObject: DescribedObject {
  /// The name.
  public var durable: String
  /// A unit of the system that its events start when no client is attached.
  public var wake: String?
  /// Its regions, in the order in which they were added; the first of them where there are many.
  public var regions: [WatchedRegionObject]
  /// How many more regions it has; absent where all are listed.
  public var omitted: Int?
  /// What its position registration was asked for; absent where it has none.
  public var position: PositionSubscribeRequest?
  /// Whether visits are registered.
  public var visits: Bool
  /// How many events wait to be acknowledged.
  public var waiting: Int
  /// The number of the newest event ever; 0 before the first.
  public var lastEvent: Int
  /// Whether a client is attached.
  public var isAttached: Bool
  /// Why its unit could not be started the last time.
  public var wakeTrouble: String?

  public init(
    durable: String, wake: String? = nil, regions: [WatchedRegionObject], omitted: Int? = nil,
    position: PositionSubscribeRequest? = nil, visits: Bool, waiting: Int, lastEvent: Int, isAttached: Bool,
    wakeTrouble: String? = nil
  ) {
    self.durable = durable
    self.wake = wake
    self.regions = regions
    self.omitted = omitted
    self.position = position
    self.visits = visits
    self.waiting = waiting
    self.lastEvent = lastEvent
    self.isAttached = isAttached
    self.wakeTrouble = wakeTrouble
  }

  private enum CodingKeys: String, CodingKey {
    case durable
    case wake
    case regions
    case omitted
    case position
    case visits
    case waiting
    case lastEvent
    case isAttached = "attached"
    case wakeTrouble
  }

  public static let fields: [FieldDescription] = [
    FieldDescription("durable", .string(maximumBytes: nil), example: "tracker", "The name."),
    FieldDescription(
      "wake", .string(maximumBytes: nil), .optional, example: "tracker.service",
      "A unit of the system that its events start when no client is attached."),
    FieldDescription(
      "regions", .array(.reference(WatchedRegionObject.schemaName)),
      example: [DescribedExample.of(WatchedRegionObject.self)],
      "Its regions, in the order in which they were added; the first of them where there are many."),
    FieldDescription(
      "omitted", .integer(minimum: 1), .optional, example: 3,
      "How many more regions it has; absent where all are listed."),
    FieldDescription(
      "position", .object(PositionSubscribeRequest.parameters), .optional, example: ["mode": "significant"],
      "What its position registration was asked for; absent where it has none."),
    FieldDescription("visits", .boolean, example: true, "Whether visits are registered."),
    FieldDescription("waiting", .integer(minimum: 0), example: 4, "How many events wait to be acknowledged."),
    FieldDescription(
      "lastEvent", .integer(minimum: 0), example: 1234,
      "The number of the newest event ever; 0 before the first."),
    FieldDescription("attached", .boolean, example: true, "Whether a client is attached."),
    FieldDescription(
      "wakeTrouble", .string(maximumBytes: nil), .optional, example: "the bus refused it",
      "Why its unit could not be started the last time."),
  ]
}
