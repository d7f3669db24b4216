import Positioning

/// The timers of a loop, which it does not keep.
struct TimerList {
  private struct Entry {
    weak var timer: EventSource?
  }

  private var entries: [Entry] = []
  /// With more entries, those whose timers are gone are removed.
  private var limit = 64

  mutating func add(_ timer: EventSource) {
    if self.entries.count >= self.limit {
      self.entries.removeAll { $0.timer?.isCancelled ?? true }
      self.limit = max(64, 2 * self.entries.count)
    }
    self.entries.append(Entry(timer: timer))
  }

  /// The soonest moment for which one is armed.
  var soonest: Instant? {
    self.entries.compactMap { $0.timer?.armedMoment }.min().map { Instant(microseconds: $0) }
  }
}
