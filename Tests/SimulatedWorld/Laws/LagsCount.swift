import Positioning

/// The age of a fix that comes late has the time for which it was held back.
struct LagsCount: Law {
  static let promise = Promise(
    "docs/gpsd.md",
    "Beyond 2 s the lag is reported and counts in the age, so a request for a fresh fix is not satisfied by an old one."
  )
  /// Two seconds, the best way of a report, and its clock's drift of half a thousandth of some minutes.
  private static let bound = 3.5
  private static let margin: Duration = .seconds(60)

  private(set) var breaches: [Breach] = []
  private var isReported: Set<Duration> = []
  /// Since when somebody watches; a receiver that hangs may begin with a report that nobody has heard.
  private var watchedSince: Duration?

  mutating func observe(_ observation: Observation, in world: World) {
    if case .hardware(let isWatched, _) = observation {
      self.watchedSince = isWatched ? self.watchedSince ?? world.elapsed : nil
    }
    guard case .notified(let program, "position.update", let message) = observation, let update = message["params"],
      update["replay"] == nil, let fix = update["fix"], let age = fix["age"]?.number,
      let epoch = world.reported.epoch(of: fix)
    else {
      return
    }
    let truth = (world.elapsed - epoch.moment).seconds
    guard truth - age > Self.bound, program.isReading, let watchedSince, epoch.moment > watchedSince,
      !world.script.isDisturbed(
        from: epoch.moment - Self.margin, to: world.elapsed,
        by: {
          switch $0 {
          case .receiver(.lagging), .frozen, .jumps, .noSky, .deaf: false
          case _: true
          }
        }), self.isReported.insert(epoch.moment).inserted
    else {
      return
    }
    self.breaches.append(
      self.breach("\(program.plan.name) gets a fix of \(truth) s, which is said to be \(age) s old", in: world))
  }
}
