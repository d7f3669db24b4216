import Positioning

/// One heading subscription: what it has delivered, and whether it delivers the next heading.
///
/// As with positions its baseline moves on delivery only, so a slow turn fires once it has added up.
struct HeadingSubscription: Hashable, Sendable {
  let id: SubscriptionID
  let parameters: HeadingParameters
  /// Whether its client may not know headings at present.
  private(set) var isSuspended = false
  private(set) var state: HeadingState
  private(set) var updates = 0
  private var lastDelivered: Heading?
  /// When something was last told, repeated or not.
  private var lastTold: Instant

  init(id: SubscriptionID, parameters: HeadingParameters, state: HeadingState, now: Instant) {
    self.id = id
    self.parameters = parameters
    self.state = state
    self.lastTold = now
  }

  /// A heading needs a receiver that is on, at no particular accuracy.
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
      number: self.id.number, kind: .heading(self.parameters), state: state, availability: availability, updates: self.updates)
  }

  /// When `heartbeat` must be called.
  var nextDeadline: Instant? { self.heartbeatInterval.map { self.lastTold + $0 } }

  private var heartbeatInterval: Duration? {
    self.parameters.maxInterval.map { max($0, PositionSubscription.fastestHeartbeat) }
  }

  /// How it stands now: a heading that may be new, or none. A change of state is always told, once.
  mutating func received(_ heading: Heading?, _ state: HeadingState, now: Instant) -> HeadingUpdate? {
    if state == self.state {
      guard let heading, self.isDue(heading) else { return nil }
    }
    self.state = state
    self.lastTold = now
    if let heading {
      self.lastDelivered = heading
      self.updates += 1
    }
    return HeadingUpdate(state: state, heading: heading, isRepeat: false)
  }

  /// The heartbeat: the newest heading once more, or the word that there is none. Moves no baseline.
  mutating func heartbeat(_ heading: Heading?, now: Instant) -> HeadingUpdate? {
    guard let deadline = self.nextDeadline, now >= deadline else { return nil }
    self.lastTold = now
    // A heading that ends, or comes, in this very moment is a change of state: that is told in the same turn.
    guard (heading != nil) == (self.state == .valid) else { return nil }
    if heading != nil { self.updates += 1 }
    return HeadingUpdate(state: self.state, heading: heading, isRepeat: true)
  }

  /// What its client may know changed.
  ///
  /// - Parameter isSuspended: whether that is no heading.
  /// - Returns: what it learns by that.
  mutating func suspend(_ isSuspended: Bool, _ reading: HeadingReading, now: Instant) -> HeadingUpdate? {
    self.isSuspended = isSuspended
    return isSuspended
      ? self.received(nil, .invalid, now: now) : self.received(reading.heading, reading.state, now: now)
  }

  private func isDue(_ heading: Heading) -> Bool {
    guard let last = self.lastDelivered else { return true }
    // The same one, or a better one of the same epoch.
    guard heading.arrival > last.arrival else { return false }
    let interval = self.parameters.minInterval
    let tolerance = min(interval / 10, .seconds(30))
    guard heading.arrival - last.arrival >= interval - tolerance else { return false }
    guard let turn = heading.turn(since: last) else { return true }
    // So that a turn of two degrees is one, whatever the last binary digit says.
    return turn >= self.parameters.minChange - 1e-9
  }
}

extension Heading {
  /// Degrees around the circle; `nil` where the two cannot be compared, so that a client should know of it anyway: they
  /// are of two sources, or from two norths.
  func turn(since last: Heading) -> Double? {
    guard self.source == last.source else { return nil }
    if let now = self.trueHeading, let before = last.trueHeading { return before.turn(to: now) }
    guard (self.trueHeading == nil) == (last.trueHeading == nil) else { return nil }
    guard let now = self.magneticHeading, let before = last.magneticHeading else { return nil }
    return before.turn(to: now)
  }
}
