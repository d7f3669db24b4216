import Positioning

/// Searches for one good fix within a budget: the first of the desired accuracy, or at the end the best acceptable one.
///
/// The budget starts at the receiver's first fix, not while it starts. A receiver without any fix gets the time of a
/// cold start.
struct FixAcquisition: Hashable, Sendable {
  enum Outcome: Hashable, Sendable {
    case acquired(Fix)
    case failed
  }

  private let parameters: Acquisition
  private var began: Instant
  private var firstFix: Instant?
  private var candidates: Candidates

  /// - Parameter limit: Metres; fixes with a larger or unknown accuracy are not delivered, and so are ignored.
  init(
    _ parameters: Acquisition, limit: Double?, activity: Activity, now: Instant
  ) {
    var parameters = parameters
    if let limit {
      parameters.desiredAccuracy = min(parameters.desiredAccuracy, limit)
      parameters.acceptableAccuracy = min(parameters.acceptableAccuracy ?? .infinity, limit)
    }
    self.parameters = parameters
    self.began = now
    self.candidates = Candidates(
      acceptableMeters: parameters.acceptableAccuracy ?? .infinity, maximumAge: parameters.budget,
      speedBound: activity.speedBound, began: now)
  }

  /// The budget starts now.
  mutating func beginAgain(now: Instant) {
    (self.began, self.firstFix) = (now, nil)
    self.candidates.beginAgain(now: now)
  }

  /// The daemon did not run for so long: the search gets that time.
  mutating func putOff(by gap: Duration) {
    self.began = self.began + gap
    self.firstFix = self.firstFix.map { $0 + gap }
  }

  /// When to call `deadlineReached`.
  var nextDeadline: Instant {
    self.firstFix.map { $0 + self.parameters.budget } ?? self.began + ProbeSchedule.coldTimeout
  }

  /// A fix; those from before the acquisition do not count.
  mutating func fixed(_ fix: Fix, now: Instant) -> Outcome? {
    guard fix.arrival > self.began else { return nil }
    self.firstFix = self.firstFix ?? fix.arrival
    if fix.horizontalAccuracy ?? .infinity <= self.parameters.desiredAccuracy { return .acquired(fix) }
    self.candidates.add(fix)
    return nil
  }

  func deadlineReached(now: Instant) -> Outcome? {
    guard now >= self.nextDeadline else { return nil }
    return self.candidates.bestAcceptable(now: now).map { .acquired($0) } ?? .failed
  }
}
