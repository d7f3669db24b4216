import Positioning

/// When the receiver was on during the last day. While nobody knows whether it is, it counts as one that is not.
struct DutyCycleTracker: Hashable, Sendable {
  /// The maximum of kept periods, more than a day's lingers; the oldest are dropped first.
  static let limit = 4096

  private struct OnPeriod: Hashable {
    let on: Instant
    let off: Instant
  }

  private var onPeriods: [OnPeriod] = []
  private var onSince: Instant?
  /// Whether it is to be on, and whether it is not known that it is.
  private var isTurnedOn = false
  private var isUnknown = false
  private var total: Duration = .zero
  private(set) var starts = 0
  private let began: Instant

  init(began: Instant) {
    self.began = began
  }

  mutating func receiverTurned(on: Bool, now: Instant) {
    if on, !self.isTurnedOn { self.starts += 1 }
    // What was known of it before its start says nothing of it now.
    if on != self.isTurnedOn { self.isUnknown = false }
    self.isTurnedOn = on
    self.update(now: now)
  }

  /// Nobody knows whether the receiver is on, as when it is unplugged; or that is known again.
  mutating func powerChanged(isUnknown: Bool, now: Instant) {
    self.isUnknown = isUnknown
    self.update(now: now)
  }

  private mutating func update(now: Instant) {
    if self.isTurnedOn, !self.isUnknown {
      self.onSince = self.onSince ?? now
    } else if let since = self.onSince {
      self.onSince = nil
      self.add(OnPeriod(on: since, off: now), now: now)
    }
  }

  /// The daemon did not run for so long. Whether the receiver was on then is not known, so it does not count as on; it is
  /// the same start.
  mutating func gapEnded(_ gap: Duration, now: Instant) {
    guard let since = self.onSince else { return }
    self.onSince = now
    let begin = now - gap
    if begin > since { self.add(OnPeriod(on: since, off: begin), now: now) }
  }

  private mutating func add(_ period: OnPeriod, now: Instant) {
    self.total += period.off - period.on
    self.onPeriods.append(period)
    self.forget(before: now - .seconds(86400))
  }

  func onTime(now: Instant) -> Duration {
    self.total + (self.onSince.map { now - $0 } ?? .zero)
  }

  /// The share of the time in which the receiver was on, in the window before `now` or since the start.
  func dutyCycle(over window: Duration, now: Instant) -> Double {
    let start = max(self.began, now - window)
    let length = (now - start).seconds
    guard length > 0 else { return self.onSince == nil ? 0 : 1 }
    var seconds = 0.0
    for period in self.onPeriods where period.off > start { seconds += (period.off - max(period.on, start)).seconds }
    if let since = self.onSince { seconds += (now - max(since, start)).seconds }
    return min(1, seconds / length)
  }

  /// The last periods, the oldest first.
  func last(_ count: Int) -> [DaemonStatus.OnPeriod] {
    let present = self.onSince.map { [DaemonStatus.OnPeriod(from: $0)] } ?? []
    let past = self.onPeriods.suffix(count - present.count)
    return past.map { DaemonStatus.OnPeriod(from: $0.on, until: $0.off) } + present
  }

  private mutating func forget(before limit: Instant) {
    let old = self.onPeriods.prefix { $0.off <= limit }.count
    self.onPeriods.removeFirst(max(old, self.onPeriods.count - Self.limit))
  }
}
