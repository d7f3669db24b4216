import Positioning

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
    // One that was waited for has only the age with which it came, over a link that lags.
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
