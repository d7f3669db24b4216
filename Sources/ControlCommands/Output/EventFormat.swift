import JSONRPC
import PositionProtocol

/// Events as people read them.
enum EventFormat {
  /// The event's number where it has one, and what happened; a batch has a line for each fix.
  static func lines(_ event: any EventNotification, moment: CodingMoment) -> [String] {
    let lines =
      switch event {
      case let event as RegionEventNotification: [RegionFormat.line(event.event, now: moment.now)]
      case let update as VisitUpdateNotification: [VisitFormat.line(update.visit, moment: moment)]
      case let update as PositionUpdateNotification: UpdateFormat.lines(update.update, now: moment.now)
      default: [String]()
      }
    guard let id = event.eventId else { return lines }
    return lines.enumerated().map { place, line in place == 0 ? "#\(id) \(line)" : "  \(line)" }
  }
}
