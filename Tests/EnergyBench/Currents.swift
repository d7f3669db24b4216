/// What a receiver draws, in mA at 3 V.
struct Currents {
  /// From its start until its fix.
  let acquisition: Double
  let tracking: Double
  /// While it saves power, at one fix a second.
  let saving: Double
  /// While it is stopped.
  let standby: Double

  static let volts = 3.0

  /// u-blox SAM-M8Q with GPS and GLONASS: table 8 of its data sheet (UBX-16012619 R04) has the first three figures. Each half
  /// an hour it tracks for 30 s to collect orbits while it saves power, as u-blox's manuals have it; that is in the third. The
  /// current of its backup is from memory of the data sheet (15 µA to 20 µA).
  static let samM8Q = Currents(acquisition: 32, tracking: 29, saving: 9.5 + (29 - 9.5) * 30 / 1800, standby: 0.02)
}

/// What gpsd's opening of the device costs at each start: nothing is reported before its end.
struct Opening {
  /// Seconds.
  let seconds: Double
  /// Seconds until the receiver starts: one that a command stopped starts only when gpsd has opened the device, one whose
  /// supply was turned on searches meanwhile.
  let stopped: Double

  /// As gpsd 3.22 was measured with its defaults and a receiver whose supply is turned on: the most that it costs.
  static let usual = Opening(seconds: 6.5, stopped: 0)
  /// The ways of the second table.
  static let all: [(name: String, opening: Opening)] = [
    ("gpsd's defaults, the supply turned on", .usual),
    ("gpsd's defaults, started by a command", Opening(seconds: 6.5, stopped: 6.5)),
    ("`-b`, the supply turned on", Opening(seconds: 1.3, stopped: 0)),
    ("`-n`, started by a command", Opening(seconds: 0, stopped: 0)),
  ]
}
