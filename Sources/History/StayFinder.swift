import Positioning

/// Finds stays in fixes, for times of which positiond reported no visits: those of imported files, and of users whose permission
/// has no visits.
package struct StayFinder {
  /// Metres from the middle of a stay to its fixes, unless their accuracy is worse.
  static let radius = 100.0
  /// The least time of a stay.
  static let least = Duration.seconds(600)

  private var stays: [Stay] = []
  private var first: Timestamp?
  private var last: Timestamp?
  private var mean = Coordinate(latitude: 0, longitude: 0)
  private var count = 0.0
  private var scale = PlainScale(at: 0)
  private var accuracy: Double?

  package static func stays(in fixes: [HistoryFix]) -> [Stay] {
    var finder = StayFinder()
    for fix in fixes { finder.take(fix) }
    finder.end()
    return finder.stays
  }

  private mutating func take(_ fix: HistoryFix) {
    let place = fix.coordinate
    // A gap in which the device did not go elsewhere ends no stay.
    self.scale.follow(place.latitude)
    let distance = self.scale.distance(from: self.mean, to: place)
    if self.count > 0, distance <= max(Self.radius, 2 * (fix.accuracy ?? 0)) {
      self.count += 1
      self.mean.latitude += (place.latitude - self.mean.latitude) / self.count
      self.mean.longitude =
        (self.mean.longitude + (place.longitude - self.mean.longitude).wrappedLongitude / self.count)
        .wrappedLongitude
      if let accuracy = fix.accuracy { self.accuracy = min(self.accuracy ?? accuracy, accuracy) }
      self.last = fix.time
    } else {
      self.end()
      (self.first, self.last, self.mean, self.count) = (fix.time, fix.time, place, 1)
      self.accuracy = fix.accuracy
    }
  }

  private mutating func end() {
    guard let first, let last, last - first >= Self.least else { return }
    self.stays.append(Stay(place: self.mean, accuracy: self.accuracy, arrival: first, departure: last))
  }
}
