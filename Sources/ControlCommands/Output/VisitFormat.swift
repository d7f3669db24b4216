import JSONRPC
import PositionProtocol
import Positioning
import Printable

/// Visits as people read them.
enum VisitFormat {
  /// One line: that the device has come, or that it has left and how long it was there.
  static func line(_ visit: Visit, moment: CodingMoment) -> String {
    let place = "\(FixFormat.place(visit.latitude, visit.longitude)) ±\(visit.horizontalAccuracy.short) m"
    guard let departure = visit.departure else {
      let arrival = visit.arrival.map {
        "\(Timestamp(of: $0, at: moment))\(self.uncertainty(visit.arrivalUncertainty))"
      }
      return "visit \(visit.id): here since \(arrival ?? "before detection began"), \(place)"
    }
    let stay = visit.arrival.map { (departure - $0).seconds }
    return
      "visit \(visit.id): left at \(Timestamp(of: departure, at: moment))\(self.uncertainty(visit.departureUncertainty))"
      + (stay.map { " after \(TimeSpan.words($0))" } ?? "")
      + ", \(place)"
  }

  /// Where it is worth a word: that of a device which was looked at every second is not.
  private static func uncertainty(_ duration: Duration?) -> String {
    guard let seconds = duration?.seconds, seconds >= 5 else { return "" }
    return " ±\(TimeSpan.words(seconds))"
  }
}
