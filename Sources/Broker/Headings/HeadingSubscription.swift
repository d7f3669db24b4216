import Positioning

/// One heading subscription: what it has delivered, and whether it delivers the next heading.
///
/// Its baseline moves only on delivery, so that a slow turn is delivered once it has added up.
struct HeadingSubscription: Hashable, Sendable {
  let id: SubscriptionID
  let parameters: HeadingParameters
  /// Whether its client may not know headings at present.
  private(set) var isSuspended = false
  private(set) var state: HeadingState
  private(set) var updates = 0
  private var lastDelivered: Heading?
  /// When it last delivered, repeated or not.
  private var lastDelivery: Instant

  init(id: SubscriptionID, parameters: HeadingParameters, state: HeadingState, now: Instant) {
    self.id = id
    self.parameters = parameters
    self.state = state
    self.lastDelivery = now
  }

  /// A heading needs the receiver on, with no particular accuracy.
  var demand: Demand {
    Demand(accuracy: AccuracyLevel.city.meters, interval: self.parameters.minInterval, activity: .other)
  }

  func info(availability: Availability) -> SubscriptionInfo {
    let state: SubscriptionState =
      switch self.state {
      case _ where self.isSuspended: .suspended
      case .valid: .delivering
      case .invalid: .acquiring
      case .unavailable: .ended
      }
    return SubscriptionInfo(
      number: self.id.number, kind: .heading(self.parameters), state: state, availability: availability,
      updates: self.updates)
  }

  /// When to call `heartbeat`.
  var nextDeadline: Instant? { self.heartbeatInterval.map { self.lastDelivery + $0 } }

  /// The daemon did not run for so long: the heartbeat comes that much later.
  mutating func putOff(by gap: Duration) { self.lastDelivery = self.lastDelivery + gap }

  private var heartbeatInterval: Duration? {
    self.parameters.maxInterval.map { max($0, PositionSubscription.fastestHeartbeat) }
  }

  /// The present heading, which may be new, or none. A change of state is always delivered, once.
  mutating func received(_ heading: Heading?, _ state: HeadingState, now: Instant) -> HeadingUpdate? {
    if state == self.state {
      guard let heading, self.isDue(heading) else { return nil }
    }
    self.state = state
    self.lastDelivery = now
    if let heading {
      self.lastDelivered = heading
      self.updates += 1
    }
    return HeadingUpdate(state: state, heading: heading, isRepeat: false)
  }

  /// The heartbeat: the newest heading again, or that there is none. Does not move the baseline.
  mutating func heartbeat(_ heading: Heading?, now: Instant) -> HeadingUpdate? {
    guard let deadline = self.nextDeadline, now >= deadline else { return nil }
    self.lastDelivery = now
    // If a heading appears or disappears at this moment, the change of state is delivered in the same turn.
    guard (heading != nil) == (self.state == .valid) else { return nil }
    if heading != nil { self.updates += 1 }
    return HeadingUpdate(state: self.state, heading: heading, isRepeat: true)
  }

  /// The client's permission changed.
  ///
  /// - Parameter isSuspended: whether it may not know headings.
  /// - Returns: the delivery because of that.
  mutating func suspend(_ isSuspended: Bool, _ reading: HeadingReading, now: Instant) -> HeadingUpdate? {
    self.isSuspended = isSuspended
    return isSuspended
      ? self.received(nil, .invalid, now: now) : self.received(reading.heading, reading.state, now: now)
  }

  private func isDue(_ heading: Heading) -> Bool {
    guard let last = self.lastDelivered else { return true }
    // It is the heading that was delivered last, or a better one of its epoch.
    guard heading.arrival > last.arrival else { return false }
    let interval = self.parameters.minInterval
    let tolerance = min(interval / 10, .seconds(30))
    guard heading.arrival - last.arrival >= interval - tolerance else { return false }
    guard let turn = heading.turn(since: last) else { return true }
    // Tolerates rounding, so that a turn of two degrees counts as one.
    return turn >= self.parameters.minChange - 1e-9
  }
}

extension Heading {
  /// The angle between two headings in degrees; `nil` if they cannot be compared, because they are from two sources or
  /// norths. Then the new one is delivered.
  func turn(since last: Heading) -> Double? {
    guard self.source == last.source else { return nil }
    if let now = self.trueHeading, let before = last.trueHeading { return before.turn(to: now) }
    guard (self.trueHeading == nil) == (last.trueHeading == nil) else { return nil }
    guard let now = self.magneticHeading, let before = last.magneticHeading else { return nil }
    return before.turn(to: now)
  }
}
