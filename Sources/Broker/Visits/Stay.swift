package import Geodesy
package import Positioning

/// The time that the device has been at one place: a visit, or a possible one.
package struct Stay: Hashable, Sendable {
  /// Where the device is according to a fix.
  enum Proximity: Hashable, Sendable {
    /// At the place.
    case here
    /// Apparently elsewhere, but the fix's error may explain it.
    case aside
    /// Elsewhere, with 95 %.
    case away
  }

  /// The radius of a stay: around its anchor while it builds, around its centre once it is a visit; metres.
  static let radius = 100.0
  /// The larger radius that a visit must leave, around its centre; metres.
  static let departureRadius = 200.0
  /// The fixes of a stay's first time make its anchor. Later ones do not, since the anchor must not follow a device
  /// that walks slowly.
  static let anchoring: Duration = .seconds(60)

  /// The mean of the first fixes.
  package private(set) var anchor: MeanPlace
  /// The mean of all.
  package private(set) var centre: MeanPlace
  /// The first fix at the place.
  package private(set) var start: Instant
  /// The newest fix at the place.
  package private(set) var newest: Instant
  /// When the device arrived; `nil` if it was not seen elsewhere shortly before.
  package private(set) var arrival: MomentEstimate?
  /// The number of the visit, once it is one.
  package var visit: Int?

  /// - Parameter accuracy: The fix's.
  init(_ fix: Fix, accuracy: Double, arrival: MomentEstimate?) {
    self.anchor = MeanPlace(fix.coordinate, accuracy: accuracy)
    self.centre = self.anchor
    self.start = fix.ageBegin
    self.newest = fix.ageBegin
    self.arrival = arrival
  }

  /// A stored stay.
  ///
  /// - Parameter arrival: `nil` if it is unknown, or was stored by a version that used the start.
  package init(
    anchor: MeanPlace, centre: MeanPlace, start: Instant, newest: Instant, isArrivalKnown: Bool,
    arrival: MomentEstimate? = nil, visit: Int?
  ) {
    self.anchor = anchor
    self.centre = centre
    self.start = start
    self.newest = newest
    self.arrival = isArrivalKnown ? arrival ?? MomentEstimate(best: start, uncertainty: nil) : nil
    self.visit = visit
  }

  package var isArrivalKnown: Bool { self.arrival != nil }

  var duration: Duration { self.newest - self.start }

  func proximity(of fix: Fix) -> Proximity {
    let place = self.visit == nil ? self.anchor : self.centre
    let radius = self.visit == nil ? Self.radius : Self.departureRadius
    let distance = Geodesy.distance(from: place.coordinate, to: fix.coordinate)
    if distance <= radius { return .here }
    return distance - radius >= self.error(of: fix) ? .away : .aside
  }

  /// Whether a device that is at the other stay's place has not left this one's.
  func isAtSamePlace(as other: Stay) -> Bool { self.way(to: other.centre.coordinate) <= 0 }

  /// The distance of a fix from the place that both errors explain, in metres.
  private func error(of fix: Fix) -> Double {
    let fixError = fix.horizontalAccuracy95 ?? .infinity
    let placeError = (self.visit == nil ? self.anchor : self.centre).accuracy / Fix.ratio68To95
    return (fixError * fixError + placeError * placeError).squareRoot()
  }

  /// Takes a fix at the place.
  mutating func add(_ fix: Fix, accuracy: Double) {
    self.newest = fix.ageBegin
    if self.visit == nil, self.duration <= Self.anchoring {
      self.anchor.add(fix.coordinate, accuracy: accuracy)
    }
    // The fixes of leaving do not count for a visit's middle.
    guard Geodesy.distance(from: self.centre.coordinate, to: fix.coordinate) <= Self.radius else { return }
    self.centre.add(fix.coordinate, accuracy: accuracy)
  }

  /// Whether the device may be starting to leave: it moves, or is beyond the radius by more than the errors explain.
  func isSuspect(_ fix: Fix) -> Bool {
    guard self.visit != nil else { return false }
    if MomentEstimate.speed(of: fix) != nil { return true }
    let distance = Geodesy.distance(from: self.centre.coordinate, to: fix.coordinate)
    return distance - Self.radius >= self.error(of: fix)
  }

  /// The distance from the place's border, in metres; negative within.
  func way(to place: Coordinate) -> Double {
    let (middle, radius) = self.visit == nil ? (self.anchor, Self.radius) : (self.centre, Self.departureRadius)
    return Geodesy.distance(from: middle.coordinate, to: place) - radius
  }

  /// When the device left: between the newest fix at the place and this one.
  func departure(before away: Fix) -> MomentEstimate {
    // It is not known how long ago it was there: it is only certain that it is gone.
    if self.newest.isBeforeBoot { return MomentEstimate(best: away.ageBegin, uncertainty: nil) }
    return .departure(lastThere: self.newest, away: away, metres: self.way(to: away.coordinate))
  }

  /// Estimates when the device arrived: between an earlier fix elsewhere and the start.
  ///
  /// - Parameter departure: When it left the previous place.
  mutating func estimateArrival(from away: MomentEstimate.PastFix, leaving departure: Instant?) {
    self.arrival = .arrival(
      away: away, since: departure, metres: self.way(to: away.coordinate), firstThere: self.start)
  }

  /// The visit; `nil` while it is none.
  ///
  /// - Parameter departure: When the device left; `nil` while it stays.
  func asVisit(departure: MomentEstimate? = nil) -> Visit? {
    self.visit.map { id in
      let middle = self.centre.coordinate
      return Visit(
        id: id, latitude: middle.latitude, longitude: middle.longitude, horizontalAccuracy: self.centre.accuracy,
        arrival: self.arrival?.best, arrivalUncertainty: self.arrival?.uncertainty, departure: departure?.best,
        departureUncertainty: departure?.uncertainty)
    }
  }

  var withUnknownArrival: Stay {
    var stay = self
    stay.arrival = nil
    return stay
  }

  /// The stay with its moments on a clock that shows this much more.
  package func shifted(by shift: Duration) -> Stay {
    var shifted = self
    shifted.start = self.start + shift
    shifted.newest = self.newest + shift
    shifted.arrival = self.arrival?.shifted(by: shift)
    return shifted
  }
}

