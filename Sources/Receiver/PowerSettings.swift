package import Positioning

/// How the receiver is turned off and on, as the configuration has it.
package struct PowerSettings: Hashable, Sendable {
  package var rung = PowerRung.watch
  /// The system units that turn the receiver off and on, for the rung `unit`.
  package var offUnit: String?
  package var onUnit: String?
  package var saving = SavingSetting.auto

  package init() {}

  /// Whether the receiver is to save power while it is on: of another rung it may have other users.
  var savesPower: Bool { self.saving == .auto && self.rung == .ublox }

  /// Whether the rung lacks a unit, without which it cannot work.
  package var lacksUnit: Bool { self.rung == .unit && (self.offUnit == nil || self.onUnit == nil) }
}

/// Whether a receiver saves power while it is on, as the configuration has it.
package enum SavingSetting: String, Hashable, Sendable, CaseIterable {
  /// If it can, and while what is asked for allows it.
  case auto
  case off
}
