import Positioning

/// Who follows the position gets the altitudes that the receiver gives.
struct AltitudesCome: Law {
  static let promise = Promise(
    "docs/gpsd.md", "A fix has its altitude if the receiver gave one with it and with the ten epochs before.")
  private static let before = 10

  private(set) var breaches: [Breach] = []

  mutating func observe(_ observation: Observation, in world: World) {
    guard case .notified(let program, "position.update", let message) = observation,
      let fix = message["params"]?["fix"], let epoch = world.reported.epoch(of: fix),
      epoch.rowWithAltitude > Self.before, fix["altitude"] == nil, fix["ellipsoidalAltitude"] == nil,
      world.isCalmForReports
    else {
      return
    }
    self.breaches.append(
      self.breach("\(program.plan.name) gets the epoch of \(epoch.moment) without its altitude", in: world))
  }
}
