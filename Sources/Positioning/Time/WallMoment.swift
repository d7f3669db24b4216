/// A moment on both clocks.
package struct WallMoment: Hashable, Sendable {
  package var instant: Instant
  package var since1970: Duration

  package init(instant: Instant, since1970: Duration) {
    self.instant = instant
    self.since1970 = since1970
  }

  package var timestamp: Timestamp { Timestamp(since1970: self.since1970) }

  /// When the fix was: by the receiver's time, or by its arrival if it reported none.
  ///
  /// Where the two differ by more than a day, one clock is wrong: a receiver whose count of weeks began again, or a
  /// device without a battery before its clock was set. Both are in the past, so the later one counts.
  package func time(of fix: Fix) -> Timestamp {
    let arrival = Timestamp(of: fix.arrival, now: self.instant, since1970: self.since1970)
    guard let time = fix.time else { return arrival }
    let day = Duration.seconds(86_400)
    return time - arrival > day || arrival - time > day ? max(time, arrival) : time
  }
}
