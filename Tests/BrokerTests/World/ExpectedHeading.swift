import Positioning

@testable import Broker

/// The possible deliveries of one heading subscription, by its parameters and its earlier deliveries.
struct ExpectedHeading {
  private let parameters: HeadingParameters
  private var state: HeadingState
  private var lastDelivered: Heading?

  init(parameters: HeadingParameters, info: SubscriptionInfo) {
    self.parameters = parameters
    self.state = info.state == .delivering ? .valid : .invalid
  }

  /// Whether it has a timer of its own.
  var isTimed: Bool { self.parameters.maxInterval != nil }

  /// Whether it was notified of its end.
  var isUnavailable: Bool { self.state == .unavailable }

  /// Processes an update; returns what is wrong with it.
  mutating func received(_ update: HeadingUpdate, now: Instant) -> String? {
    if self.isUnavailable { return "an update after unavailable" }
    if (update.state == .valid) != (update.heading != nil) {
      return "\(String(describing: update.state)) does not go with the heading"
    }
    let hasChanged = update.state != self.state
    if update.isRepeat {
      if hasChanged { return "a heartbeat that changes the state" }
      return self.isTimed ? update.heading?.complaint : "a heartbeat that nobody asked for"
    }
    self.state = update.state ?? self.state
    guard let heading = update.heading else { return hasChanged ? nil : "an update about nothing" }
    defer { self.lastDelivered = heading }
    if let complaint = heading.complaint { return complaint }
    guard let last = self.lastDelivered else { return nil }
    if heading.arrival <= last.arrival { return "a heading twice, or back in arrival" }
    if hasChanged { return nil }
    let tolerance = min(self.parameters.minInterval / 10, .seconds(30))
    if heading.arrival - last.arrival < self.parameters.minInterval - tolerance { return "too soon" }
    guard heading.source == last.source, (heading.trueHeading == nil) == (last.trueHeading == nil) else { return nil }
    let (from, to) = (last.trueHeading ?? last.magneticHeading, heading.trueHeading ?? heading.magneticHeading)
    guard let from, let to else { return "no direction" }
    let turn = min(abs(from - to), 360 - abs(from - to))
    return turn < self.parameters.minChange - 1e-6 ? "turned by \(turn) only" : nil
  }
}

extension Heading {
  /// Why a heading is invalid.
  var complaint: String? {
    let directions = [self.trueHeading, self.magneticHeading].compactMap { $0 }
    if directions.isEmpty { return "a heading without a direction" }
    if directions.contains(where: { !(0..<360).contains($0) }) { return "no direction: \(directions)" }
    if self.source == .course, self.trueHeading == nil { return "a course from magnetic north" }
    return nil
  }
}
