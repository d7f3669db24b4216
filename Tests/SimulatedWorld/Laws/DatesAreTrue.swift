import Positioning

/// A fix has no date that came once.
struct DatesAreTrue: Law {
  static let promise = Promise(
    "docs/gpsd.md", "A time that is more than a minute ahead is no time until two further epochs confirm it.")
  private static let bound: Duration = .seconds(60)

  private(set) var breaches: [Breach] = []

  mutating func observe(_ observation: Observation, in world: World) {
    guard case .notified(let program, "position.update", let message) = observation else { return }
    for fix in message["params"]?.fixes ?? [] {
      guard fix["reduced"] == nil, let time = fix["time"]?.time, let epoch = world.reported.epoch(of: fix),
        world.moment(of: time) - epoch.moment > Self.bound,
        !world.script.faults.contains(where: { $0.kind == .receiver(.clockBack) })
      else {
        continue
      }
      self.breaches.append(self.breach("\(program.plan.name) gets a fix of \(time.description)", in: world))
    }
  }
}
