/// An event of a durable registration.
public enum DurableContent: Hashable, Sendable {
  /// An event of a region.
  case region(RegionEvent)
  /// The device has come to a place, or left it.
  case visit(Visit)
  /// A delivery of the position registration.
  case position(PositionUpdate)
}
