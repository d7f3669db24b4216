import Geodesy
import Positioning

/// What the fixes have decided about one region, and pending votes.
///
/// A vote for the other state must be pending for a while before it counts. A contrary vote ends it, and a fix that
/// shows neither changes nothing. Only the first decision about a region counts at once, since there is no state to
/// protect.
struct RegionTracker: Sendable {
  /// Votes for the state that the region is not in.
  struct Candidate: Hashable, Sendable {
    let first: Instant
    var last: Instant
  }

  /// The result of one fix.
  struct Verdict: Sendable {
    enum Decision: Hashable, Sendable {
      case decided(from: RegionState)
      case crossed(ClosedRange<Instant>)
    }

    var vote: RegionRule.Vote?
    var decision: Decision?
    /// Its cost, in steps of `RegionGeometry.effort`.
    var effort = 1
  }

  let geometry: RegionGeometry
  private(set) var state: RegionState
  /// When the state was decided; `nil` while it is unknown.
  private(set) var since: Instant?
  private(set) var candidate: Candidate?
  private var excursion: Excursion?

  init(geometry: RegionGeometry, state: RegionState = .unknown, since: Instant? = nil) {
    self.geometry = geometry
    self.state = state
    self.since = state == .unknown ? nil : since
  }

  /// Whether no vote is pending: only a fix at the region, or a path through it, can change anything.
  var isQuiet: Bool { self.state == .outside && self.candidate == nil && self.excursion == nil }

  /// - Parameter isForCrossing: Whether `crossed` is to be reported.
  mutating func sighted(_ observation: RegionObservation, on continuation: Trail.Continuation, isForCrossing: Bool)
    -> Verdict
  {
    // It can neither show "inside" nor lie on a path that leads deep enough through the region.
    if self.isQuiet, observation.sigma > self.geometry.reach { return Verdict() }
    let vote = self.vote(observation)
    let effort = 1 + self.geometry.effort
    if self.judge(vote, of: observation) {
      let before = self.commit(vote, at: observation.moment)
      return Verdict(vote: vote, decision: .decided(from: before), effort: effort)
    }
    guard self.state == .outside, isForCrossing else {
      self.excursion = nil
      return Verdict(vote: vote, effort: effort)
    }
    var computed = 0
    let passage = self.follow(continuation, to: observation, isOutside: vote == .outside, computed: &computed)
    return Verdict(
      vote: vote, decision: passage.map { .crossed($0) }, effort: effort + computed * self.geometry.effort)
  }

  func vote(_ observation: RegionObservation) -> RegionRule.Vote? {
    let exitDistance = RegionRule.exitDistance(sigma: observation.sigma, reach: self.geometry.reach)
    if self.geometry.leastDistance(to: observation.place) >= exitDistance { return .outside }
    return RegionRule.vote(
      depth: self.geometry.depth(of: observation.place), sigma: observation.sigma, geometry: self.geometry)
  }

  /// Whether the vote decides now.
  private mutating func judge(_ vote: RegionRule.Vote?, of observation: RegionObservation) -> Bool {
    guard let vote else {
      self.forget(observation)
      return false
    }
    if self.state == .unknown { return true }
    guard vote.state != self.state else {
      self.candidate = nil
      return false
    }
    let first = self.candidate?.first ?? observation.moment
    self.candidate = Candidate(first: first, last: observation.moment)
    let hold = RegionRule.hold(reach: self.geometry.reach, speed: observation.speed)
    return first < observation.moment && observation.moment - first >= hold
  }

  /// Ends a vote that was not confirmed for long, once a fix that could have confirmed it did not. A fix that is too
  /// inaccurate for that changes nothing.
  private mutating func forget(_ observation: RegionObservation) {
    guard let candidate, observation.moment - candidate.last > RegionRule.memory,
      RegionRule.isDecisive(sigma: observation.sigma, reach: self.geometry.reach)
    else { return }
    self.candidate = nil
  }

