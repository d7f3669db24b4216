import Positioning
import ReceiverPorts

/// Decides whether the receiver is on: a pure function of the needs, of what is known of the receiver, and of the time.
///
/// - It is on while anybody needs it, and early enough for what is due: by the time that a start takes.
/// - After a need that nobody announced it lingers, so that consecutive one-shots do not cycle it.
/// - It sleeps until the next need if the release pays. Where a release is known to turn the receiver off, that is
///   nearly always; otherwise only if it is not needed for minutes.
/// - A search without a fix is given up, and repeated after a pause that gets longer.
/// - It stays on a little longer if the next start would be so much slower that this pays.
struct ReceiverPlanner: Hashable, Sendable {
  private enum State: Hashable {
    case off
    case on(ReceiverSession)
    /// It is needed, but there was no fix.
    case backedOff(until: Instant)
  }

  /// More than the daemon is ever late in calling it.
  private static let lateness: Duration = .seconds(5)

  private var state = State.off
  private(set) var policy: PowerPolicy
  private(set) var memory: ReceiverMemory
  /// Whether it saves power while it is on.
  var isDrawingLess = false
  private var lastFix: Instant?
  /// How long the last start took, of those that nothing but the receiver can have delayed.
  private(set) var lastStart: Duration?
  private var lingers: LingerLength
  /// The end of the linger that has begun.
  private var lingersUntil: Instant?
  /// When it began.
  private var lingersSince: Instant?
  /// Whether it was needed without announcement since it was turned on.
  private var owesLinger = false
  /// After a search without a fix.
  private var pause = GrowingPause(first: .seconds(60), longest: .seconds(3600))
  /// When to call `planned` without a change of needs.
  private(set) var nextDeadline: Instant?
  /// When it is turned on next, and the reason; `nil` while it is on, or if nobody will need it.
  private(set) var nextWake: ReceiverWake?

  init(policy: PowerPolicy, memory: ReceiverMemory = ReceiverMemory()) {
    self.policy = policy
    self.memory = memory.inThisBoot
    self.lingers = LingerLength(policy)
  }

  /// The memory of an earlier daemon is known only now.
  mutating func restore(_ memory: ReceiverMemory) { self.memory = memory.inThisBoot.joined(by: self.memory) }

  var isOn: Bool {
    if case .on = self.state { true } else { false }
  }

  /// Whether it is off though it is needed, because there was no fix.
  var isBackedOff: Bool {
    if case .backedOff = self.state { true } else { false }
  }

  /// A new policy, which applies from the next end of needs on.
  mutating func change(_ policy: PowerPolicy) {
    guard policy != self.policy else { return }
    self.policy = policy
    self.lingers = LingerLength(policy)
    if policy.linger == .zero, self.lingersUntil != nil { self.lingersUntil = Instant(sinceBoot: .zero) }
  }

  // MARK: Events

  /// Somebody asks for something new: the search begins again.
  mutating func demanded(now: Instant) {
    self.pause.reset()
    switch self.state {
    case .off: break
    case .backedOff: self.state = .off
    case .on(var session):
      session.searchAgain(now: now)
      self.state = .on(session)
    }
  }

  /// The daemon did not run for so long: the search and the linger get that time. A pause between two searches ends when
  /// it would have.
  mutating func putOff(by gap: Duration) {
    guard case .on(var session) = self.state else { return }
    session.putOff(by: gap)
    self.state = .on(session)
    self.lingersUntil = self.lingersUntil.map { $0 + gap }
    self.lingersSince = self.lingersSince.map { $0 + gap }
  }

  /// A request was answered by the newest fix or heading. If that is there only because the receiver lingers, the next request of
  /// this kind shall find one too.
  mutating func answered(maximumAge: Duration, now: Instant) {
    guard case .on = self.state, self.lingersUntil != nil, let lingersSince, now - lingersSince > maximumAge
    else { return }
    (self.lingersSince, self.lingersUntil) = (now, now + self.linger)
  }

