import Positioning

/// The evidence `time`: the receiver's clock against the one that counts since boot.
///
/// Both advance alike, whatever they show, so the difference between a receiver's time and its arrival changes only by
/// drift and by the link. A link makes reports late: then time goes on, more slowly. It never makes them early, and
/// never brings a time twice. What else moves the difference is a clock that was set, or a signal of another time.
///
/// A receiver sets its own clock while it starts, and again when it learns the leap seconds, which takes up to 12.5
/// minutes. Neither counts.
struct ClockEvidence: Hashable, Sendable {
  /// The jitter of a link, in seconds.
  private static let jitter = 1.0
  /// What a link may hold a report back, in seconds.
  private static let longestLag = 120.0
  /// As much faster the system's clock may be while it is corrected.
  private static let drift = 0.0005
  /// A correction for leap seconds is not larger, in seconds.
  private static let leapSeconds = 20.0
  /// Satellites send the number of leap seconds every 12.5 minutes.
  private static let leapSecondsKnown: Duration = .seconds(15 * 60)
  /// So long the receiver's time must have agreed before a later one is measured by it.
  private static let settling: Duration = .seconds(60)
  /// One report with a wrong date is an error of a decoder.
  private static let confirmations = 3
  /// After so long the clock is measured from a newer difference, so that the drift of days explains nothing.
  private static let measuring: Duration = .seconds(3600)
  /// A time that went on for so long is the receiver's time from then on.
  private static let adoption: Duration = .seconds(15 * 60)

  /// The difference of time and arrival, in seconds, from which the receiver's clock is measured, and since when.
  private var anchor: Anchor?
  /// The greatest difference lately: that of the reports that came least late.
  private var least = 0.0
  /// When a report agreed last.
  private var agreed = Instant.boot
  /// The newest time that agreed or was late, and its arrival in this session.
  private var lastTime: Timestamp?
  private var lastArrival: Instant?
  /// When this session's first fix came.
  private var sessionBegan: Instant?
  /// What reports have instead.
  private var step: Step?

  private struct Anchor: Hashable, Sendable {
    let difference: Double
    let moment: Instant
    /// Since when reports agree.
    let began: Instant
  }

  private struct Step: Hashable, Sendable {
    let since: Instant
    /// How many reports in a row.
    var count = 0
  }

  /// The receiver's session has ended. What is known of its clock stays.
  mutating func sessionEnded() {
    self.sessionBegan = nil
    self.lastArrival = nil
  }

  /// An epoch with a fix.
  mutating func received(_ epoch: JudgedEpoch) -> Finding {
    guard let time = epoch.time else { return .silent }
    let arrival = epoch.arrival
    let difference = time.seconds - arrival.sinceBoot.seconds
    self.sessionBegan = self.sessionBegan ?? arrival
    guard let anchor else {
      self.begin(difference, time, at: arrival)
      return .silent
    }
    let early = difference - anchor.difference - Self.jitter - Self.drift * (arrival - anchor.moment).seconds
    let late = self.least - difference
    let slack = Self.drift * max(0, (arrival - self.agreed).seconds)
    if early <= 0, late <= 2 * (Self.jitter + slack) {
      self.step = nil
      self.least = max(difference, self.least - slack)
      (self.agreed, self.lastTime, self.lastArrival) = (arrival, time, arrival)
      if arrival - anchor.moment >= Self.measuring {
        self.anchor = Anchor(difference: self.least, moment: arrival, began: anchor.began)
      }
      return self.isSettled ? .supporting : .silent
    }
    if early <= 0, self.isLate(late, time: time, arrival: arrival) {
      (self.lastTime, self.lastArrival) = (time, arrival)
      return .silent
    }
    return self.stepped(by: max(difference - self.least, late), to: difference, time, at: arrival)
  }

  private mutating func begin(_ difference: Double, _ time: Timestamp, at arrival: Instant) {
    self.anchor = Anchor(difference: difference, moment: arrival, began: arrival)
    (self.least, self.agreed, self.step) = (difference, arrival, nil)
    (self.lastTime, self.lastArrival) = (time, arrival)
  }

  /// Whether reports agreed for long enough. A receiver that hangs after its first one agrees with nothing.
  private var isSettled: Bool { self.anchor.map { self.agreed - $0.began >= Self.settling } ?? false }

  /// Whether a link that holds reports back explains it: time goes on, and in a session without a break.
  private func isLate(_ late: Double, time: Timestamp, arrival: Instant) -> Bool {
    guard self.step == nil, late <= Self.longestLag, let lastTime, time > lastTime else { return false }
    return self.lastArrival.map { (arrival - $0).seconds <= Self.longestLag } ?? true
  }

  private mutating func stepped(
    by seconds: Double, to difference: Double, _ time: Timestamp, at arrival: Instant
  ) -> Finding {
    let mayLearnLeapSeconds = self.sessionBegan.map { arrival - $0 <= Self.leapSecondsKnown } ?? true
    if !self.isSettled || seconds <= Self.leapSeconds && mayLearnLeapSeconds {
      self.begin(difference, time, at: arrival)
      return .silent
    }
    var step = self.step ?? Step(since: arrival)
    step.count += 1
    self.step = step
    guard step.count >= Self.confirmations else { return .silent }
    if arrival - step.since >= Self.adoption { self.begin(difference, time, at: arrival) }
    return seconds > Self.leapSeconds ? .strong : .weak
  }
}
