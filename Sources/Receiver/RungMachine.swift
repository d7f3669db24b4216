package import Positioning
package import ReceiverPorts

/// What happens to a rung.
package enum RungEvent: Hashable, Sendable {
  /// Whether the receiver is to be on.
  case needed(Bool)
  /// A daemon before this one turned the receiver off: it is to be started, whether it is needed or not.
  case recovering
  /// The daemon ends: the receiver is to be left running.
  case ending
  /// The path to the receiver changed.
  case source(SourceState)
  /// The receivers in gpsd's current list.
  case devices([ReceiverDevice])
  /// The receiver sent a report.
  ///
  /// - Parameter isWorking: Whether it has a fix, or uses a satellite.
  case report(isWorking: Bool)
  case deadlineReached
  /// The result of a probe: whether gpsd has the receiver open; `nil` where that is unknown.
  case probed(isOpen: Bool?)
  /// What was to be stored is on the disk; `nil`, or why it is not.
  case stored(number: Int, error: String?)
  /// gpsd has the bytes that were to be written, in its connection.
  case wrote
  /// gpsd refused to write; in its words.
  case writeRefused(String)
  /// What systemd says of a unit that was asked about.
  case unitState(String, UnitState)
  /// The start of a system unit has ended.
  case unitEnded(String, UnitResult)
}

/// Whether a system unit is at work.
package enum UnitState: Hashable, Sendable {
  case idle
  /// It starts, stops, or waits for that.
  case busy
  /// Why nobody knows.
  case unknown(String)
}

/// What came of the start of a system unit.
package enum UnitResult: Hashable, Sendable {
  /// It did its work.
  case done
  /// It ran, or may have, or still may, and this went wrong.
  case failed(String)
  /// It did not run, for this reason.
  case notStarted(String)
}

/// What a rung wants done.
package enum RungAction: Hashable, Sendable {
  /// Connect to gpsd and watch; nothing where that is under way.
  case startSession
  case stopSession
  /// Ask gpsd which devices are open, without watching.
  case probe
  /// Write to the receiver, as soon as gpsd watches for us.
  case write([UInt8])
  /// Ask whether a system unit is at work, and send the answer.
  case askUnit(String)
  /// Start a system unit, and send its result.
  case startUnit(String)
  /// A silent receiver is no fault now.
  case expectSilence(Bool)
  /// Store which receiver is turned off; `nil`: none.
  case store(StoppedReceiver?, number: Int)
  case report(PowerState)
  case log(LogKind, LogMessage)
  /// The receiver runs, as far as that can be had: the daemon may end.
  case ended
}

/// Turns the receiver on and off in one way. It only decides: the controller executes its actions.
protocol RungMachine: Sendable {
  /// Why this rung cannot be used, once that is known and the receiver runs: the rung above takes over.
  var failure: String? { get }
  /// Whether the receiver is turned off by this rung, or may be.
  var isStopped: Bool { get }
  /// What is reported of the receiver's power.
  var reporter: PowerReporter { get }
  /// When to send `deadlineReached`.
  var nextDeadline: Instant? { get }

  mutating func received(_ event: RungEvent, now: Instant) -> [RungAction]
}

/// Reports the receiver's power, on change only.
struct PowerReporter: Hashable, Sendable {
  /// What was reported last.
  private(set) var power: PowerState
  let rung: PowerRung
  /// A problem that stays: why a lower rung is not in use.
  let standingProblem: String?

  /// - Parameter power: What was reported before.
  init(rung: PowerRung, after power: PowerState, standingProblem: String? = nil) {
    self.power = power
    self.rung = rung
    self.standingProblem = standingProblem
  }

  mutating func report(
    _ state: PowerState.State, verifiedBy: String? = nil, problem: String? = nil, now: Instant
  ) -> [RungAction] {
    let power = PowerState(
      state: state, rung: self.rung, verifiedBy: verifiedBy, problem: problem ?? self.standingProblem,
      since: self.power.state == state ? self.power.since : now)
    guard power != self.power else { return [] }
    self.power = power
    return [.report(power)]
  }
}
