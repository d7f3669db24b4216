package import Positioning

extension Timestamp {
  /// What the wall clock shows now.
  package static var now: Timestamp { Timestamp(since1970: EventLoop.readWallClock()) }
}

extension EventLoop {
  /// This machine's clock since boot, including suspend, read now; from any thread.
  package static func readClock() -> Instant { Clocks.system.sinceBoot() }

  /// This machine's wall clock: the time since 1970; from any thread.
  package static func readWallClock() -> Duration { Clocks.system.wall() }
}
