import FoundationEssentials
import PositionProtocol

/// Visits as people read them.
enum VisitFormat {
  /// One line: that the device has come, or that it has left and how long it was there.
  static func line(_ visit: VisitObject) -> String {
    let place = "\(FixFormat.place(visit.latitude, visit.longitude)) ±\(visit.horizontalAccuracy.short) m"
    guard let departure = visit.departure else {
      return "visit \(visit.id): here since \(visit.arrival?.description ?? "before it was looked for"), \(place)"
    }
    let stay = visit.arrival.map { departure.date.timeIntervalSince($0.date) }
    return "visit \(visit.id): left at \(departure)" + (stay.map { " after \(TimeSpan.words($0))" } ?? "")
      + ", \(place)"
  }
}
