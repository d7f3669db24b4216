import Positioning

/// When something that can wait looks where the device is: now and then, for one fix.
///
/// The longer nothing has moved the rarer the looks. A look that finds no fix in time is given up, and the next waits longer;
/// the first one after a long sleep, or ever, is given what a cold receiver needs.
struct ProbeSchedule: Hashable, Sendable {
  static let shortestInterval: Duration = .seconds(300)
  static let longestInterval: Duration = .seconds(900)
  /// What a receiver may take that knows nothing of the sky.
  static let coldPatience: Duration = .seconds(900)
  static let patience: Duration = .seconds(120)
  /// After so long without a fix a receiver starts cold.
  private static let coldAfter: Duration = .seconds(4 * 3600)
  private static let longestBackoff: Duration = .seconds(3600)

  private enum State: Hashable {
    case waiting(until: Instant)
    case looking(until: Instant)
  }

  private var state: State
  /// Since when the device is where it is.
  private var restsSince: Instant
  private var backoff = Self.shortestInterval
  private var lastFix: Instant?

  /// Looks at once.
  ///
  /// - Parameter lastFix: when there was a fix last.
  init(lastFix: Instant?, now: Instant) {
    self.lastFix = lastFix
    self.restsSince = now
    self.state = .waiting(until: now)
    self.look(now: now)
  }

  /// There is a fix now, and the next look is so much later.
  init(next: Duration, now: Instant) {
    self.init(lastFix: now, now: now)
    self.fixed(next: next, now: now)
  }

  var need: Need {
    switch self.state {
    case .waiting(let until): .from(until)
    case .looking: .now
    }
  }

  /// When `deadlineReached` must be called.
  var nextDeadline: Instant {
    switch self.state {
    case .waiting(let until), .looking(let until): until
    }
  }

  mutating func deadlineReached(now: Instant) {
    guard now >= self.nextDeadline else { return }
    switch self.state {
    case .waiting: self.look(now: now)
    case .looking:
      self.state = .waiting(until: now + self.backoff)
      self.backoff = min(self.backoff * 2, Self.longestBackoff)
    }
  }

  /// A fix came, on a look or because somebody else needs the receiver.
  ///
  /// - Parameter hasMoved: whether the device is elsewhere than at the look before.
  mutating func fixed(hasMoved: Bool, now: Instant) {
    if hasMoved { self.restsSince = now }
    self.fixed(next: min(max(now - self.restsSince, Self.shortestInterval), Self.longestInterval), now: now)
  }

  /// A fix came.
  ///
  /// - Parameter next: when to look again; zero: go on looking.
  mutating func fixed(next: Duration, now: Instant) {
    self.backoff = Self.shortestInterval
    self.lastFix = now
    if next > .zero {
      self.state = .waiting(until: now + next)
    } else {
      self.look(now: now)
    }
  }

  private mutating func look(now: Instant) {
    let isCold = self.lastFix.map { now - $0 > Self.coldAfter } ?? true
    self.state = .looking(until: now + (isCold ? Self.coldPatience : Self.patience))
  }
}
