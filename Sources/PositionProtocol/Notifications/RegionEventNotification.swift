public import JSONRPC
public import Positioning

/// Something happened with a region. On the wire the event's members stand beside those that say whose it is.
public struct RegionEventNotification: NotificationType, WireObject, Hashable {
  public static let method = "region.event"
  public static let summary = "Something happened with a region."

  public var event: RegionEvent
  /// The durable name that it belongs to.
  public var durable: String?
  /// The event's number, to acknowledge it by; where it is durable.
  public var eventId: Int?

  public init(_ event: RegionEvent, durable: String? = nil, eventId: Int? = nil) {
    self.event = event
    self.durable = durable
    self.eventId = eventId
  }

  public static let wire = ObjectCodec<RegionEventNotification>(
    blank: RegionEventNotification(RegionEvent.wire.blank)
  ) {
    let event = RegionEvent.wire.fields(within: \RegionEventNotification.event)
    Array(event.prefix(1))
    UpdateSource.durable(\.durable)
    UpdateSource.eventId(\.eventId)
    Array(event.dropFirst())
  }
}
