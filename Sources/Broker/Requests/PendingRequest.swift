import Positioning

/// One one-shot request that waits for a fix. Ends exactly once.
struct PendingRequest: Hashable, Sendable {
  /// How it ended: with a fix that is as good as wished, as good as accepted, worse, or with none.
  enum Outcome: Hashable, Sendable {
    case satisfied(Fix, isFromCache: Bool)
    case acceptable(Fix)
    case timedOut(Fix?)
  }

  let call: CallID
  let request: FixRequest
  let began: Instant
  let deadline: Instant
  private var candidates: Candidates

  /// - Parameter maxRequestTime: the daemon's own limit, which bounds every timeout, and stands in for none.
  init(call: CallID, request: FixRequest, now: Instant, maxRequestTime: Duration) {
    self.call = call
    self.request = request
    self.began = now
    self.deadline = now + (request.timeout == .zero ? maxRequestTime : min(request.timeout, maxRequestTime))
    self.candidates = Candidates(
      acceptableMeters: (request.acceptableAccuracy ?? request.accuracy).meters,
      maximumAge: Self.maximumAge(request), speedBound: request.activity.speedBound)
  }

  static func maximumAge(_ request: FixRequest) -> Duration {
    request.maximumAge ?? request.accuracy.maximumAge
  }

  /// What the request asks of the receiver.
  var demand: Demand {
    Demand(accuracy: self.request.accuracy.meters, interval: .seconds(1), activity: self.request.activity)
  }

  /// The fix that was there before the request.
  mutating func cached(_ fix: Fix, now: Instant) -> Outcome? {
    guard fix.age(at: now) <= Self.maximumAge(self.request) else { return nil }
    if self.isSatisfied(by: fix) { return .satisfied(fix, isFromCache: true) }
    self.candidates.add(fix)
    return nil
  }

  /// A new epoch's fix, or a better one of the newest epoch.
  mutating func fixed(_ fix: Fix, now: Instant) -> Outcome? {
    // A fix that arrived since the request is never too old for it, though it may have been held for its accuracy.
    let isFresh = fix.arrival >= self.began || fix.age(at: now) <= Self.maximumAge(self.request)
    if isFresh, self.isSatisfied(by: fix) { return .satisfied(fix, isFromCache: false) }
    self.candidates.add(fix)
    return nil
  }

  /// The deadline passed, or the client wants the best so far.
  func completed(now: Instant) -> Outcome {
    if let fix = self.candidates.bestAcceptable(now: now) { return .acceptable(fix) }
    return .timedOut(self.candidates.best(now: now))
  }

  private func isSatisfied(by fix: Fix) -> Bool {
    guard let accuracy = fix.horizontalAccuracy else { return false }
    return accuracy <= self.request.accuracy.meters
  }
}
