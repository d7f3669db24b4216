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
