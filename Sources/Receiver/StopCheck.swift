import Positioning

/// Whether a receiver obeyed a stop: judged by its reports from then on.
struct StopCheck: Hashable, Sendable {
  enum Verdict: Hashable {
    /// It is stopped, for this reason in words.
    case stopped(String)
    /// It sends reports without a fix, as it did before: that proves nothing.
    case unproved
    /// It works on.
    case ignored
  }

  /// Reports that were on their way when the stop was sent do not count.
  static let settling: Duration = .seconds(2)
  /// How long it must show no work, if it reports every second or faster.
  static let quiet: Duration = .seconds(3)
  /// How much longer it may take until it counts as one that ignores the stop.
  static let grace: Duration = .seconds(5)

  /// From when on reports count.
  let settledAt: Instant
  private let quiet: Duration
  private let worked: Bool
  private var lastWork: Instant?
  private var hasReported = false

  /// - Parameters:
  ///   - cycle: The time between two reports.
  ///   - worked: Whether it worked before the stop.
  init(sentAt: Instant, cycle: Duration, worked: Bool) {
    self.settledAt = sentAt + Self.settling
    self.quiet = max(Self.quiet, cycle * 3)
    self.worked = worked
  }

  private var quietAt: Instant { max(self.settledAt, self.lastWork ?? self.settledAt) + self.quiet }
  private var end: Instant { self.settledAt + self.quiet + Self.grace }

  /// When the verdict is due, unless another report comes.
  var deadline: Instant { min(self.quietAt, self.end) }

  mutating func reported(isWorking: Bool, now: Instant) {
    guard now >= self.settledAt else { return }
    self.hasReported = true
    if isWorking { self.lastWork = now }
  }

  func verdict(now: Instant) -> Verdict? {
    if now >= self.quietAt {
      guard self.hasReported else { return .stopped(Evidence.silence) }
      return self.worked ? .stopped(Evidence.stoppedReports) : .unproved
    }
    return now >= self.end ? .ignored : nil
  }

  /// Whether it has worked since the stop settled.
  var hasWorked: Bool { self.lastWork != nil }
}
