import Positioning

/// The fixes that may answer a request at its timeout, the worse and older ones dropped as better ones come.
struct Candidates: Hashable, Sendable {
  /// More are never worth keeping: they would be a receiver that gets worse with every epoch.
  static let limit = 32

  private let acceptableMeters: Double
  private let maximumAge: Duration
  private let speedBound: Double
  /// Oldest first; separately those that are acceptable and those that are not, since only age may choose between the
  /// two.
  private var acceptable: [Fix] = []
  private var others: [Fix] = []

  init(acceptableMeters: Double, maximumAge: Duration, speedBound: Double) {
    self.acceptableMeters = acceptableMeters
    self.maximumAge = maximumAge
    self.speedBound = speedBound
  }

  /// Takes a newer fix, or a better one of the newest epoch.
  mutating func add(_ fix: Fix) {
    // The same epoch, improved: one moment is one candidate.
    self.acceptable.removeAll { $0.arrival == fix.arrival && $0.device == fix.device }
    self.others.removeAll { $0.arrival == fix.arrival && $0.device == fix.device }
    if let accuracy = fix.horizontalAccuracy, accuracy <= self.acceptableMeters {
      self.insert(fix, into: &self.acceptable)
    } else {
      self.insert(fix, into: &self.others)
    }
  }

  /// The best acceptable fix within the age allowed.
  func bestAcceptable(now: Instant) -> Fix? { self.best(of: self.acceptable, now: now) }

  /// The best fix within the age allowed, acceptable or not.
  func best(now: Instant) -> Fix? { self.best(of: self.acceptable + self.others, now: now) }

  /// Drops what is too old, and what is worse now and grows no slower: it never will be the best again.
  private func insert(_ fix: Fix, into fixes: inout [Fix]) {
    let score = self.score(fix, now: fix.arrival)
    fixes.removeAll { older in
      fix.arrival - older.arrival > self.maximumAge
        || (self.score(older, now: fix.arrival) >= score && self.growth(older) >= self.growth(fix))
    }
    fixes.append(fix)
    // The oldest is the best so far and the newest lasts the longest; one between them is missed the least.
    if fixes.count > Candidates.limit { fixes.remove(at: Candidates.limit / 2) }
  }

  private func best(of fixes: [Fix], now: Instant) -> Fix? {
    fixes.filter { $0.age(at: now) <= self.maximumAge }
      .min { left, right in
        let (leftScore, rightScore) = (self.score(left, now: now), self.score(right, now: now))
        // The newer wins a tie.
        return leftScore == rightScore ? left.arrival > right.arrival : leftScore < rightScore
      }
  }

  /// The accuracy grown by how far the device may have moved since.
  private func score(_ fix: Fix, now: Instant) -> Double {
    guard let accuracy = fix.horizontalAccuracy else { return .infinity }
    return accuracy + self.growth(fix) * fix.age(at: now).seconds
  }

  /// Metres per second; that of an accuracy that is unknown anyway does not matter.
  private func growth(_ fix: Fix) -> Double {
    fix.horizontalAccuracy == nil ? .infinity : max(fix.speed ?? 0, self.speedBound)
  }
}
