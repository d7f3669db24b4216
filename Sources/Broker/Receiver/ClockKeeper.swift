import Positioning

/// Decides when the receiver is on so that chrony, which has the time from it, keeps this machine's clock right.
///
/// chrony says how wrong its time is at most and by how much that grows. So it is known when the error reaches the bound, and
/// the receiver is on so long before that chrony has learned the time anew. Before each start chrony is asked again: where a
/// server of the network has kept it right, the receiver stays off. Where chrony learns nothing although there are fixes, the
/// receiver is not kept on for it, and what is wrong is reported.
struct ClockKeeper: Hashable, Sendable {
  /// How often chrony takes what a reference clock has sent, unless its configuration says otherwise.
  static let poll: Duration = .seconds(16)
  /// How long after a fix chrony has the time at the latest: gpsd gives it away from the fourth fix on, and the first poll after that
  /// may come before enough of it has arrived.
  static let lead = Self.poll * 3
  /// How long it is on at least: chrony needs three polls to know how fast the clock runs, after part of one.
  static let shortest = Self.poll * 4
  /// A shorter sleep is not worth a start; the longer the receiver is on, the better chrony knows how fast the clock runs.
  static let shortestSleep: Duration = .seconds(120)
  /// How long chrony may take nothing of a receiver that has fixes.
  static let patience: Duration = .seconds(300)
  /// Between two questions while the receiver is off.
  private static let shortestPause: Duration = .seconds(60)
  private static let longestSleep: Duration = .seconds(86400)
  /// What chrony adds to the growth for what it cannot know, unless its configuration says otherwise.
  private static let usualAllowance = 1e-6

  private enum State: Hashable {
    /// Nothing is kept, or nothing is known of the clock.
    case idle
    /// Nothing is needed before this moment, at which there must be a fix.
    case sleeping(until: Instant)
    /// It is needed; with the first fix since it is.
    case needed(since: Instant, firstFix: Instant?)
    /// chrony took nothing.
    case givenUp(until: Instant)
  }

  private var settings: ClockSettings
  private var state = State.idle
  private(set) var figure: ClockFigure?
  private var allowance = Self.usualAllowance
  /// Whether that is known since the last time that it was needed.
  private var isAllowanceKnown = false
  private var problem: String?
  private var isReceiverOn = false
  /// When to ask; `nil`: only when the receiver is turned on or off.
  private var askAt: Instant?
  private var isAskDue = true
  private var isAsking = false
  private var silence = GrowingPause(first: .seconds(60), longest: .seconds(3600))
  private var pause = GrowingPause(first: .seconds(300), longest: .seconds(6 * 3600))

  init(_ settings: ClockSettings) { self.settings = settings }

  var need: Need {
    switch self.state {
    case .idle, .givenUp: .none
    case .sleeping(let until): .from(until)
    // A need that was announced: the receiver need not linger after it.
    case .needed(let since, _): .from(since)
    }
  }

  /// Whether the daemon must run for it.
  var keepsTime: Bool { self.settings.keep != nil }

  /// When to call `deadlineReached`.
  var nextDeadline: Instant? {
    switch self.state {
    case .idle: self.askAt
    case .sleeping(let until), .givenUp(let until): min(self.askAt ?? until, until)
    case .needed: self.askAt
    }
  }

  /// For the status; `nil` if there is nothing to say.
  var status: DaemonStatus.Clock? {
    guard self.figure != nil || self.settings.keep != nil else { return nil }
    let isNeeded = if case .needed = self.state { true } else { false }
    return DaemonStatus.Clock(
      figure: self.figure, keep: self.settings.keep, isNeeded: isNeeded, problem: self.problem)
  }

  /// The port at which to ask chrony now; `nil`: not now. `reported` has the answer.
  mutating func takeQuestion() -> Int? {
    guard self.isAskDue, let port = self.settings.port, !self.isAsking else { return nil }
    (self.isAskDue, self.isAsking) = (false, true)
    return port
  }

  // MARK: Events

  mutating func change(_ settings: ClockSettings) {
    guard settings != self.settings else { return }
    self = ClockKeeper(settings, isReceiverOn: self.isReceiverOn, isAsking: self.isAsking)
  }

  private init(_ settings: ClockSettings, isReceiverOn: Bool, isAsking: Bool) {
    self.init(settings)
    (self.isReceiverOn, self.isAsking) = (isReceiverOn, isAsking)
  }

  /// The daemon ends: nothing is kept any more.
  mutating func stop() { self.change(ClockSettings(keep: nil, port: nil)) }

  mutating func receiverTurned(on: Bool) {
    self.isReceiverOn = on
    self.isAskDue = true
  }

  /// A fix.
  mutating func fixed(now: Instant) {
    guard case .needed(let since, nil) = self.state else { return }
    self.state = .needed(since: since, firstFix: now)
  }

