import Positioning
import ReceiverPorts

/// The time since the receiver was turned on: whether it has fixes, and how long to wait for one.
struct ReceiverSession: Hashable, Sendable {
  /// How long to search at least in a cold start, whose first fix must not be cut off; and at most in a retry.
  static let coldPatience: Duration = .seconds(900)
  /// How long to search after a search without a fix, and since it last saw a satellite.
  static let retryPatience: Duration = .seconds(60)
  /// Fixes with a longer break between them are not continuous.
  private static let longestBreak: Duration = .seconds(10)

  let began: Instant
  let offTime: TimeToFirstFix.OffTime
  /// Whether nothing is known of the receiver from before.
  let isFirst: Bool
  /// Whether it is on only to collect what a hot start needs.
  let isRefresh: Bool
  /// Whether the search before it was without a fix.
  private var isRetry: Bool
  /// How long to search when the receiver was not off for long, or has lost its fix.
  private let patience: Duration
  /// Since when it searches: since its beginning, or since the source came back.
  private var searchesSince: Instant
  /// Whether there is nothing to receive from.
  private var isBlocked = false
  /// Whether something other than the receiver may have delayed the first fix.
  private var isDisturbed = false
  private(set) var firstFix: Instant?
  private(set) var lastFix: Instant?
  /// Since when there are fixes without a break.
  private(set) var continuousSince: Instant?
  private var lastSatellites: Instant?
  /// When to check whether the search has failed; it does not move with each fix.
  private var check: Instant

  init(offTime: TimeToFirstFix.OffTime, isFirst: Bool, isRefresh: Bool, isRetry: Bool, patience: Duration, now: Instant)
  {
    self.began = now
    self.offTime = offTime
    self.isFirst = isFirst
    self.isRefresh = isRefresh
    self.isRetry = isRetry
    self.patience = patience
    self.searchesSince = now
    self.check = now
    self.check = self.end
  }

  // MARK: The search

  /// When the search has failed if nothing comes until then.
  private var end: Instant {
    if let lastFix { return max(lastFix, self.searchesSince) + self.patience }
    let isCold = self.offTime == .cold || self.isFirst
    guard self.isRetry else {
      return self.searchesSince + (isCold ? max(Self.coldPatience, self.patience) : self.patience)
    }
    let patient = max(self.searchesSince, self.lastSatellites ?? self.searchesSince) + Self.retryPatience
    return min(patient, self.searchesSince + Self.coldPatience)
  }

  /// When to call `hasFailed`.
  var nextCheck: Instant? { self.isBlocked ? nil : self.check }

  mutating func hasFailed(now: Instant) -> Bool {
    guard let nextCheck, now >= nextCheck else { return false }
    self.check = self.end
    return now >= self.check
  }

  /// Earlier failures do not count any more, and it searches anew.
  mutating func searchAgain(now: Instant) {
    self.isRetry = false
    self.searchesSince = now
    self.check = self.end
  }

  /// Nobody searched for so long: what is left of its patience is left still. How long the receiver takes does not show
  /// from such a start.
  mutating func putOff(by gap: Duration) {
    self.searchesSince = max(self.searchesSince, self.lastFix ?? self.searchesSince) + gap
    self.lastSatellites = self.lastSatellites.map { $0 + gap }
    if self.firstFix == nil { self.isDisturbed = true }
    self.check = self.end
  }

  /// Whether satellites are in view.
  mutating func saw(satellites areInView: Bool, now: Instant) {
    if areInView {
      self.lastSatellites = now
    } else if now - self.began >= self.offTime.firstSatellite {
      // Without sky nothing shows how long the receiver takes.
      self.isDisturbed = true
    }
  }

  /// - Returns: Whether it searches anew, because there is something to receive from again.
  mutating func sourceChanged(to source: SourceState, now: Instant) -> Bool {
    switch source {
    case .idle, .opening: return false
    case .receiverMissing, .gpsdFull, .gpsdDown:
      (self.isBlocked, self.isDisturbed) = (true, true)
      return false
    case .streaming:
      guard self.isBlocked else { return false }
      self.isBlocked = false
      self.searchAgain(now: now)
      return true
    }
  }

  // MARK: Fixes

  /// A fix.
  ///
  /// - Returns: The time to the first fix, if it is that, and shows how long the receiver takes.
  mutating func fixed(now: Instant) -> Duration? {
    let isContinuous = self.lastFix.map { now - $0 <= Self.longestBreak } ?? false
    if !isContinuous { self.continuousSince = now }
    self.lastFix = now
    guard self.firstFix == nil else { return nil }
    self.firstFix = now
    self.check = self.end
    return self.isFirst || self.isDisturbed ? nil : now - self.began
  }

  /// When it certainly has collected what a hot start needs, if the fixes go on; `nil` without fixes.
  var collectingEnd: Instant? { self.continuousSince.map { $0 + ReceiverMemory.collecting + .seconds(1) } }

  /// When it has collected that last; `nil`: not in this session. A start that was not hot has collected it for its first
  /// fix.
  func collected(at now: Instant) -> Instant? {
    if let continuousSince, now - continuousSince >= ReceiverMemory.collecting { return now }
    return self.offTime == .hot ? nil : self.firstFix
  }
}
