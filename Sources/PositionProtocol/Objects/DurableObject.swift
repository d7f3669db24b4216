public import JSONRPC

/// A durable name and what is registered under it.
public struct DurableObject: WireObject, Hashable {
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

  public static let wire = ObjectCodec<DurableObject>(
    "Durable",
    blank: DurableObject(durable: "", regions: [], visits: false, waiting: 0, lastEvent: 0, isAttached: false)
  ) {
    Field.required("durable", \.durable, .string, example: "tracker", "The name.")
    Field.optional(
      "wake", \.wake, .string, example: "tracker.service",
      "A unit of the system that its events start when no client is attached.")
    Field.required(
      "regions", \.regions, .array(of: WatchedRegionObject.codec), example: [WatchedRegionObject.example],
      "Its regions, in the order in which they were added; the first of them where there are many.")
    Field.optional(
      "omitted", \.omitted, .integer(minimum: 1), example: 3,
      "How many more regions it has; absent where all are listed.")
    Field.optional(
      "position", \.position, PositionSubscribeRequest.codec, example: ["mode": "significant"],
      "What its position registration was asked for; absent where it has none.")
    Field.required("visits", \.visits, .boolean, example: true, "Whether visits are registered.")
    Field.required("waiting", \.waiting, .integer(minimum: 0), example: 4, "How many events wait to be acknowledged.")
    Field.required(
      "lastEvent", \.lastEvent, .integer(minimum: 0), example: 1234,
      "The number of the newest event ever; 0 before the first.")
    Field.required("attached", \.isAttached, .boolean, example: true, "Whether a client is attached.")
    Field.optional(
      "wakeTrouble", \.wakeTrouble, .string, example: "the bus refused it",
      "Why its unit could not be started the last time.")
  }
}
