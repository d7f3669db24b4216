/// The receiver's power, as far as it is known.
public struct PowerState: Hashable, Sendable {
  public enum State: String, Hashable, Sendable, CaseIterable {
    case on
    /// Released; gpsd and the receiver decide whether it sleeps.
    case released
    case off, turningOn, turningOff, unknown
  }

  public var state: State
  /// The rung that is in use: not the configured one, where that failed.
  public var rung: PowerRung
  /// How `state` was verified; `nil` if it was not.
  public var verifiedBy: String?
  /// What keeps the receiver from being turned off as configured, in words; `nil` if nothing does.
  public var problem: String?
  /// Since when.
  public var since: Instant
  /// What the receiver was given at its last start; `nil`: nothing, and nothing was to be given.
  public var assist: Assistance?
  /// How it works while it is on, as it confirmed; `nil`: it is not to save power.
  public var saving: PowerSaving?

  public init(
    state: State, rung: PowerRung = .watch, verifiedBy: String? = nil, problem: String? = nil, since: Instant,
    assist: Assistance? = nil, saving: PowerSaving? = nil
  ) {
    self.state = state
    self.rung = rung
    self.verifiedBy = verifiedBy
    self.problem = problem
    self.since = since
    self.assist = assist
    self.saving = saving
  }
}

/// A way of turning the receiver off and on.
///
/// Each is a rung of a ladder: one that fails gives way to ``watch``, which works with every receiver.
public enum PowerRung: String, Hashable, Sendable, CaseIterable {
  /// gpsd is watched while the receiver is needed; else gpsd and the receiver decide whether it sleeps.
  case watch
  /// A u-blox is stopped and started by UBX-CFG-RST.
  case ublox
  /// A MediaTek is sent to standby by $PMTK161, and resumed.
  case mtk
  /// Two system units of the administrator turn it off and on.
  case unit
}

/// A receiver that this daemon turned off and has not turned on again: what the next daemon must know to do it.
package struct StoppedReceiver: Hashable, Sendable {
  /// The rung that turned it off.
  package var rung: PowerRung
  /// The receiver's path as gpsd knows it, if the rung has gpsd write to it.
  package var device: String?
  /// The system unit that turns it on, if the rung starts units.
  package var unit: String?
  /// The system unit that turned it off, which may still run.
  package var offUnit: String?

  package init(rung: PowerRung, device: String? = nil, unit: String? = nil, offUnit: String? = nil) {
    self.rung = rung
    self.device = device
    self.unit = unit
    self.offUnit = offUnit
  }
}