  /// A fix.
  mutating func fixed(isLearned: Bool = true, now: Instant) {
    self.lastFix = now
    guard case .on(var session) = self.state else { return }
    let start = session.fixed(now: now)
    if isLearned {
      if let start, self.memory.starts.learn(start, after: session.offTime) { self.lastStart = start }
      if let collectedAt = session.collected(at: now) { self.memory.collected = collectedAt }
    }
    self.pause.reset()
    self.state = .on(session)
  }

  /// Whether satellites are in view.
  mutating func saw(satellites areInView: Bool, now: Instant) {
    guard case .on(var session) = self.state, session.firstFix == nil else { return }
    session.saw(satellites: areInView, now: now)
    self.state = .on(session)
  }

  mutating func sourceChanged(to source: SourceState, now: Instant) {
    guard case .on(var session) = self.state else { return }
    if session.sourceChanged(to: source, now: now) { self.pause.reset() }
    self.state = .on(session)
  }

  // MARK: Planning

  /// Returns the new state of the receiver if it changes.
  mutating func planned(_ needs: Needs, now: Instant) -> Bool? {
    let wasOn = self.isOn
    if case .backedOff(let until) = self.state, now >= until || needs.isEmpty { self.state = .off }
    switch self.state {
    case .backedOff(let until): self.sleep(until: ReceiverWake(at: until, reason: .retry))
    case .off: self.planStart(needs, now: now)
    case .on(let session): self.planEnd(of: session, needs, now: now)
    }
    return self.isOn == wasOn ? nil : self.isOn
  }

  private mutating func planStart(_ needs: Needs, now: Instant) {
    let wake = needs.nextDue.map { self.wake(for: $0, now: now) }
    let isTime = wake.map { now >= $0.at } ?? false
    guard needs.isNeeded || isTime else { return self.sleep(until: wake) }
    let session = ReceiverSession(
      offTime: self.memory.offTime(at: now), isFirst: self.memory.collected == nil,
      isRefresh: !needs.isNeeded && wake?.reason == .keepHot, isRetry: self.pause.hasGrown,
      timeout: self.policy.searchTimeout, now: now)
    (self.lingersUntil, self.owesLinger, self.nextWake) = (nil, false, nil)
    self.planEnd(of: session, needs, now: now)
  }

  private mutating func planEnd(of session: ReceiverSession, _ needs: Needs, now: Instant) {
    var session = session
    let hasFailed = session.hasFailed(now: now)
    self.state = .on(session)
    if needs.isNeeded {
      self.lingers.needed(now: now)
      (self.owesLinger, self.lingersUntil) = (true, nil)
    } else if self.lingersUntil == nil {
      (self.lingersSince, self.lingersUntil) = (now, now + self.linger)
    }
    let release = self.release(session, needs, now: now)
    if release == nil, hasFailed { return self.backOff(now: now) }
    guard let release, now >= release else {
      self.nextDeadline = release.earlier(hasFailed ? nil : session.nextCheck)
      return
    }
    if self.owesLinger { self.lingers.ended(now: now) }
    self.state = .off
    self.planStart(needs, now: now)
  }

  /// When it is turned off if no need comes until then; `nil`: it is held.
  private mutating func release(_ session: ReceiverSession, _ needs: Needs, now: Instant) -> Instant? {
    guard let lingersUntil else { return nil }
    if self.isTooSoon(needs.nextDue, after: max(now, lingersUntil)) {
      // Where a release is no certain saving, the linger comes after all that is due soon.
      if !self.policy.isVerified { self.lingersUntil = nil }
      return nil
    }
    if session.isRefresh, self.memory.collected.map({ $0 < session.began }) ?? true { return nil }
    return self.collecting(session, needs, from: max(now, lingersUntil), now: now) ?? lingersUntil
  }

  private mutating func sleep(until wake: ReceiverWake?) {
    self.nextWake = wake
    self.nextDeadline = wake?.at
  }

  private mutating func backOff(now: Instant) {
    let until = now + max(self.pause.take(), self.policy.shortestRelease)
    self.state = .backedOff(until: until)
    self.sleep(until: ReceiverWake(at: until, reason: .retry))
  }

  // MARK: The details

  /// How long it stays on from now on, if nobody needs it.
  private var linger: Duration {
    guard self.policy.isVerified else { return self.policy.linger }
    return self.owesLinger ? self.lingers.length : .zero
  }

