import Positioning

/// A one-shot request that waits for a fix. It ends exactly once.
struct PendingRequest: Hashable, Sendable {
  /// How it ended: with a fix of the desired or of the acceptable accuracy, a worse one, or none.
  struct Outcome: Hashable, Sendable {
    let status: FixResult.Status
    /// Whether the fix has the desired accuracy.
    var isSatisfied = false
    let fix: Fix?
    /// Whether the fix is from before the request.
    let isFromCache: Bool
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
    guard self.request.integrity.accepts(fix), fix.age(at: now) <= self.maximumAge else { return nil }
    if self.isSatisfied(by: fix) {
      return Outcome(status: .success, isSatisfied: true, fix: fix, isFromCache: true)
    }
    self.candidates.add(fix)
    return nil
  }

  /// A new epoch's fix, or a better one of the newest epoch.
  mutating func fixed(_ fix: Fix, now: Instant) -> Outcome? {
    guard self.request.integrity.accepts(fix) else { return nil }
    // A fix that arrived after the request is never too old, though it may have been held back for its accuracy.
    let isNew = fix.arrival >= self.began && fix.lag ?? .zero <= self.maximumAge
    let isFresh = isNew || fix.age(at: now) <= self.maximumAge
    if isFresh, self.isSatisfied(by: fix) {
      return Outcome(status: .success, isSatisfied: true, fix: fix, isFromCache: false)
    }
    self.candidates.add(fix)
    return nil
  }

  /// The deadline has passed, or the client wants the best fix so far.
  func completed(now: Instant) -> Outcome {
    let acceptable = self.candidates.bestAcceptable(now: now)
    let fix = acceptable ?? self.candidates.best(now: now)
    return Outcome(
      status: acceptable == nil ? .timedOut : .success, fix: fix,
      isFromCache: fix.map { $0.arrival < self.began } ?? false)
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

/// The fixes that may answer a request at its timeout. Those that are worse and older than another are dropped.
struct Candidates: Hashable, Sendable {
  /// The most that are kept; more would mean a receiver that gets worse with every epoch.
  static let limit = 32

  private let acceptableMeters: Double
  private let maximumAge: Duration
  private let speedBound: Double
  /// A fix that arrives after this moment is never too old: it was waited for.
  private var began: Instant
  /// Oldest first; acceptable and other fixes apart, because only age may decide between the two.
  private var acceptable: [Fix] = []
  private var others: [Fix] = []

  init(acceptableMeters: Double, maximumAge: Duration, speedBound: Double, began: Instant) {
    self.acceptableMeters = acceptableMeters
    self.maximumAge = maximumAge
    self.speedBound = speedBound
    self.began = began
  }

  /// Fixes are waited for from now on.
  mutating func beginAgain(now: Instant) { self.began = now }

  /// Takes a newer fix, or a better one of the newest epoch.
  mutating func add(_ fix: Fix) {
    // A better fix of the same epoch replaces it.
    self.acceptable.removeAll { $0.arrival == fix.arrival && $0.device == fix.device }
    self.others.removeAll { $0.arrival == fix.arrival && $0.device == fix.device }
    if let accuracy = fix.horizontalAccuracy, accuracy <= self.acceptableMeters {
      self.insert(fix, into: &self.acceptable)
    } else {
      self.insert(fix, into: &self.others)
    }
  }

  /// The best acceptable fix that is young enough.
  func bestAcceptable(now: Instant) -> Fix? { self.best(of: self.acceptable, now: now) }

  /// The best fix that is young enough, acceptable or not.
  func best(now: Instant) -> Fix? { self.best(of: self.acceptable + self.others, now: now) }

  /// Drops fixes that are too old, and those that are worse now and will not become better.
  private func insert(_ fix: Fix, into fixes: inout [Fix]) {
    let score = self.score(fix, now: fix.arrival)
    fixes.removeAll { older in
      self.isTooOld(older, at: fix.arrival)
        || (self.score(older, now: fix.arrival) >= score && self.growth(older) >= self.growth(fix))
    }
    fixes.append(fix)
    // The oldest is the best so far and the newest lasts longest; one in between is the least useful.
    if fixes.count > Candidates.limit { fixes.remove(at: Candidates.limit / 2) }
  }

  private func best(of fixes: [Fix], now: Instant) -> Fix? {
    fixes.filter { !self.isTooOld($0, at: now) }
      .min { left, right in
        let (leftScore, rightScore) = (self.score(left, now: now), self.score(right, now: now))
        // The newer one wins a tie.
        return leftScore == rightScore ? left.arrival > right.arrival : leftScore < rightScore
      }
  }

  private func isTooOld(_ fix: Fix, at moment: Instant) -> Bool {
    // A fix that came after the request began counts with its age on arrival: the lag of its link.
    fix.age(at: fix.arrival < self.began ? moment : fix.arrival) > self.maximumAge
  }

  /// The accuracy, increased by how far the device may have moved since.
  private func score(_ fix: Fix, now: Instant) -> Double {
    guard let accuracy = fix.horizontalAccuracy else { return .infinity }
    return accuracy + self.growth(fix) * fix.age(at: now).seconds
  }

  /// Metres per second. It does not matter for an unknown accuracy.
  private func growth(_ fix: Fix) -> Double {
    fix.horizontalAccuracy == nil ? .infinity : max(fix.speed ?? 0, self.speedBound)
  }
}

extension FixRequest {
  /// Whether a holder with this access may request it.
  func isAllowed(_ precision: Precision) -> Bool {
    precision == .precise || (self.accuracy.map { $0.meters >= LocationFuzzer.accuracy } ?? true)
  }
}

extension PendingRequest {
  func info(now: Instant) -> RequestInfo {
    var asked = self.request
    asked.accuracy = asked.demand(self.feed.precision)
    return RequestInfo(
      asked: .fix(asked.complete), elapsed: now - self.began, remaining: max(.zero, self.deadline - now))
  }
}
