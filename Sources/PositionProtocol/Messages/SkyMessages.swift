public import JSONRPC
public import Positioning

/// Returns the satellites that the receiver saw last.
public struct SkyGetRequest: RequestType, WireObject, Hashable {
  public static let method = "sky.get"
  public static let summary = "Returns the satellites that the receiver saw last."
  public static let errors: [RPCError.Code] = .permission + [.accuracyLimited]
  public static let usual: Set<String> = ["satellites", "hdop", "age"]

  public init() {}

  public static let wire = ObjectCodec<SkyGetRequest>(blank: SkyGetRequest()) {}

  /// The satellites; absent if the receiver has reported none.
  public struct Result: WireValue, Hashable {
    public var sky: Sky?

    public init(_ sky: Sky?) { self.sky = sky }

    public static let codec: Codec<Result> = Codec(
      Sky.wire.schema,
      write: { result, writer in
        guard let sky = result.sky else { return writer.raw("{}".utf8.span) }
        Sky.wire.write(sky, &writer)
      },
      read: { (view: JSONView, context: ReadingContext) throws(CodingFailure) -> Result in
        let sky = try Sky.wire.read(view, context)
        return Result(view["satellites"] == nil ? nil : sky)
      })
  }

  public static var resultCodec: Codec<Result> { Result.codec }
  public static let result = ResultDescription(
    "sky", Sky.wire.schema, "The satellites; empty if the receiver has reported none.")
}

/// Delivers the satellites that the receiver sees, and turns it on unless it is passive.
public struct SkySubscribeRequest: RequestType, WireObject, Hashable {
  public static let method = "sky.subscribe"
  public static let summary = "Delivers the satellites that the receiver sees, and turns it on unless it is passive."
  public static let isAllowedInBatch = false
  public static let errors: [RPCError.Code] = .permission + [.accuracyLimited]
  public static let usual: Set<String> = ["subscription"]

  /// The least time between two deliveries.
  public var minInterval: Duration
  /// Whether it only rides on what others need, and never turns the receiver on.
  public var isPassive: Bool

  public init(minInterval: Duration = .seconds(1), isPassive: Bool = false) {
    self.minInterval = minInterval
    self.isPassive = isPassive
  }

  public static let wire = ObjectCodec<SkySubscribeRequest>(blank: SkySubscribeRequest()) {
    Field.defaulted(
      "minInterval", \.minInterval, .seconds(.seconds), example: 5, "Seconds between two deliveries.")
    Field.flag(
      "passive", \.isPassive, "Whether it never turns the receiver on: it only delivers what comes for others.")
  }

  public typealias Result = SubscriptionResult
  public static let result = ResultDescription(
    "subscription", SubscriptionResult.wire.schema, "The state of the subscription.")
}

/// One delivery of a sky subscription. On the wire the sky's members stand beside `subscription`.
public struct SkyUpdateNotification: NotificationType, WireObject, Hashable {
  public static let method = "sky.update"
  public static let summary = "One delivery of a sky subscription."

  /// The subscription's number on this connection.
  public var subscription: Int
  public var sky: Sky

  public init(subscription: Int, sky: Sky) {
    self.subscription = subscription
    self.sky = sky
  }

  public static let wire = ObjectCodec<SkyUpdateNotification>(
    blank: SkyUpdateNotification(subscription: 0, sky: Sky.wire.blank)
  ) {
    Field.required(
      "subscription", \.subscription, .integer(minimum: 1), example: 1, "The subscription's number on this connection.")
    Sky.wire.fields(within: \SkyUpdateNotification.sky)
  }
}
