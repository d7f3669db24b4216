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
