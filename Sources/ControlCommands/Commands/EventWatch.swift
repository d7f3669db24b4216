import EventLoop
import JSONRPC
import Notations
import PositionClient
import PositionProtocol
import Positioning
import Printable
import ProgramArguments

/// Prints events until their number or the time is reached, for the commands that watch regions and durable names.
final class EventWatch {
  static let count = Option("count", letter: "n", .count, "end after this many events")
  static let duration = Option("duration", .period, "end after this time")

  /// When it ends by itself.
  struct Limits {
    let count: Int?
    let duration: Duration?

    init(_ arguments: Arguments) {
      self.count = arguments[EventWatch.count]
      self.duration = arguments[EventWatch.duration]
    }
  }

  /// How long an acknowledgement may wait for a connection.
  private static let acknowledgementTimeout = Duration.seconds(10)

  /// Selects events; `nil`: all.
  var take: ((any AddressedNotification) -> Bool)?
  /// The durable name whose events are acknowledged once they are printed; `nil`: none are.
  var acknowledges: String?

  private unowned let conversation: Conversation
  private let limits: Limits
  private var printed = 0
  /// Acknowledgements that were not answered yet.
  private var unanswered = 0
  /// The result of the command, once all is acknowledged.
  private var outcome: ExitCode?
  private var timer: LoopTimer?

  init(_ limits: Limits, in conversation: Conversation) {
    self.limits = limits
    self.conversation = conversation
  }

  /// Follows the events of a durable name. The subscription keeps this alive.
  func begin(_ request: DurableAttachRequest, then show: @escaping (DurableInfo) -> Void) {
    self.conversation.follow(request, missed: "events in between were kept and follow now") { event in
      switch event {
      case .begun(let name):
        show(name)
        self.startTimer()
      case .notified(let notification): self.notified(notification)
      case .stopped(let reason): self.ended(reason)
      case .disconnected, .suspended, .reconnected, .over: break
      }
    }
  }

  /// Follows the events of a region.
  func begin(_ region: Region, then show: @escaping (RegionResult) -> Void) {
    self.conversation.follow { ticket in
      let watched = WatchedRegion(region, ticket: ticket, in: self.conversation)
      watched.onResult = { result in
        show(result)
        self.startTimer()
      }
      watched.onEvent = { self.notified($0) }
      return watched
    }
  }

  private func startTimer() {
    guard let duration = self.limits.duration else { return }
    self.timer = self.conversation.timer { [unowned self] in self.timeIsOver() }
    self.timer?.arm(at: self.conversation.loop.now + duration)
  }

  private func timeIsOver() {
    if self.printed == 0 { self.conversation.context.report("no event in this time") }
    self.end(self.printed == 0 ? .timedOut : .success)
  }

  private func notified(_ notification: any AddressedNotification) {
    guard self.outcome == nil else { return }
    switch notification {
    case let overflow as DurableOverflowNotification:
      self.conversation.print(
        overflow, human: ["-- \(overflow.dropped.counted("event was", "events were")) dropped: too many were waiting"])
    case let event as any EventNotification where self.take?(event) ?? true: self.happened(event)
    default: break  // Not a wanted event.
    }
  }

  private func happened(_ event: any EventNotification) {
    self.printed += 1
    self.conversation.print(event, human: EventFormat.lines(event, in: self.conversation.context))
    // What was not printed is not acknowledged: it comes again next time.
    guard !self.conversation.isFinished else { return }
    if let name = self.acknowledges, let id = event.eventId { self.acknowledge(id, of: name) }
    if self.printed == self.limits.count { return self.end(.success) }
    // The end of the only region is the last event.
    if let event = event as? RegionEventNotification, event.durable == nil, event.event.kind == .expired {
      self.end(.success)
    }
  }

  private func acknowledge(_ id: Int, of name: String) {
    self.unanswered += 1
    let request = DurableAcknowledgeRequest(name: name, event: id)
    self.conversation.ask(request, within: Self.acknowledgementTimeout) { _ in
      self.unanswered -= 1
      if let outcome = self.outcome { self.end(outcome) }
    }
  }

  private func ended(_ reason: EndReason) {
    switch reason {
    case .replaced: self.conversation.context.report("another program attached to this name")
    case .cancelled: self.conversation.context.report("the name was removed")
    default: self.conversation.context.report("positiond ended it: \(reason.rawValue)")
    }
    self.end(.failure)
  }

  /// Ends the command once the printed events are acknowledged.
  private func end(_ code: ExitCode) {
    self.outcome = code
    if self.unanswered == 0 { self.conversation.finish(code) }
  }
}

/// An event of a region or a durable name.
protocol EventNotification: AddressedNotification {
  /// The event's number, if it is durable.
  var eventId: Int? { get }
}

extension RegionEventNotification: EventNotification {}
extension VisitUpdateNotification: EventNotification {}
extension PositionUpdateNotification: EventNotification {}

/// The text form of events.
enum EventFormat {
  /// The event's number if it has one, and the event; a batch has a line for each fix.
  static func lines(_ event: any EventNotification, in context: CommandContext) -> [String] {
    let (moment, format) = (context.moment, context.format)
    let lines =
      switch event {
      case let event as RegionEventNotification: [RegionFormat.line(event.event, now: moment.now, in: format)]
      case let update as VisitUpdateNotification: [VisitFormat.line(update.visit, moment: moment, in: format)]
      case let update as PositionUpdateNotification: UpdateFormat.lines(update.update, now: moment.now, in: format)
      default: [String]()
      }
    guard let id = event.eventId else { return lines }
    return lines.enumerated().map { place, line in place == 0 ? "#\(id) \(line)" : "  \(line)" }
  }
}

/// The text form of visits.
enum VisitFormat {
  /// One line: the arrival, or the departure with the duration of the stay.
  static func line(_ visit: Visit, moment: CodingMoment, in format: PositionFormat = PositionFormat()) -> String {
    let accuracy = visit.horizontalAccuracy
    let place =
      format.place(latitude: visit.latitude, longitude: visit.longitude, accuracy: accuracy)
      + " \(format.accuracy(accuracy))"
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
