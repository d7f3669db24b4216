public import PositionProtocol
public import Positioning

/// One delivery of `PositionClient.headingUpdates`: a heading, or a change of whether there is one.
public struct HeadingUpdate: Hashable, Sendable {
  /// Whether it is known where the device points.
  public var state: HeadingUpdateNotification.State
  /// Absent unless the state is valid.
  public var heading: Heading?
  /// Whether it is a heartbeat, which comes because nothing else did.
  public var isRepeat: Bool
  /// How many updates were passed over since the one before, because they were not taken in time.
  public var dropped: Int

  init(_ update: HeadingUpdateNotification) {
    self.state = update.state
    self.heading = update.heading?.heading
    self.isRepeat = update.isRepeat
    self.dropped = update.dropped ?? 0
  }
}