  /// The state before.
  private mutating func commit(_ vote: RegionRule.Vote?, at moment: Instant) -> RegionState {
    let before = self.state
    self.state = vote?.state ?? before
    self.since = moment
    self.candidate = nil
    self.excursion = nil
    return before
  }
}

// MARK: Crossing

extension RegionTracker {
  /// The memory of a path that has left the outside, while nothing was entered.
  private struct Excursion: Sendable {
    /// The last fix outside.
    let departure: RegionObservation
    /// Whether the path between fixes has been deep inside.
    var wentDeep: Bool
  }

  /// Follows the path from fix to fix, and returns when the device was inside once the path is outside again.
  ///
  /// Two paths must lead through the region: the path from fix to fix, because a device that walked around a building
  /// would otherwise have walked through it; and the straight line between the two fixes outside, because one bad fix
  /// between them would otherwise be a passage.
  ///
  /// - Parameter computed: Counts the computed depths.
  private mutating func follow(
    _ continuation: Trail.Continuation, to observation: RegionObservation, isOutside: Bool, computed: inout Int
  ) -> ClosedRange<Instant>? {
    let start: RegionObservation
    switch continuation {
    case .aside: return nil
    case .broken:
      self.excursion = nil
      return nil
    case .from(let observation): start = observation
    }
    if let departure = self.excursion?.departure, observation.moment - departure.moment > Trail.longestGap {
      self.excursion = nil
    }
    guard isOutside else {
      if self.excursion != nil || self.vote(start) == .outside {
        let wentDeep = self.excursion?.wentDeep ?? false
        self.excursion = Excursion(
          departure: self.excursion?.departure ?? start,
          wentDeep: wentDeep || self.isDeep(from: start, to: observation, computed: &computed))
      }
      return nil
    }
    let excursion = self.excursion.take()
    let departure = excursion?.departure ?? start
    var search = PassageSearch(self.geometry, from: departure, to: observation)
    defer { computed += search.computed }
    guard let share = search.deepShare(), self.vote(departure) == .outside else { return nil }
    if let excursion, !excursion.wentDeep, !self.isDeep(from: start, to: observation, computed: &computed) {
      return nil
    }
    return search.passage(around: share)
  }

  /// Whether the straight path leads deep through the region.
  private func isDeep(from start: RegionObservation, to end: RegionObservation, computed: inout Int) -> Bool {
    var search = PassageSearch(self.geometry, from: start, to: end)
    defer { computed += search.computed }
    return search.deepShare() != nil
  }
}

extension RegionRule.Vote {
  /// The state of the votes.
  var state: RegionState {
    switch self {
    case .inside: .inside
    case .outside: .outside
    }
  }
}

/// A fix with the values that all regions need, computed once.
struct RegionObservation: Hashable, Sendable {
  /// An older fix says nothing about where a device is that may have moved since.
  static let lifetime: Duration = .seconds(10)

  let fix: Fix
  /// The standard deviation of its error along each axis, in metres.
  let sigma: Double
  /// How fast the device moves, metres per second.
  let speed: Double
  let place: Place

  /// `nil` for a fix of unknown accuracy, which decides nothing.
  init?(_ fix: Fix, speed: Double) {
    guard let accuracy = fix.horizontalAccuracy95, accuracy > 0, accuracy.isFinite else { return nil }
    self.fix = fix
    self.sigma = max(accuracy / CircularError.radius95, CircularError.least)
    self.speed = speed
    self.place = Place(fix.coordinate)
  }

  /// When the device was there: a report that was held back shows an earlier moment than that of its arrival.
  var moment: Instant { self.fix.ageBegin }

  /// How fast the device may be from now on, metres per second: faster than most devices, if the fix says so.
  var speedBound: Double { max(self.speed, Activity.other.speedBound) }
}

/// A place in the three forms that computations need.
struct Place: Hashable, Sendable {
  let coordinate: Coordinate
  /// The ellipsoid's normal, a unit vector.
  let normal: Vector
  /// Metres from the earth's centre.
  let cartesian: Vector

