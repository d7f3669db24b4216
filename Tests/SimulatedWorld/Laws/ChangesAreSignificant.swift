import Positioning

/// A significant change is one: the device has moved so far, and not only its fixes.
struct ChangesAreSignificant: Law {
  static let promise = Promise(
    "docs/protocol.md", "A fix once the device is `significantDistance` from where the last one was")

  private struct Last {
    let place: Track.Place
    let truth: Track.Place
    let accuracy: Double
  }

  private(set) var breaches: [Breach] = []
  private var last: [String: Last] = [:]

  mutating func observe(_ observation: Observation, in world: World) {
    switch observation {
    case .connected(let program): self.last[program.plan.name] = nil
    case .notified(let program, "authorization.changed", _): self.last[program.plan.name] = nil
    case .notified(let program, "position.update", let message):
      guard case .notices(let distance) = program.plan.kind, let update = message["params"] else { return }
      for fix in update.fixes { self.check(fix, update, distance, of: program, in: world) }
    case _: break
    }
  }

  private mutating func check(
    _ fix: JSON, _ update: JSON, _ distance: Double, of program: Program, in world: World
  ) {
    guard fix["reduced"] == nil, let place = fix.place, let time = fix["time"]?.time,
      let accuracy = fix["horizontalAccuracy"]?.number
    else {
      self.last[program.plan.name] = nil
      return
    }
    let new = Last(
      place: place, truth: world.script.track.place(at: world.moment(of: time)), accuracy: accuracy)
    defer { self.last[program.plan.name] = new }
    guard let last = self.last[program.plan.name], update["replay"] == nil else { return }
    let moved = new.truth.distance(to: last.truth)
    guard moved < distance - 4 * (new.accuracy + last.accuracy) || place.distance(to: last.place) < distance * 0.99 - 1
    else {
      return
    }
    self.breaches.append(
      self.breach("\(program.plan.name): a change of \(distance) m, and the device moved by \(moved) m", in: world))
  }
}
