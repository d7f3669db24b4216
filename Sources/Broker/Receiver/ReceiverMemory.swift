package import Positioning

/// What is known of the receiver's starts, which outlives the daemon.
package struct ReceiverMemory: Hashable, Sendable {
  /// How long its starts take.
  package var starts: TimeToFirstFix
  /// When it last had the sky for long enough to collect what it needs for a hot start; `nil`: never, as far as is
  /// known.
  package var collected: Instant?

  package init(starts: TimeToFirstFix = TimeToFirstFix(), collected: Instant? = nil) {
    self.starts = starts
    self.collected = collected
  }

  /// The memory as it counts in this boot: how long ago the receiver collected something in an earlier one is unknown.
  var inThisBoot: ReceiverMemory {
    ReceiverMemory(starts: self.starts, collected: self.collected.flatMap { $0.isBeforeBoot ? nil : $0 })
  }

  /// With what was learned while it was not known. A start that counted as cold then may have been a hot one.
  func joined(by later: ReceiverMemory) -> ReceiverMemory {
    var joined = self
    for offTime in [TimeToFirstFix.OffTime.hot, .warm] { joined.starts.learn(later.starts, after: offTime) }
    joined.collected = [self.collected, later.collected].compactMap { $0 }.max()
    return joined
  }

  /// How long the receiver must have fixes without a break: each satellite sends its orbit every 30 s.
  static let collecting: Duration = .seconds(30)

  /// What kind of start it is at a moment. Time in which the receiver was on for a few seconds only counts as off.
  func offTime(at moment: Instant) -> TimeToFirstFix.OffTime {
    TimeToFirstFix.OffTime(self.collected.map { moment - $0 })
  }

  /// How much longer a start takes than a hot one, on average.
  func costOfCooling(to offTime: TimeToFirstFix.OffTime) -> Duration {
    max(self.starts.mean(after: offTime) - self.starts.mean(after: .hot), .zero)
  }
}

/// Decides when the memory of the receiver is stored: each time is a write to the disk.
///
/// The first starts are stored at once. After them one more says little, and an hour of them may be lost.
struct ReceiverMemoryKeeper: Hashable, Sendable {
  static let interval: Duration = .seconds(3600)
  private static let firstStarts = 10

  private var kept: ReceiverMemory
  private var keptAt: Instant?

  init(kept: ReceiverMemory) { self.kept = kept }

  mutating func memoryToKeep(of memory: ReceiverMemory, isPressing: Bool, now: Instant) -> ReceiverMemory? {
    guard memory != self.kept else { return nil }
    let isLate = self.keptAt.map { now - $0 >= Self.interval } ?? true
    guard isPressing || isLate || self.isNews(memory) else { return nil }
    self.kept = memory
    self.keptAt = now
    return memory
  }

  /// Whether one of the first starts of a class was learned.
  private func isNews(_ memory: ReceiverMemory) -> Bool {
    TimeToFirstFix.OffTime.allCases.contains { offTime in
      let starts = memory.starts.starts(after: offTime)
      return starts <= Self.firstStarts && starts != self.kept.starts.starts(after: offTime)
    }
  }
}