  init(_ coordinate: Coordinate) {
    self.coordinate = coordinate
    self.normal = coordinate.normal
    self.cartesian = Geodesy.cartesian(normal: self.normal)
  }

  init(normal: Vector) {
    self.coordinate = Coordinate(normal: normal)
    self.normal = normal
    self.cartesian = Geodesy.cartesian(normal: normal)
  }

  /// The place at this share of the path to another, 0...1. For paths between two fixes, not halfway around the globe.
  func interpolated(to other: Place, _ share: Double) -> Place {
    let between = self.normal * (1 - share) + other.normal * share
    return Place(normal: between.normalized ?? self.normal)
  }
}

/// The rule by which a fix shows that the device is inside a region, outside, or neither.
///
/// A fix is a round distribution of places, sigma wide. Requiring 85 % of it inside to enter, and 15 % to leave, is not
/// enough: of a fix with an error of 600 m, hardly anything is within a region of 50 m even if the device stands at its
/// centre, and it would leave. So a fix that is too inaccurate to show "inside" must be clear of the region by more
/// than its 99 % radius to show "outside"; a good one by its 95 % radius; and both by an additional margin. The margin
/// is for receivers with estimates that are too good. It is the 95 % radius once more, but at least 10 m and at most 50
/// m, however large the region is.
enum RegionRule {
  /// The share of a fix's distribution that must be inside.
  static let enterProbability = 0.85
  /// Depth in sigmas below which a straight border leaves less than that inside, and any convex border even less.
  private static let straightDepth = 1.0364333894937896
  /// Depth in sigmas from which a circle around the fix alone contains that much: the square root of -2 ln 0.15.
  static let certainDepth = 1.9478801788170654
  /// The 95 % and the 99 % radius of a fix, in sigmas.
  static let exitFactor = 2.448
  static let vagueExitFactor = 3.03
  /// The additional margin to leave, at least and at most; metres.
  static let leastMargin = 10.0
  static let largestMargin = 50.0
  /// A vote without a second one ends after so long, once a fix could have confirmed it; and for so long the receiver
  /// stays on to get one.
  static let memory: Duration = .seconds(60)
  /// How long a vote must be pending, at most; seconds.
  private static let longestHold = 10.0
  /// The share of its reach that a device may cover while a vote is pending.
  private static let holdShare = 0.5

  enum Vote: Hashable, Sendable {
    case inside, outside
  }

  /// Whether a fix with this error could show "inside" in the region's middle.
  static func isDecisive(sigma: Double, reach: Double) -> Bool {
    sigma * self.certainDepth <= reach
  }

  /// How far outside a fix must be to show it, in metres.
  static func exitDistance(sigma: Double, reach: Double) -> Double {
    let factor = self.isDecisive(sigma: sigma, reach: reach) ? self.exitFactor : self.vagueExitFactor
    return factor * sigma + self.margin(sigma: sigma)
  }

  /// At least `exitDistance` of any region.
  static func exitDistanceBound(sigma: Double) -> Double {
    self.vagueExitFactor * sigma + self.margin(sigma: sigma)
  }

  private static func margin(sigma: Double) -> Double {
    min(max(self.exitFactor * sigma, self.leastMargin), self.largestMargin)
  }

  /// What a fix at that depth shows; `nil`: nothing.
  static func vote(depth: Double, sigma: Double, geometry: RegionGeometry) -> Vote? {
    if depth <= 0 {
      return -depth >= self.exitDistance(sigma: sigma, reach: geometry.reach) ? .outside : nil
    }
    guard self.isDecisive(sigma: sigma, reach: geometry.reach), depth >= self.straightDepth * sigma else { return nil }
    if depth >= self.certainDepth * sigma { return .inside }
    return geometry.probability(depth: depth, sigma: sigma) >= self.enterProbability ? .inside : nil
  }

  /// How long a vote must be pending before it counts: short enough for a device that drives through.
  static func hold(reach: Double, speed: Double) -> Duration {
    guard speed * self.longestHold > self.holdShare * reach else { return .seconds(self.longestHold) }
    return .seconds(self.holdShare * reach / speed)
  }
}
