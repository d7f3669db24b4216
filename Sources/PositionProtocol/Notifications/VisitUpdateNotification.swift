public import JSONRPC
public import Positioning

/// The device has come to a place and stays, or has left it.
public struct VisitUpdateNotification: NotificationType, WireObject, Hashable {
  public static let method = "visit.update"
  public static let summary = "The device has come to a place and stays, or has left it."

  /// Its number on this connection; absent where it is durable.
  public var subscription: Int?
  /// The durable name that it belongs to.
  public var durable: String?
  /// The event's number, to acknowledge it by; where it is durable.
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
