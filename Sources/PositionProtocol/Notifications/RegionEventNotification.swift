public import JSONRPC
public import Positioning

/// An event of a region. On the wire the event's members stand beside the durable name and the event's number.
public struct RegionEventNotification: NotificationType, WireObject, Hashable {
  public static let method = "region.event"
  public static let summary = "An event of a region."

  public var event: RegionEvent
  /// The durable name to which it belongs.
  public var durable: String?
  /// The number with which to acknowledge the event, if it is durable.
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
