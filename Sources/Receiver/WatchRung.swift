import Positioning
import ReceiverPorts

/// The receiver's power through gpsd: it is on while positiond watches it, and released when positiond stops.
///
/// Released is not off: gpsd keeps the device open for a minute, always with its option `-n`, and while another program
/// watches. So one probe, which does not watch, follows the release after gpsd's minute; only its result is reported.
/// That probe is the only timer of an idle daemon.
struct WatchRung: RungMachine {
  /// gpsd closes a device 60 s after its last watcher left (measured: 61.5 s).
  static let probeDelay: Duration = .seconds(70)

  private enum State: Hashable {
    case off
    case on
    case released(probeAt: Instant)
    case probing
  }

  private var state: State
  private(set) var reporter: PowerReporter

  var failure: String? { nil }
  var isStopped: Bool { false }

  /// - Parameter isOn: Whether a session with the receiver is under way.
  init(isOn: Bool = false, reporter: PowerReporter) {
    self.state = isOn ? .on : .off
    self.reporter = reporter
  }

  var isOn: Bool { self.state == .on }

  var nextDeadline: Instant? {
    if case .released(let probeAt) = self.state { probeAt } else { nil }
  }

  mutating func received(_ event: RungEvent, now: Instant) -> [RungAction] {
    switch event {
    case .needed(true): self.turnOn(now: now)
    case .needed(false): self.turnOff(now: now)
    case .source(let source): self.sourceChanged(to: source, now: now)
    case .deadlineReached: self.deadlineReached(now: now)
    case .probed(let isOpen): self.probed(isOpen: isOpen, now: now)
    case .ending: [.ended]
    case .recovering, .devices, .report, .stored, .wrote, .writeRefused, .unitState, .unitEnded: []
    }
  }

  private mutating func turnOn(now: Instant) -> [RungAction] {
    guard self.state != .on else { return [] }
    self.state = .on
    return [.startSession] + self.reporter.report(.turningOn, now: now)
  }

  /// - Parameter problem: Why the receiver is only released.
  mutating func turnOff(because problem: String? = nil, now: Instant) -> [RungAction] {
    guard self.state == .on else { return [] }
    self.state = .released(probeAt: now + Self.probeDelay)
    return [.stopSession] + self.reporter.report(.released, problem: problem, now: now)
  }

  /// The path to the receiver changed, while it should be on.
  private mutating func sourceChanged(to source: SourceState, now: Instant) -> [RungAction] {
    guard self.state == .on else { return [] }
    switch source {
    case .idle, .opening: return self.reporter.report(.turningOn, now: now)
    case .streaming: return self.reporter.report(.on, verifiedBy: Evidence.reports, now: now)
    case .receiverMissing, .gpsdFull, .gpsdDown: return self.reporter.report(.unknown, now: now)
    }
  }

  private mutating func deadlineReached(now: Instant) -> [RungAction] {
    guard case .released(let probeAt) = self.state, now >= probeAt else { return [] }
    self.state = .probing
    return [.probe]
  }

  private mutating func probed(isOpen: Bool?, now: Instant) -> [RungAction] {
    guard self.state == .probing else { return [] }
    self.state = .off
    let problem = self.reporter.power.problem
    switch isOpen {
    // A receiver that commands or units turn off works on, whoever has closed it.
    case false? where self.reporter.rung != .watch:
      return self.reporter.report(.released, verifiedBy: Evidence.closed, problem: problem, now: now)
    case false?: return self.reporter.report(.off, verifiedBy: Evidence.closed, problem: problem, now: now)
    case true?: return self.reporter.report(.released, verifiedBy: Evidence.open, problem: problem, now: now)
    case nil: return []
    }
  }
}

/// How the receiver's power was verified, in words.
enum Evidence {
  static let reports = "its reports"
  static let closed = "gpsd's list: it has closed the receiver"
  static let open = "gpsd's list: it keeps the receiver open, for another client or because of its option -n"
  static let stoppedReports = "its reports, which have neither a fix nor a satellite in use since the stop"
  static let silence = "its silence since the stop"
  static let gone = "gpsd, which has lost the receiver"

  static func unit(_ name: String, and further: String? = nil) -> String {
    "the result of \(name)\(further.map { " and \($0)" } ?? "")"
  }
}
