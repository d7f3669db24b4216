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
