import PositionProtocol
public import Positioning

/// One delivery of `DurableName.events`: what happened to something registered under the name, or what became of the
/// name, of its inbox or of the connection.
public struct DurableEvent: Hashable, Sendable {
  /// Its number, for `acknowledge`; absent if there is nothing to acknowledge.
  public var id: Int?
  /// The event; absent if there is a `reason` instead.
  public var content: DurableContent?
  /// How many events before it were lost, because nobody took them in time.
  public var dropped: Int
  /// `.overflow`, `.replaced`, `.removed`, `.disconnected`, `.suspended` or `.reconnected` if there is no content, else
  /// absent.
  public var reason: DeliveryReason?

  /// Creates an event, for a program's tests.
  public init(id: Int? = nil, content: DurableContent? = nil, dropped: Int = 0, reason: DeliveryReason? = nil) {
    self.id = id
    self.content = content
    self.dropped = dropped
    self.reason = reason
  }

  /// The event of a region, if it is one.
  public var region: RegionEvent? {
    if case .region(let event)? = self.content { event } else { nil }
  }

  /// The visit, if it is one.
  public var visit: Visit? {
    if case .visit(let visit)? = self.content { visit } else { nil }
  }

  /// The fix or the fixes of the position registration, if it is one.
  public var position: PositionUpdate? {
    if case .position(let update)? = self.content { update } else { nil }
  }
}

extension DeliveryReason {
  /// Events of a durable name were dropped because nobody acknowledged them in time.
  public static let overflow = Self(rawValue: "overflow")
  /// Another program is attached to the durable name now; the sequence ends.
  public static let replaced = Self(rawValue: "replaced")
  /// The durable name was removed; the sequence ends.
  public static let removed = Self(rawValue: "removed")
}

extension DurableEvent: SubscriptionUpdate {
  typealias Request = DurableAttachRequest

  static let disconnected = Self(reason: .disconnected)
  static let suspended = Self(reason: .suspended)
  static func reconnected(_ answer: DurableInfo) -> Self { Self(reason: .reconnected) }

  static func ended(_ reason: EndReason) -> Self? {
    switch reason {
    case .replaced: Self(reason: .replaced)
    case .cancelled: Self(reason: .removed)
    default: nil  // Kinds of a later daemon.
    }
  }

  package init?(_ notification: any AddressedNotification) {
    switch notification {
    case let event as RegionEventNotification: self.init(id: event.eventId, content: .region(event.event))
    case let update as VisitUpdateNotification: self.init(id: update.eventId, content: .visit(update.visit))
    case let update as PositionUpdateNotification: self.init(id: update.eventId, content: .position(update.update))
    case let overflow as DurableOverflowNotification: self.init(dropped: max(0, overflow.dropped), reason: .overflow)
    default: return nil
    }
  }

  var eventID: Int? { self.id }

  var reveals: Precision? {
    switch self.content {
    case .position(let update): update.reveals
    case .region(let event): event.reveals
    case .visit: .precise
    case nil: nil
    }
  }

  mutating func passOver(_ older: Self) {
    self.dropped = self.dropped.plus(older.dropped).plus(older.id == nil ? 0 : 1)
  }
}
