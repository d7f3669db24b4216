package import Positioning

extension Timestamp {
  /// What the wall clock shows now.
  package static var now: Timestamp { Timestamp(since1970: EventLoop.readWallClock()) }
}
