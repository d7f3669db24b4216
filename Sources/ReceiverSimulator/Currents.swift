/// What a receiver draws, in mA at 3 V.
package struct Currents: Hashable, Sendable {
  /// From its start until its fix.
  package let acquisition: Double
  package let tracking: Double
  /// While it saves power, at one fix a second.
  package let saving: Double
  /// While it is stopped.
  package let standby: Double

  package static let volts = 3.0

  /// u-blox SAM-M8Q with GPS and GLONASS: table 8 of its data sheet (UBX-16012619 R04) has the first three figures. Each half
  /// an hour it tracks for 30 s to collect orbits while it saves power, as u-blox's manuals have it; that is in the third. The
  /// current of its backup is from memory of the data sheet (15 µA to 20 µA).
  package static let samM8Q = Currents(
    acquisition: 32, tracking: 29, saving: 9.5 + (29 - 9.5) * 30 / 1800, standby: 0.02)
}
