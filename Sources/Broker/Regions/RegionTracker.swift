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
      let before = self.commit(vote, at: observation.arrival)
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
    let first = self.candidate?.first ?? observation.arrival
    self.candidate = Candidate(first: first, last: observation.arrival)
    let hold = RegionRule.hold(reach: self.geometry.reach, speed: observation.speed)
    return first < observation.arrival && observation.arrival - first >= hold
  }

  /// Ends a vote that was not confirmed for long, once a fix that could have confirmed it did not. A fix that is too
  /// inaccurate for that changes nothing.
  private mutating func forget(_ observation: RegionObservation) {
    guard let candidate, observation.arrival - candidate.last > RegionRule.memory,
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
    if let departure = self.excursion?.departure, observation.arrival - departure.arrival > Trail.longestGap {
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
