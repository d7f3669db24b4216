import JSONRPC
import PositionProtocol

/// The text form of events.
enum EventFormat {
  /// The event's number if it has one, and the event; a batch has a line for each fix.
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
