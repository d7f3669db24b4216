package import Positioning

/// How the receiver is turned off and on, as the configuration has it.
package struct PowerSettings: Hashable, Sendable {
  package var rung = PowerRung.watch
  /// The system units that turn the receiver off and on, for the rung `unit`.
  package var offUnit: String?
  package var onUnit: String?

  package init() {}

  /// Whether the rung lacks a unit, without which it cannot work.
  package var lacksUnit: Bool { self.rung == .unit && (self.offUnit == nil || self.onUnit == nil) }
}
