import Positioning

/// When to turn the receiver on for a probe: now and then, for one fix.
///
/// The longer nothing has moved, the longer the interval between probes. A probe without a fix is given up, and the
/// next interval is longer. The first probe, or one after a long sleep, may take as long as a cold start.
struct ProbeSchedule: Hashable, Sendable {
  static let shortestInterval: Duration = .seconds(300)
  static let longestInterval: Duration = .seconds(900)
  /// The longest time of a cold start.
  static let coldTimeout: Duration = .seconds(900)
  static let timeout: Duration = .seconds(120)
  /// After so long without a fix a receiver starts cold.
  private static let coldAfter: Duration = .seconds(4 * 3600)

  private enum State: Hashable {
    case waiting(until: Instant)
    case probing(until: Instant)
  }

  private var state: State
  /// Since when the device is at its place.
  private var restsSince: Instant
  private var pause = GrowingPause(first: Self.shortestInterval, longest: .seconds(3600))
  private var lastFix: Instant?

  /// Begins with a probe.
  ///
  /// - Parameters:
  ///   - lastFix: The time of the last fix.
  ///   - earliest: A probe before this moment would decide nothing; `nil`: one may at any time.
  init(lastFix: Instant?, notBefore earliest: Instant? = nil, now: Instant) {
    self.lastFix = lastFix
    self.restsSince = now
    self.state = .waiting(until: earliest ?? now)
    self.deadlineReached(now: now)
  }

  /// There is a fix now, and the next probe is this much later.
  init(next: Duration, now: Instant) {
    self.init(lastFix: now, now: now)
    self.fixed(next: next, now: now)
  }

  var need: Need {
    switch self.state {
    case .waiting(let until): .from(until)
    case .probing: .now
    }
  }

  /// When to call `deadlineReached`.
  var nextDeadline: Instant {
    switch self.state {
    case .waiting(let until), .probing(let until): until
    }
  }

  mutating func deadlineReached(now: Instant) {
    guard now >= self.nextDeadline else { return }
    switch self.state {
    case .waiting: self.probe(now: now)
    case .probing:
      self.state = .waiting(until: now + self.pause.take())
    }
  }

  /// The daemon did not run for so long: a probe that has begun gets that time. The next one is due when it was.
  mutating func putOff(by gap: Duration) {
    if case .probing(let until) = self.state { self.state = .probing(until: until + gap) }
  }

  /// A fix, during a probe or because somebody else needs the receiver.
  ///
  /// - Parameters:
  ///   - hasMoved: Whether the device has moved since the last probe.
  ///   - earliest: A probe before this moment would decide nothing; `nil`: one may at any time.
  mutating func fixed(hasMoved: Bool, notBefore earliest: Instant? = nil, now: Instant) {
    if hasMoved { self.restsSince = now }
    let next = min(max(now - self.restsSince, Self.shortestInterval), Self.longestInterval)
    self.fixed(next: max(next, earliest.map { $0 - now } ?? .zero), now: now)
  }

  /// A fix.
  ///
  /// - Parameter next: The time until the next probe; zero: the probe continues.
  mutating func fixed(next: Duration, now: Instant) {
    self.pause.reset()
    self.lastFix = now
    if next > .zero {
      self.state = .waiting(until: now + next)
    } else {
      self.probe(now: now)
    }
  }

  private mutating func probe(now: Instant) {
    let isCold = self.lastFix.map { now - $0 > Self.coldAfter } ?? true
    self.state = .probing(until: now + (isCold ? Self.coldTimeout : Self.timeout))
  }
}