/// When the device arrived at a place, or left it: some time between two fixes.
package struct MomentEstimate: Hashable, Sendable {
  package let best: Instant
  /// How much earlier or later it may have been; `nil` if that was not stored.
  package let uncertainty: Duration?

  /// The least speed of a moving device: receivers at rest report some tenths, indoors more.
  static let movingSpeed = 2.0

  package init(best: Instant, uncertainty: Duration?) {
    self.best = best
    self.uncertainty = uncertainty
  }

  /// - Parameter guess: The likeliest moment; `nil`: the middle.
  private init(from earliest: Instant, to latest: Instant, guess: Instant?) {
    let latest = max(earliest, latest)
    let middle = earliest + (latest - earliest) / 2
    let best = min(max(guess ?? middle, earliest), latest)
    self.init(best: best, uncertainty: max(best - earliest, latest - best))
  }

  /// - Parameters:
  ///   - lastThere: The last fix at the place.
  ///   - away: The first one elsewhere.
  ///   - metres: The distance of that from the place's border. The device took some time for it, by its speed, and at
  ///     least as long as at the greatest speed.
  static func departure(lastThere: Instant, away: Fix, metres: Double) -> MomentEstimate {
    MomentEstimate(
      from: lastThere, to: away.ageBegin - Self.time(metres, at: Self.greatestSpeed(away.speed)),
      guess: Self.speed(of: away).map { away.ageBegin - Self.time(metres, at: $0) })
  }

  /// - Parameters:
  ///   - away: The last fix elsewhere.
  ///   - since: When the device left the previous place, if that is later than the fix.
  ///   - metres: The distance of the fix from the place's border.
  ///   - firstThere: The first fix at the place.
  static func arrival(away: PastFix, since: Instant?, metres: Double, firstThere: Instant) -> MomentEstimate {
    let fastest = Self.time(metres, at: Self.greatestSpeed(away.speed))
    let left = max(away.arrival, since ?? away.arrival)
    let guess =
      away.speed.map { left + Self.time(metres, at: $0) } ?? left + fastest + (firstThere - left - fastest) / 2
    return MomentEstimate(from: min(away.arrival + fastest, firstThere), to: firstThere, guess: guess)
  }

  static func speed(of fix: Fix) -> Double? { fix.speed.flatMap { $0 >= Self.movingSpeed ? $0 : nil } }

  /// The greatest speed of a device, metres per second; a fix may show that this one is faster.
  private static func greatestSpeed(_ shown: Double?) -> Double { max(shown ?? 0, Activity.other.speedBound) }

  private static func time(_ metres: Double, at speed: Double) -> Duration { .seconds(max(metres, 0) / speed) }

  /// The estimate on a clock that shows this much more.
  func shifted(by shift: Duration) -> MomentEstimate {
    MomentEstimate(best: self.best + shift, uncertainty: self.uncertainty)
  }

  /// The part of a fix that is needed later.
  struct PastFix: Hashable, Sendable {
    let coordinate: Coordinate
    let arrival: Instant
    /// The speed if the device moved; metres per second.
    let speed: Double?

    init(_ fix: Fix) {
      self.coordinate = fix.coordinate
      self.arrival = fix.ageBegin
      self.speed = MomentEstimate.speed(of: fix)
    }

    /// The values of a stay's newest fix, with the approximate place.
    init(_ stay: Stay) {
      self.coordinate = stay.centre.coordinate
      self.arrival = stay.newest
      self.speed = nil
    }
  }
}
