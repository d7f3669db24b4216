import JSONRPC
import PositionProtocol
import Positioning
import Printable

/// The text form of visits.
enum VisitFormat {
  /// One line: the arrival, or the departure with the duration of the stay.
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

  /// Only if it is large: the uncertainty of a device that has a fix each second is not shown.
  private static func uncertainty(_ duration: Duration?) -> String {
    guard let seconds = duration?.seconds, seconds >= 5 else { return "" }
    return " ±\(TimeSpan.words(seconds))"
  }
}
