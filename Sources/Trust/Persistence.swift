import Positioning

/// For how long something has been said without a break.
struct Persistence: Hashable, Sendable {
  /// What says it may not do so in each report.
  let longestBreak: Duration
  private var since: Instant?
  private var last: Instant?

  init(longestBreak: Duration) { self.longestBreak = longestBreak }

  /// It is said.
  ///
  /// - Returns: For how long it has been.
  mutating func said(at moment: Instant) -> Duration {
    let isBroken = self.last.map { moment - $0 > self.longestBreak } ?? true
    let since = isBroken ? moment : self.since ?? moment
    (self.since, self.last) = (since, moment)
    return moment - since
  }

  /// It is not said any more.
  mutating func end() { (self.since, self.last) = (nil, nil) }
}