  /// Whether the next fix is due so soon that the receiver stays on until then.
  private func isTooSoon(_ due: Instant?, after release: Instant) -> Bool {
    guard let due else { return false }
    let lead = self.lead(for: due, from: release)
    // It stays on if that takes less than another start.
    if self.isDrawingLess, due - release < self.memory.starts.mean(after: .hot) * PowerPolicy.startOverSaving {
      return true
    }
    // Where a release is no certain saving, it must be worth the start as well.
    return due - release
      < (self.policy.isVerified ? lead + self.policy.minimumSleep : max(lead, self.policy.minimumOff))
  }

  /// How early to start for what is due: by the time of a hot start if it is one then, or if it is one a little earlier
  /// and that pays; and else as if it were off until the fix is due.
  ///
  /// - Parameter begin: From when on it can start.
  private func lead(for due: Instant, from begin: Instant) -> Duration {
    let hot = self.memory.starts.lead(after: .hot)
    guard self.memory.offTime(at: due - hot) != .hot else { return hot }
    let next = self.memory.offTime(at: due)
    if let collected = self.memory.collected {
      let lastHot = collected + TimeToFirstFix.OffTime.hotLimit - Self.lateness
      if begin <= lastHot, self.paysToStart(at: lastHot, for: due) { return due - lastHot }
    }
    return self.memory.starts.lead(after: next)
  }

  /// Whether an early start, which is hot, costs less than the slow one that it puts off until the next need. Of needs
  /// in a beat the next one is as far away as the last one, and a fix that is a little early counts.
  private func paysToStart(at start: Instant, for due: Instant) -> Bool {
    guard let lastFix else { return false }
    let interval = due - lastFix
    let wait = due - interval.tolerance - start - self.memory.starts.mean(after: .hot)
    let share = min(interval / TimeToFirstFix.OffTime.hotLimit, 1)
    return wait < self.memory.costOfCooling(to: self.memory.offTime(at: due)) * share
  }

  /// The start for what is due; before it, one that keeps the receiver hot, if that pays.
  private func wake(for due: Instant, now: Instant) -> ReceiverWake {
    let at = due - self.lead(for: due, from: now)
    guard let collected = self.memory.collected, self.policy.isVerified else {
      return ReceiverWake(at: at, due: due, reason: .due)
    }
    let refresh = collected + TimeToFirstFix.OffTime.hotLimit - self.memory.starts.lead(after: .hot)
    guard refresh < at, self.memory.offTime(at: now) == .hot, self.paysToRefresh(until: due, from: collected) else {
      return ReceiverWake(at: at, due: due, reason: .due)
    }
    return ReceiverWake(at: refresh, due: due, reason: .keepHot)
  }

  /// Whether the starts that keep the receiver hot cost less than the slow start that they avoid.
  private func paysToRefresh(until due: Instant, from collected: Instant) -> Bool {
    let count = Int(((due - collected) / TimeToFirstFix.OffTime.hotLimit).rounded(.down))
    let each = self.memory.starts.mean(after: .hot) + ReceiverMemory.collecting
    return each * count < self.memory.costOfCooling(to: self.memory.offTime(at: due))
  }

  /// Until when it stays on so that the next start is hot; `nil`: that is no reason to stay on.
  ///
  /// - Parameter release: When it would be turned off otherwise.
  private func collecting(
    _ session: ReceiverSession, _ needs: Needs, from release: Instant, now: Instant
  ) -> Instant? {
    guard self.policy.isVerified, let collected = self.memory.collected, let end = session.collectingEnd,
      end > release,
      let lastFix = session.lastFix, now - lastFix <= .seconds(2)
    else { return nil }
    let hotLimit = TimeToFirstFix.OffTime.hotLimit
    let next: TimeToFirstFix.OffTime
    if let due = needs.nextDue {
      next = self.memory.offTime(at: due)
      guard next != .hot, due - end < hotLimit else { return nil }
    } else {
      // Nobody knows when the next need comes. The last one was not announced, so another one may come like it.
      guard self.owesLinger, now - collected > hotLimit / 2 else { return nil }
      next = .warm
    }
    return end - release < self.memory.costOfCooling(to: next) ? end : nil
  }
}

