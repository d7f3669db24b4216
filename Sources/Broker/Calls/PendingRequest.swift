import Positioning

/// A one-shot request that waits for a fix. It ends exactly once.
struct PendingRequest: Hashable, Sendable {
  /// How it ended: with a fix of the desired or of the acceptable accuracy, a worse one, or none.
  enum Outcome: Hashable, Sendable {
    case satisfied(Fix, isFromCache: Bool)
    case acceptable(Fix)
    case timedOut(Fix?)

    var fix: Fix? {
      switch self {
      case .satisfied(let fix, _), .acceptable(let fix): fix
      case .timedOut(let fix): fix
      }
    }
  }

  let asker: Asker<FixResult>
  let request: FixRequest
  let began: Instant
  private(set) var deadline: Instant
  /// The feed whose fixes answer it.
  private(set) var feed: FixFeedKey
  private var candidates: Candidates

  /// - Parameter maxRequestTime: The daemon's limit, which bounds every timeout and replaces a zero one.
  init(asker: Asker<FixResult>, request: FixRequest, feed: FixFeedKey, began: Instant, maxRequestTime: Duration) {
    self.asker = asker
    self.request = request
    self.feed = feed
    self.began = began
    self.deadline = request.deadline(began: began, maxRequestTime: maxRequestTime)
    self.candidates = Candidates(request, feed: feed, began: began)
  }

  /// The client's authorization has changed: the candidates are dropped, and the feed's newest fix is judged as for a
  /// new request.
  mutating func move(to feed: FixFeedKey, newest: Fix?, now: Instant) -> Outcome? {
    self.feed = feed
    self.candidates = Candidates(self.request, feed: feed, began: self.began)
    guard let newest else { return nil }
    return newest.arrival < self.began ? self.cached(newest, now: now) : self.fixed(newest, now: now)
  }

  mutating func putOff(by gap: Duration) { self.deadline = self.deadline + gap }

  private var desired: AccuracyDemand { self.request.demand(self.feed.precision) }

  var maximumAge: Duration { self.request.maximumAge(self.feed.precision) }

  /// Its need of the receiver.
  var demand: Demand {
    Demand(accuracy: self.desired.meters, interval: .seconds(1), activity: self.request.activity)
  }

  /// The cached fix from before the request.
  mutating func cached(_ fix: Fix, now: Instant) -> Outcome? {
    guard fix.age(at: now) <= self.maximumAge else { return nil }
    if self.isSatisfied(by: fix) { return .satisfied(fix, isFromCache: true) }
    self.candidates.add(fix)
    return nil
  }

  /// A new epoch's fix, or a better one of the newest epoch.
  mutating func fixed(_ fix: Fix, now: Instant) -> Outcome? {
    // A fix that arrived after the request is never too old, though it may have been held back for its accuracy.
    let isNew = fix.arrival >= self.began && fix.lag ?? .zero <= self.maximumAge
    let isFresh = isNew || fix.age(at: now) <= self.maximumAge
    if isFresh, self.isSatisfied(by: fix) { return .satisfied(fix, isFromCache: false) }
    self.candidates.add(fix)
    return nil
  }

  /// The deadline has passed, or the client wants the best fix so far.
  func completed(now: Instant) -> Outcome {
    if let fix = self.candidates.bestAcceptable(now: now) { return .acceptable(fix) }
    return .timedOut(self.candidates.best(now: now))
  }

  private func isSatisfied(by fix: Fix) -> Bool {
    guard let accuracy = fix.horizontalAccuracy else { return false }
    return accuracy <= self.desired.meters
  }
}

extension FixRequest {
  /// Whether its parameters can be combined.
  func check(_ precision: Precision) throws(CallFailure) {
    if let acceptableAccuracy, acceptableAccuracy.meters < self.demand(precision).meters {
      throw .invalid(parameter: "acceptableAccuracy", expected: "no finer than accuracy")
    }
  }

  func maximumAge(_ precision: Precision) -> Duration { self.maximumAge ?? self.demand(precision).maximumAge }

  func deadline(began: Instant, maxRequestTime: Duration) -> Instant {
    began + (self.timeout == .zero ? maxRequestTime : min(self.timeout, maxRequestTime))
  }
}

extension Candidates {
  fileprivate init(_ request: FixRequest, feed: FixFeedKey, began: Instant) {
    self.init(
      acceptableMeters: (request.acceptableAccuracy ?? request.demand(feed.precision)).meters,
      maximumAge: request.maximumAge(feed.precision), speedBound: request.activity.speedBound, began: began)
  }
}
