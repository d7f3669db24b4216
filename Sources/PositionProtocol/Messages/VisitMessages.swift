public import JSONRPC
public import Positioning

/// Delivers arrivals and departures at places where the device stays.
public struct VisitSubscribeRequest: RequestType, WireObject, Hashable {
  public static let method = "visit.subscribe"
  public static let summary = "Delivers arrivals and departures at places where the device stays."
  public static let isAllowedInBatch = false
  public static let errors: [RPCError.Code] = .permission + [.accuracyLimited]
  public static let usual: Set<String> = ["subscription"]

  /// The durable name that makes it outlive the connection.
  public var durable: DurableRequest?

  public init(durable: DurableRequest? = nil) {
    self.durable = durable
  }

  public static let wire = ObjectCodec<VisitSubscribeRequest>(blank: VisitSubscribeRequest()) {
    Field.optional(
      "durable", \.durable, DurableRequest.codec, example: DurableRequest.example,
      "The durable name that makes it outlive the connection.")
  }

  public typealias Result = SubscriptionResult
  public static let result = ResultDescription(
    "subscription", SubscriptionResult.wire.schema, "The state of the subscription.")
}

/// The device has arrived at a place and stays, or has left it.
public struct VisitUpdateNotification: NotificationType, WireObject, Hashable {
  public static let method = "visit.update"
  public static let summary = "The device has arrived at a place and stays, or has left it."

  /// The subscription's number on this connection; absent for a durable one.
  public var subscription: Int?
  /// The durable name to which it belongs.
  public var durable: String?
  /// The number with which to acknowledge the event, if it is durable.
  public var eventId: Int?
  /// The stay.
  public var visit: Visit

  private init(visit: Visit) { self.visit = visit }

  public init(subscription: Int, visit: Visit) {
    self.subscription = subscription
    self.visit = visit
  }

  public init(durable: String, eventId: Int, visit: Visit) {
    self.durable = durable
    self.eventId = eventId
    self.visit = visit
  }

  public static let wire = ObjectCodec<VisitUpdateNotification>(
    blank: VisitUpdateNotification(visit: Visit.wire.blank)
  ) {
    UpdateSource.subscription(\.subscription)
    UpdateSource.durable(\.durable)
    UpdateSource.eventId(\.eventId)
    Field.required("visit", \.visit, Visit.codec, example: Visit.example, "The stay.")
  }
}
