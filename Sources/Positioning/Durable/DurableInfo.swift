/// A durable name and what is registered under it.
public struct DurableInfo: Hashable, Sendable {
  public var name: String
  /// A system unit that its events start when no client is attached.
  public var wake: String?
  /// The regions in the order in which they were added; only the first if there are many.
  public var regions: [RegionInfo]
  /// How many more regions it has.
  public var regionsOmitted: Int
  /// The parameters of its position subscription; `nil` if it has none.
  public var position: SubscriptionParameters?
  /// Whether it has a subscription of visits.
  public var hasVisits: Bool
  /// How many events wait to be acknowledged.
  public var waiting: Int
  /// The number of the newest event; 0 before the first.
  public var lastEvent: UInt64
  /// Whether a client is attached.
  public var isAttached: Bool
  /// Why its unit could not be started the last time, in words.
  public var wakeError: String?

  public init(
    name: String, wake: String? = nil, regions: [RegionInfo] = [], regionsOmitted: Int = 0,
    position: SubscriptionParameters? = nil, hasVisits: Bool = false, waiting: Int = 0, lastEvent: UInt64 = 0,
    isAttached: Bool = false, wakeError: String? = nil
  ) {
    self.name = name
    self.wake = wake
    self.regions = regions
    self.regionsOmitted = regionsOmitted
    self.position = position
    self.hasVisits = hasVisits
    self.waiting = waiting
    self.lastEvent = lastEvent
    self.isAttached = isAttached
    self.wakeError = wakeError
  }
}