  /// The daemon did not run for so long, in which chrony may not have run either.
  mutating func putOff(by gap: Duration) {
    self.isAskDue = true
    guard case .needed(let since, let firstFix) = self.state else { return }
    self.state = .needed(since: since + gap, firstFix: firstFix.map { $0 + gap })
  }

  mutating func deadlineReached(now: Instant) {
    if let askAt, now >= askAt { (self.askAt, self.isAskDue) = (nil, true) }
    switch self.state {
    case .sleeping(let until), .givenUp(let until): if now >= until { self.begin(now: now) }
    case .idle, .needed: break
    }
  }

  /// What chrony says; `nil`: it does not answer.
  mutating func reported(_ answer: ClockFigure?, now: Instant) {
    self.isAsking = false
    guard var figure = answer else { return self.missed(now: now) }
    self.silence.reset()
    self.learn(figure)
    figure.drift += self.allowance
    self.figure = figure
    guard let keep = self.settings.keep else { return }
    switch self.state {
    case .idle, .sleeping: self.sleep(by: figure, keep, now: now)
    case .needed(let since, let firstFix): self.judge(figure, keep, since: since, firstFix: firstFix, now: now)
    case .givenUp: if self.isRight(figure, keep, since: .boot, now: now) { self.sleep(by: figure, keep, now: now) }
    }
  }

  // MARK: Decisions

  private mutating func missed(now: Instant) {
    self.figure = nil
    guard self.settings.keep != nil else { return }
    (self.state, self.askAt) = (.idle, now + self.silence.take())
    self.problem = "chrony does not answer at port \(self.settings.port ?? 0) of this machine"
  }

  /// Between two answers without a new time the error grows by what chrony adds for what it cannot know, too.
  private mutating func learn(_ figure: ClockFigure) {
    guard let last = self.figure, let before = last.error, let error = figure.error,
      figure.updated <= last.updated + .seconds(1), figure.asked - last.asked >= .seconds(30)
    else { return }
    let growth = (error - before) / (figure.asked - last.asked)
    self.allowance = min(max(growth - figure.drift, Self.usualAllowance / 100), 1e-3)
    self.isAllowanceKnown = true
  }

  /// When it must be on again, and when to ask before.
  private mutating func sleep(by figure: ClockFigure, _ keep: Duration, now: Instant) {
    let due = self.due(by: figure, keep, now: now)
    guard due > now else { return self.begin(now: now) }
    self.problem = nil
    self.pause.reset()
    self.state = .sleeping(until: due)
    // At first it is soon asked how fast the error really grows.
    let pause = self.isAllowanceKnown ? max((due - now) / 2, Self.shortestPause) : Self.shortestPause
    self.askAt = now + pause < due ? now + pause : nil
  }

  /// When a fix is due.
  private func due(by figure: ClockFigure, _ keep: Duration, now: Instant) -> Instant {
    guard let error = figure.error else { return now }
    let left = min((keep - error).seconds / max(figure.drift, 1e-9), Self.longestSleep.seconds)
    return figure.asked + .seconds(left) - Self.lead
  }

  private mutating func begin(now: Instant) {
    self.state = .needed(since: now, firstFix: nil)
    (self.askAt, self.isAskDue, self.isAllowanceKnown) = (nil, true, false)
  }

  private mutating func judge(
    _ figure: ClockFigure, _ keep: Duration, since: Instant, firstFix: Instant?, now: Instant
  ) {
    let begin = figure.isReferenceClock ? firstFix : since
    if let begin, self.isRight(figure, keep, since: begin, now: now) {
      return self.sleep(by: figure, keep, now: now)
    }
    if let firstFix, now - firstFix >= Self.patience, figure.updated < firstFix {
      let minutes = Self.patience.components.seconds / 60
      self.problem = "chrony took no time from the receiver in \(minutes) minutes of fixes"
      (self.state, self.askAt) = (.givenUp(until: now + self.pause.take()), nil)
      return
    }
    // Without the receiver nothing changes; it is asked when that is turned on again.
    self.askAt = self.isReceiverOn ? now + Self.poll : nil
  }

  /// Whether the receiver may be off for a time.
  private func isRight(_ figure: ClockFigure, _ keep: Duration, since begin: Instant, now: Instant) -> Bool {
    guard let error = figure.error, error <= keep / 2, figure.updated >= begin else { return false }
    return (!figure.isReferenceClock || now - begin >= Self.shortest)
      && self.due(by: figure, keep, now: now) - now >= Self.shortestSleep
  }
}

/// Whether this machine's clock needs the receiver.
package struct ClockSettings: Hashable, Sendable {
  /// How wrong the clock may become, as far as chrony knows; `nil`: the receiver is not turned on for it.
  package var keep: Duration?
  /// The port at which chrony answers; `nil`: it is not asked.
  package var port: Int?

  /// Where chrony answers unless its configuration says otherwise.
  package static let usualPort = 323

  package init(keep: Duration? = nil, port: Int? = nil) { (self.keep, self.port) = (keep, port) }
}
