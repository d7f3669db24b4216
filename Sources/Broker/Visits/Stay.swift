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
  /// Whether the device was seen elsewhere shortly before the start.
  package private(set) var isArrivalKnown: Bool
  /// The number of the visit that it has become.
  package var visit: Int?

  /// - Parameter accuracy: The fix's.
  init(_ fix: Fix, accuracy: Double, isArrivalKnown: Bool) {
    self.anchor = MeanPlace(fix.coordinate, accuracy: accuracy)
    self.centre = self.anchor
    self.start = fix.arrival
    self.newest = fix.arrival
    self.isArrivalKnown = isArrivalKnown
  }

  /// A stay as it was kept.
  package init(
    anchor: MeanPlace, centre: MeanPlace, start: Instant, newest: Instant, isArrivalKnown: Bool, visit: Int?
  ) {
    self.anchor = anchor
    self.centre = centre
    self.start = start
    self.newest = newest
    self.isArrivalKnown = isArrivalKnown
    self.visit = visit
  }

  var duration: Duration { self.newest - self.start }

  func whereabouts(of fix: Fix) -> Whereabouts {
    let place = self.visit == nil ? self.anchor : self.centre
    let radius = self.visit == nil ? Self.radius : Self.departureRadius
    let distance = Geodesy.distance(from: place.coordinate, to: fix.coordinate)
    if distance <= radius { return .here }
    let fixError = fix.horizontalAccuracy95 ?? .infinity
    let placeError = place.accuracy / Fix.ratio68To95
    let error = (fixError * fixError + placeError * placeError).squareRoot()
    return distance - radius >= error ? .away : .aside
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

  /// The visit as it is told; `nil` while it is none.
  ///
  /// - Parameter isOver: Whether the device has left.
  func told(isOver: Bool) -> Visit? {
    self.visit.map { id in
      let middle = self.centre.coordinate
      return Visit(
        id: id, latitude: middle.latitude, longitude: middle.longitude, horizontalAccuracy: self.centre.accuracy,
        arrival: self.isArrivalKnown ? self.start : nil, departure: isOver ? self.newest : nil)
    }
  }

  /// The same on a clock that shows so much more.
  package func shifted(by shift: Duration) -> Stay {
    var shifted = self
    shifted.start = self.start + shift
    shifted.newest = self.newest + shift
    return shifted
  }
}
