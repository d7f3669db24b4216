import Geodesy
package import Positioning

/// Detects where the device stays, from fixes that come every second or every few minutes.
///
/// There is always at most one stay: the place around the fixes since some moment. Fixes near it extend it, and once it
/// has lasted long enough it is a visit. Fixes elsewhere end it and begin the next one: two certain ones, some seconds
/// apart, so that one bad fix ends nothing. A stay that is no visit yet is also ended by fixes that are only apparently
/// elsewhere, after a minute; otherwise a device that rests just outside would never arrive. Fixes that are too
/// inaccurate to distinguish streets are ignored.
///
/// A silence alone decides nothing. A device that is at the same place afterwards is assumed to have been there all the
/// time. A device that is elsewhere has left and arrived between two fixes: the visit has the likeliest moment, and how
/// far from it the truth may be. After a long silence the arrival is unknown.
///
/// After a fix that suggests a movement the next probe is soon, so that the two fixes are close together.
package struct VisitDetector: Hashable, Sendable {
  /// How long a stay must last to be a visit.
  static let stayTime: Duration = .seconds(300)
  /// The largest 68 % radius in metres of a usable fix.
  static let worstAccuracy = 100.0
  /// The least time between the two fixes that end a stay.
  static let confirmation: Duration = .seconds(10)
  /// How long fixes may be apparently elsewhere before that ends a stay that is no visit yet.
  static let doubt: Duration = .seconds(60)
  /// After a longer silence the arrival is unknown: the longest interval between two probes, and half of it for the
  /// receiver's start.
  static let knownSilence: Duration = .seconds(900)

  /// How long probes are more frequent than at rest after the device was first suspected to move.
  static let suspicion: Duration = .seconds(600)

  static let probeIntervalWhileMoving: Duration = .seconds(150)
  static let probeIntervalAtRest: Duration = .seconds(600)

  /// The state that outlives a restart. A restart during a visit then causes no second arrival, and the departure is
  /// reported later.
  package struct Snapshot: Hashable, Sendable {
    /// The number of the newest visit; 0 if there was none.
    package var lastVisit: Int
    /// Whether the device was ever seen to move.
    package var hasMoved: Bool
    package var stay: Stay?

    package init(lastVisit: Int = 0, hasMoved: Bool = false, stay: Stay? = nil) {
      self.lastVisit = lastVisit
      self.hasMoved = hasMoved
      self.stay = stay
    }

    /// The snapshot with its moments on a clock that shows this much more. Moments before this boot are negative.
    package func shifted(by shift: Duration) -> Snapshot {
      Snapshot(lastVisit: self.lastVisit, hasMoved: self.hasMoved, stay: self.stay?.shifted(by: shift))
    }
  }

  /// Fixes elsewhere, with none at the stay's place since.
  private struct Absence: Hashable, Sendable {
    let first: Fix
    /// The fix before it.
    let before: MomentEstimate.PastFix
    /// The arrival of the first one that was certainly elsewhere.
    var certain: Instant?
  }

  package private(set) var snapshot: Snapshot
  private var absence: Absence?
  /// Since when fixes at the place of a visit suggest that the device moves.
  private var suspectSince: Instant?
  private var newestFix: MomentEstimate.PastFix?

  /// - Parameter snapshot: Its moments on this boot's clock. The age of one from before this boot is unknown: a visit
  ///   continues without an arrival, and a possible one begins again.
  package init(restoring snapshot: Snapshot = Snapshot()) {
    self.snapshot = snapshot
    guard let stay = snapshot.stay, stay.start.isBeforeBoot else { return }
    self.snapshot.stay = stay.visit == nil ? nil : stay.withUnknownArrival
  }

  /// What an earlier daemon knew is known only now, after fixes were taken without it. Its stay goes on, and later fixes
  /// decide about it, unless a visit to another place was reported meanwhile. Numbers of visits are not used again.
  package mutating func restore(_ stored: Snapshot) -> [VisitEvent] {
    let present = self
    self = VisitDetector(restoring: stored)
    self.snapshot.lastVisit = max(stored.lastVisit, present.snapshot.lastVisit)
    self.snapshot.hasMoved = stored.hasMoved || present.snapshot.hasMoved
    guard let stay = present.snapshot.stay, stay.visit != nil,
      !(self.snapshot.stay.map { $0.isAtSamePlace(as: stay) } ?? false)
    else { return [] }
    // Nobody saw when the device left.
    let left = self.snapshot.stay?.asVisit(departure: MomentEstimate(best: stay.start, uncertainty: nil))
    (self.snapshot.stay, self.absence) = (stay, present.absence)
    (self.suspectSince, self.newestFix) = (present.suspectSince, present.newestFix)
    return left.map { [.departed($0)] } ?? []
  }

  /// The present visit, as `arrived` reported it; its middle may have moved a little.
  package var visit: Visit? { self.snapshot.stay?.asVisit() }

  /// Whether the fix is accurate enough to be used.
  package static func isUsable(_ fix: Fix) -> Bool {
    fix.horizontalAccuracy.map { $0 <= Self.worstAccuracy } ?? false
  }

  /// Takes a fix; it is ignored if it is not later than the previous one.
  package mutating func fixed(_ fix: Fix) -> [VisitEvent] {
    guard let accuracy = fix.horizontalAccuracy, Self.isUsable(fix),
      self.newestFix.map({ fix.ageBegin > $0.arrival }) ?? true
    else { return [] }
    let before = self.newestFix
    self.newestFix = MomentEstimate.PastFix(fix)
    guard var stay = self.snapshot.stay else {
      self.snapshot.stay = Stay(fix, accuracy: accuracy, arrival: nil)
      return []
    }
    let proximity = stay.proximity(of: fix)
    guard proximity != .here else {
      self.absence = nil
      self.suspectSince = stay.isSuspect(fix) ? self.suspectSince ?? fix.ageBegin : nil
      stay.add(fix, accuracy: accuracy)
      self.snapshot.stay = stay
      return self.arrive()
    }
    let last = before ?? MomentEstimate.PastFix(stay)
    var absence = self.absence ?? Absence(first: fix, before: last)
    if proximity == .away { absence.certain = absence.certain ?? fix.ageBegin }
    self.absence = absence
    guard Self.ends(stay, absence, fix, proximity) else { return [] }
    return self.leave(stay, absence, fix, accuracy: accuracy, after: last)
  }

  /// Nobody watches any more: the device's stay from now on is unknown, so the next watch begins anew. Numbers are not
  /// used again.
  package mutating func watchEnded() {
    self.snapshot.stay = nil
    (self.absence, self.suspectSince, self.newestFix) = (nil, nil, nil)
  }

  /// How long the receiver may sleep before the next probe.
  package func nextProbe(now: Instant) -> Duration {
    // For a limited time, because fixes may stay inaccurate, and a device may rest at the border.
    let doubted = self.absence.map { now - $0.first.ageBegin } ?? self.suspectSince.map { now - $0 }
    if let doubted, doubted < Self.doubt { return Self.confirmation }
    guard let stay = self.snapshot.stay else { return Self.probeIntervalWhileMoving }
    guard stay.visit == nil else {
      return doubted.map { $0 < Self.suspicion } ?? false ? Self.probeIntervalWhileMoving : Self.probeIntervalAtRest
    }
    let left = stay.start + Self.stayTime - now
    return left > .zero
      ? min(Self.probeIntervalWhileMoving, max(left, Self.confirmation)) : Self.probeIntervalWhileMoving
  }

  private static func ends(_ stay: Stay, _ absence: Absence, _ fix: Fix, _ proximity: Stay.Proximity) -> Bool {
    if proximity == .away, let certain = absence.certain, fix.ageBegin - certain >= Self.confirmation { return true }
    return stay.visit == nil && fix.ageBegin - absence.first.ageBegin >= Self.doubt
  }

  /// Ends the stay, and begins another with the first fix elsewhere, or with the newest if the device has moved on
  /// since.
  ///
  /// - Parameter last: The fix before it.
  private mutating func leave(
    _ stay: Stay, _ absence: Absence, _ fix: Fix, accuracy: Double, after last: MomentEstimate.PastFix
  ) -> [VisitEvent] {
    // A single fix elsewhere, the very first one, may have been a bad one, and the device has rested since before it.
    let isMove = self.snapshot.hasMoved || stay.centre.count > 1
    let first = absence.first
    let departure = stay.departure(before: first)
    var next = Stay(first, accuracy: first.horizontalAccuracy ?? Self.worstAccuracy, arrival: nil)
    if next.proximity(of: fix) == .here {
      next.add(fix, accuracy: accuracy)
      if isMove, !stay.newest.isBeforeBoot, first.ageBegin - stay.newest <= Self.knownSilence {
        next.estimateArrival(from: absence.before, leaving: stay.visit == nil ? nil : departure.best)
      }
    } else {
      next = Stay(fix, accuracy: accuracy, arrival: nil)
      if isMove, fix.ageBegin - first.ageBegin <= Self.knownSilence { next.estimateArrival(from: last, leaving: nil) }
    }
    self.snapshot.hasMoved = true
    self.snapshot.stay = next
    (self.absence, self.suspectSince) = (nil, nil)
    return (stay.asVisit(departure: departure).map { [.departed($0)] } ?? []) + self.arrive()
  }

  /// Turns the stay into a visit, once.
  private mutating func arrive() -> [VisitEvent] {
    guard var stay = self.snapshot.stay, stay.visit == nil, stay.duration >= Self.stayTime else { return [] }
    self.snapshot.lastVisit += 1
    stay.visit = self.snapshot.lastVisit
    self.snapshot.stay = stay
    return stay.asVisit().map { [.arrived($0)] } ?? []
  }
}

/// An event of a visit.
package enum VisitEvent: Hashable, Sendable {
  /// The device has rested for long enough; the visit has no departure yet.
  case arrived(Visit)
  /// The device has left; the visit has its departure, and everything that `arrived` had.
  case departed(Visit)

  package var visit: Visit {
    switch self {
    case .arrived(let visit), .departed(let visit): visit
    }
  }
}
