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
  /// The job of a system unit has ended; `nil`: well, or what went wrong.
  case unitEnded(String, error: String?)
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
