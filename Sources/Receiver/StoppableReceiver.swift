import Positioning
import ReceiverPorts

/// What ``CommandRung`` and ``UnitRung`` have in common: what the last events showed, and how "stopped" gets to the disk
/// before the receiver is stopped.
///
/// - Parameter Stopped: The phases of a receiver that is stopped, or may be.
struct StoppableReceiver<Stopped: Sendable>: Sendable {
  enum Phase {
    /// The receiver is not stopped.
    case watch(WatchRung)
    /// "Stopped" is on its way to the disk, and the receiver still runs.
    case storing(number: Int, giveUpAt: Instant)
    case stopped(Stopped)
  }

  private(set) var phase: Phase
  private(set) var reporter: PowerReporter
  /// What the rung does to the receiver, for texts: "stopped" or "turned off".
  private let participle: String
  /// Whether the receiver is only to be started, since another rung is configured now.
  let isFormer: Bool
  /// Why the rung cannot be used.
  var failure: String?

  private(set) var isNeeded = false
  /// When the daemon ends at the latest; `nil`: it goes on.
  private(set) var endsBy: Instant?
  private(set) var source = SourceState.idle
  /// When the last report came that showed a working receiver.
  private(set) var lastWork: Instant?
  private var lastNumber = 0

  /// - Parameter stopped: Its phase, if a daemon before this one stopped it.
  init(stopped: Stopped?, isOn: Bool, isFormer: Bool, participle: String, reporter: PowerReporter) {
    self.phase = stopped.map { .stopped($0) } ?? .watch(WatchRung(isOn: isOn, reporter: reporter))
    self.reporter = reporter
    self.participle = participle
    self.isFormer = isFormer
  }

  var isStopped: Bool { if case .stopped = self.phase { true } else { false } }

  /// What each event shows, whatever the phase.
  mutating func note(_ event: RungEvent, now: Instant) {
    switch event {
    case .needed(let isNeeded): self.isNeeded = isNeeded
    // gpsd needs 7 s to open the receiver.
    case .ending: self.endsBy = now + .seconds(20)
    case .source(let source): self.source = source
    case .report(isWorking: true): self.lastWork = now
    case .recovering, .devices, .report, .deadlineReached, .probed, .stored, .wrote, .writeRefused, .unitState,
      .unitEnded:
      break
    }
  }

  mutating func enter(_ stopped: Stopped) { self.phase = .stopped(stopped) }

  mutating func enter(_ watch: WatchRung) {
    self.phase = .watch(watch)
    self.reporter = watch.reporter
  }

  mutating func report(
    _ state: PowerState.State, verifiedBy: String? = nil, problem: String? = nil, now: Instant
  ) -> [RungAction] {
    self.reporter.report(state, verifiedBy: verifiedBy, problem: problem, now: now)
  }

  /// An event for a receiver that is not stopped.
  mutating func received(_ event: RungEvent, _ watch: WatchRung, now: Instant) -> [RungAction] {
    var watch = watch
    defer { self.enter(watch) }
    return watch.received(event, now: now)
  }

  /// The receiver runs, and a session with it.
  mutating func runOn(now: Instant) -> [RungAction] {
    self.received(.source(self.source), WatchRung(isOn: true, reporter: self.reporter), now: now)
  }

  /// The receiver runs, and is released without being stopped.
  mutating func releaseUnstopped(because reason: String, now: Instant) -> [RungAction] {
    var watch = WatchRung(isOn: true, reporter: self.reporter)
    defer { self.enter(watch) }
    return watch.turnOff(because: "the receiver is not \(self.participle): \(reason)", now: now)
  }

  // MARK: Storing

  /// - Parameter stopped: `nil`: it is not stopped.
  mutating func store(_ stopped: StoppedReceiver?) -> RungAction {
    self.lastNumber += 1
    return .store(stopped, number: self.lastNumber)
  }

  /// Stores that the receiver is stopped, before it is.
  mutating func beginStoring(_ stopped: StoppedReceiver, now: Instant) -> [RungAction] {
    let action = self.store(stopped)
    self.phase = .storing(number: self.lastNumber, giveUpAt: now + .seconds(10))
    return [action] + self.report(.turningOff, now: now)
  }

  /// An event while "stopped" is on its way to the disk.
  ///
  /// - Returns: `nil` once it is there.
  mutating func storing(_ event: RungEvent, number: Int, giveUpAt: Instant, now: Instant) -> [RungAction]? {
    switch event {
    case .stored(number, nil): return nil
    case .stored(number, let error?): return self.releaseUnstopped(because: "that cannot be stored: \(error)", now: now)
    case .deadlineReached where now >= giveUpAt:
      return [self.store(nil)] + self.releaseUnstopped(because: "that could not be stored in time", now: now)
    case .needed(true): return [self.store(nil)] + self.runOn(now: now)
    case .ending: return [self.store(nil)] + self.runOn(now: now) + [.ended]
    case .needed, .recovering, .source, .devices, .report, .deadlineReached, .probed, .stored, .wrote, .writeRefused,
      .unitState, .unitEnded:
      return []
    }
  }
}
