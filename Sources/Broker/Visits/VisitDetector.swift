import Geodesy
package import Positioning

/// Finds out where the device stays, from fixes that may come every second or every few minutes.
///
/// There is always at most one stay: the place around the fixes since some moment. Fixes near it lengthen it, and when
/// it has lasted long enough it is a visit. Fixes away from it end it, and begin the next one: surely away twice, some
/// seconds apart, so that one bad fix ends nothing. While no visit has come of it, fixes that only seem to be away end
/// it too, after a minute, or a device that rests just outside would never be seen to arrive. Fixes too vague to tell
/// one street from the next are passed over.
///
/// A silence says nothing of itself. The device that is where it was before is taken to have been there all the time;
/// that which is elsewhere has left, and come, between two fixes: what is told is the likeliest moment, and how far from
/// it the truth may be. When it came is unknown if the silence was long.
///
/// A fix that suggests a movement has the device looked at soon again, so that the two fixes are near each other.
package struct VisitDetector: Hashable, Sendable {
  /// How long a stay must last to be a visit.
  static let stayTime: Duration = .seconds(300)
  /// The 68 % radius in metres of the vaguest fix that says anything.
  static let worstAccuracy = 100.0
  /// How far apart the two fixes are that end a stay.
  static let confirmation: Duration = .seconds(10)
  /// How long fixes may seem to be away before that ends a stay which is no visit yet.
  static let doubt: Duration = .seconds(60)
  /// After a longer silence nobody knows when the device came where it is: the longest between two looks, and half as
  /// much again for the receiver to find itself.
  static let knownSilence: Duration = .seconds(900)

  /// For so long after the device was first suspected to move it is looked at more often than at rest.
  static let suspicion: Duration = .seconds(600)

  static let lookWhileMoving: Duration = .seconds(150)
  static let lookAtRest: Duration = .seconds(600)

  /// What must outlive a restart. A restart in a visit then tells no second arrival, and its departure later.
  package struct Snapshot: Hashable, Sendable {
    /// The number of the newest visit; 0 where there was none.
    package var lastVisit: Int
    /// Whether the device was ever seen to move.
    package var hasMoved: Bool
    package var stay: Stay?

    package init(lastVisit: Int = 0, hasMoved: Bool = false, stay: Stay? = nil) {
      self.lastVisit = lastVisit
      self.hasMoved = hasMoved
      self.stay = stay
    }

    /// The same on a clock that shows so much more: after a boot, moments of the last one are negative.
    package func shifted(by shift: Duration) -> Snapshot {
      Snapshot(lastVisit: self.lastVisit, hasMoved: self.hasMoved, stay: self.stay?.shifted(by: shift))
    }
  }

  /// Fixes that are not at the stay's place, and none at it since.
  private struct Absence: Hashable, Sendable {
    let first: Fix
    /// What was seen before it.
    let before: MomentEstimate.Sight
    /// When the first came that was surely away.
    var certain: Instant?
  }

  package private(set) var snapshot: Snapshot
  private var absence: Absence?
  /// Since when fixes at the place of a visit suggest that the device moves.
  private var suspectSince: Instant?
  private var newestFix: MomentEstimate.Sight?

  /// - Parameter snapshot: Its moments on this boot's clock. Of one from before this boot nobody knows how long ago it
  ///   was: a visit goes on, with an arrival that is unknown now, and what may have become one begins anew.
  package init(restoring snapshot: Snapshot = Snapshot()) {
    self.snapshot = snapshot
    guard let stay = snapshot.stay, stay.start.isBeforeBoot else { return }
    self.snapshot.stay = stay.visit == nil ? nil : stay.withUnknownArrival
  }

  /// The visit that lasts, as `arrived` told it; its middle may have moved a little since.
  package var visit: Visit? { self.snapshot.stay?.told() }

  /// Whether the fix is good enough to say anything.
  package static func canTell(_ fix: Fix) -> Bool {
    fix.horizontalAccuracy.map { $0 <= Self.worstAccuracy } ?? false
  }

  /// Takes a fix. One that does not come after the one before it is passed over.
  package mutating func fixed(_ fix: Fix) -> [VisitEvent] {
    guard let accuracy = fix.horizontalAccuracy, Self.canTell(fix),
      self.newestFix.map({ fix.arrival > $0.arrival }) ?? true
    else { return [] }
    let before = self.newestFix
    self.newestFix = MomentEstimate.Sight(fix)
    guard var stay = self.snapshot.stay else {
      self.snapshot.stay = Stay(fix, accuracy: accuracy, arrival: nil)
      return []
    }
    let whereabouts = stay.whereabouts(of: fix)
    guard whereabouts != .here else {
      self.absence = nil
      self.suspectSince = stay.isSuspect(fix) ? self.suspectSince ?? fix.arrival : nil
      stay.add(fix, accuracy: accuracy)
      self.snapshot.stay = stay
      return self.arrive()
    }
    let last = before ?? MomentEstimate.Sight(stay)
    var absence = self.absence ?? Absence(first: fix, before: last)
    if whereabouts == .away { absence.certain = absence.certain ?? fix.arrival }
    self.absence = absence
    guard Self.ends(stay, absence, fix, whereabouts) else { return [] }
    return self.leave(stay, absence, fix, accuracy: accuracy, after: last)
  }

  /// For how long from now the receiver may rest before it looks again.
  package func nextLook(now: Instant) -> Duration {
    // Not for ever: what made the fixes vague may last, and one may rest at the edge.
    let doubted = self.absence.map { now - $0.first.arrival } ?? self.suspectSince.map { now - $0 }
    if let doubted, doubted < Self.doubt { return Self.confirmation }
    guard let stay = self.snapshot.stay else { return Self.lookWhileMoving }
    guard stay.visit == nil else {
      return doubted.map { $0 < Self.suspicion } ?? false ? Self.lookWhileMoving : Self.lookAtRest
    }
    let left = stay.start + Self.stayTime - now
    return left > .zero ? min(Self.lookWhileMoving, max(left, Self.confirmation)) : Self.lookWhileMoving
  }

  private static func ends(_ stay: Stay, _ absence: Absence, _ fix: Fix, _ whereabouts: Stay.Whereabouts) -> Bool {
    if whereabouts == .away, let certain = absence.certain, fix.arrival - certain >= Self.confirmation { return true }
    return stay.visit == nil && fix.arrival - absence.first.arrival >= Self.doubt
  }

  /// Ends the stay, and begins another with the first fix away, or with the newest if the device has gone on since.
  ///
  /// - Parameter last: What was seen before the fix.
  private mutating func leave(
    _ stay: Stay, _ absence: Absence, _ fix: Fix, accuracy: Double, after last: MomentEstimate.Sight
  ) -> [VisitEvent] {
    // A single fix elsewhere, the very first of all, may have been a bad one, and the device rests since before it.
    let isMove = self.snapshot.hasMoved || stay.centre.count > 1
    let first = absence.first
    let departure = stay.departure(before: first)
    var next = Stay(first, accuracy: first.horizontalAccuracy ?? Self.worstAccuracy, arrival: nil)
    if next.whereabouts(of: fix) == .here {
      next.add(fix, accuracy: accuracy)
      if isMove, !stay.newest.isBeforeBoot, first.arrival - stay.newest <= Self.knownSilence {
        next.cameFrom(absence.before, leaving: stay.visit == nil ? nil : departure.best)
      }
    } else {
      next = Stay(fix, accuracy: accuracy, arrival: nil)
      if isMove, fix.arrival - first.arrival <= Self.knownSilence { next.cameFrom(last, leaving: nil) }
    }
    self.snapshot.hasMoved = true
    self.snapshot.stay = next
    (self.absence, self.suspectSince) = (nil, nil)
    return (stay.told(departure: departure).map { [.departed($0)] } ?? []) + self.arrive()
  }

  /// Makes a visit of the stay, once.
  private mutating func arrive() -> [VisitEvent] {
    guard var stay = self.snapshot.stay, stay.visit == nil, stay.duration >= Self.stayTime else { return [] }
    self.snapshot.lastVisit += 1
    stay.visit = self.snapshot.lastVisit
    self.snapshot.stay = stay
    return stay.told().map { [.arrived($0)] } ?? []
  }
}