/// The time since the receiver was turned on: whether it has fixes, and how long to wait for one.
struct ReceiverSession: Hashable, Sendable {
  /// How long to search at least in a cold start, whose first fix must not be cut off; and at most in a retry.
  static let coldTimeout: Duration = .seconds(900)
  /// How long to search after a search without a fix, and since it last saw a satellite.
  static let retryTimeout: Duration = .seconds(60)
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
  private let timeout: Duration
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

  init(offTime: TimeToFirstFix.OffTime, isFirst: Bool, isRefresh: Bool, isRetry: Bool, timeout: Duration, now: Instant)
  {
    self.began = now
    self.offTime = offTime
    self.isFirst = isFirst
    self.isRefresh = isRefresh
    self.isRetry = isRetry
    self.timeout = timeout
    self.searchesSince = now
    self.check = now
    self.check = self.end
  }

  // MARK: The search

  /// When the search has failed if nothing comes until then.
  private var end: Instant {
    if let lastFix { return max(lastFix, self.searchesSince) + self.timeout }
    let isCold = self.offTime == .cold || self.isFirst
    guard self.isRetry else {
      return self.searchesSince + (isCold ? max(Self.coldTimeout, self.timeout) : self.timeout)
    }
    let retryEnd = max(self.searchesSince, self.lastSatellites ?? self.searchesSince) + Self.retryTimeout
    return min(retryEnd, self.searchesSince + Self.coldTimeout)
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

  /// The daemon did not run for so long: the search has as much time left as before. Such a start does not show how long the
  /// receiver takes.
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
  /// - Returns: The time to the first fix, if it is the first and nothing but the receiver can have delayed it.
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

/// When the receiver is released, and when that pays.
package struct PowerPolicy: Hashable, Sendable {
  /// How long the receiver stays on at most after the last need.
  package var linger: Duration = .seconds(60)
  /// How long the receiver must be able to sleep to be released, where a release is no certain saving.
  package var minimumOff: Duration = .seconds(300)
  /// Whether a release is known to turn the receiver off, so that it pays to sleep between two fixes.
  package var isVerified = false
  /// How long it must be able to sleep then.
  package var minimumSleep: Duration = .seconds(5)
  /// How long a search lasts if the receiver was not off for long, or has lost its fix. A cold start gets at least 15 minutes.
  package var searchTimeout: Duration = .seconds(300)

  /// What a receiver draws during its start, over what it draws while it saves power: 32 mA and 9.5 mA, of u-blox's SAM-M8Q.
  static let startOverSaving = 32 / 9.5

  package init() {}

  /// The receiver is released as soon as nobody needs it.
  static var immediate: PowerPolicy {
    var policy = PowerPolicy()
    (policy.linger, policy.minimumOff) = (.zero, .zero)
    return policy
  }

  var shortestRelease: Duration { self.isVerified ? self.minimumSleep : self.minimumOff }
}

/// The next start of the receiver, and its reason.
struct ReceiverWake: Hashable, Sendable {
  let at: Instant
  /// When a fix is due for which it starts.
  var due: Instant?
  let reason: DaemonStatus.NextStart.Reason
}

/// How long a receiver lingers that is known to be off afterwards.
///
/// A linger in which nobody needed it was in vain, and the next one is half as long. A need within it, or so soon after
/// it that a longer one would have been right, makes it as long as it may be.
struct LingerLength: Hashable, Sendable {
  static let shortest: Duration = .seconds(10)

  private let longest: Duration
  private(set) var length: Duration
  private var endedAt: Instant?

  init(_ policy: PowerPolicy) {
    self.longest = policy.linger
    self.length = policy.linger
  }

  /// Somebody needs the receiver, and has not announced it.
  mutating func needed(now: Instant) {
    if let endedAt, now - endedAt < self.longest { self.length = self.longest }
    self.endedAt = nil
  }

  /// A linger ended without a need.
  mutating func ended(now: Instant) {
    self.length = max(self.length / 2, min(Self.shortest, self.longest))
    self.endedAt = now
  }
}
