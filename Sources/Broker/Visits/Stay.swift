package import Geodesy
package import Positioning

/// The time that the device has been at one place: a visit, or what may become one.
package struct Stay: Hashable, Sendable {
  /// Where a fix says that the device is.
  enum Whereabouts: Hashable, Sendable {
    /// At the place.
    case here
    /// Not at the place, as it seems; the fix's error may explain it.
    case aside
    /// Not at the place, with 95 %.
    case away
  }

  /// What is within a stay, from its anchor while it builds, from its centre when it has become a visit; metres.
  static let radius = 100.0
  /// What is still within a visit, from its centre; metres.
  static let departureRadius = 200.0
  /// For so long from its start a stay's fixes make its anchor. Later ones do not: the anchor must not follow a device
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
  /// When the device came; `nil` where it was not seen elsewhere shortly before the start.
  package private(set) var arrival: MomentEstimate?
  /// The number of the visit that it has become.
  package var visit: Int?

  /// - Parameter accuracy: The fix's.
  init(_ fix: Fix, accuracy: Double, arrival: MomentEstimate?) {
    self.anchor = MeanPlace(fix.coordinate, accuracy: accuracy)
    self.centre = self.anchor
    self.start = fix.arrival
    self.newest = fix.arrival
    self.arrival = arrival
  }

  /// A stay as it was kept.
  ///
  /// - Parameter arrival: `nil` where it is not known, or was kept by a version that took the start for it.
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

  func whereabouts(of fix: Fix) -> Whereabouts {
    let place = self.visit == nil ? self.anchor : self.centre
    let radius = self.visit == nil ? Self.radius : Self.departureRadius
    let distance = Geodesy.distance(from: place.coordinate, to: fix.coordinate)
    if distance <= radius { return .here }
    return distance - radius >= self.error(of: fix) ? .away : .aside
  }

  /// How far the fix may seem to be from the place only because both err, in metres.
  private func error(of fix: Fix) -> Double {
    let fixError = fix.horizontalAccuracy95 ?? .infinity
    let placeError = (self.visit == nil ? self.anchor : self.centre).accuracy / Fix.ratio68To95
    return (fixError * fixError + placeError * placeError).squareRoot()
  }

  /// Takes a fix that is here.
  mutating func add(_ fix: Fix, accuracy: Double) {
    self.newest = fix.arrival
    if self.visit == nil, self.duration <= Self.anchoring {
      self.anchor.add(fix.coordinate, accuracy: accuracy)
    }
    // The way out of a visit is not its middle.
    guard Geodesy.distance(from: self.centre.coordinate, to: fix.coordinate) <= Self.radius else { return }
    self.centre.add(fix.coordinate, accuracy: accuracy)
  }

  /// Whether a fix at the place may be the beginning of the way from it: the device moves, or is beyond what is within a
  /// stay by more than the errors explain.
  func isSuspect(_ fix: Fix) -> Bool {
    guard self.visit != nil else { return false }
    if MomentEstimate.speed(of: fix) != nil { return true }
    let distance = Geodesy.distance(from: self.centre.coordinate, to: fix.coordinate)
    return distance - Self.radius >= self.error(of: fix)
  }

  /// How far from the edge of the place it is, in metres; less than 0 within.
  func way(to place: Coordinate) -> Double {
    let (middle, radius) = self.visit == nil ? (self.anchor, Self.radius) : (self.centre, Self.departureRadius)
    return Geodesy.distance(from: middle.coordinate, to: place) - radius
  }

  /// When the device left: between the newest fix at the place and this one.
  func departure(before away: Fix) -> MomentEstimate {
    // Nobody knows how long ago it was there: all that is sure is that it is gone.
    if self.newest.isBeforeBoot { return MomentEstimate(best: away.arrival, uncertainty: nil) }
    return .departure(lastThere: self.newest, away: away, metres: self.way(to: away.coordinate))
  }

  /// Takes in when the device came: between that sight of it and the start.
  ///
  /// - Parameter departure: When it left the place before.
  mutating func cameFrom(_ away: MomentEstimate.Sight, leaving departure: Instant?) {
    self.arrival = .arrival(
      away: away, since: departure, metres: self.way(to: away.coordinate), firstThere: self.start)
  }

  /// The visit as it is told; `nil` while it is none.
  ///
  /// - Parameter departure: When the device left; `nil` while it is there.
  func told(departure: MomentEstimate? = nil) -> Visit? {
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

  /// The same on a clock that shows so much more.
  package func shifted(by shift: Duration) -> Stay {
    var shifted = self
    shifted.start = self.start + shift
    shifted.newest = self.newest + shift
    shifted.arrival = self.arrival?.shifted(by: shift)
    return shifted
  }
}
