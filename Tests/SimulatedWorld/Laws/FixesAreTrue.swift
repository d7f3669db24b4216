import Positioning

/// A fix is where the device was, within its accuracy.
struct FixesAreTrue: Law {
  static let promise = Promise(
    "docs/protocol.md", "the position lies within this radius with a probability of 68 %")
  /// 68 % radii. A round normal error is beyond four of them once in ten million times.
  static let radii = 4.0

  /// A daemon that knows no fix yet cannot know that one has jumped: "those in the first 30 s of a start".
  private static let start: Duration = .seconds(30)

  private(set) var breaches: [Breach] = []
  private var startedAt: Duration?

  mutating func observe(_ observation: Observation, in world: World) {
    switch observation {
    case .daemonStarted: self.startedAt = world.elapsed
    case .notified(let program, "position.update", let message):
      for fix in message["params"]?.fixes ?? [] { self.check(fix, of: program, in: world) }
    case .answered(let program, let request, let message) where request.method == "position.get":
      if let fix = message["result"]?["fix"] { self.check(fix, of: program, in: world) }
    case _: break
    }
  }

  private mutating func check(_ fix: JSON, of program: Program, in world: World) {
    guard fix["reduced"] == nil, let place = fix.place, let time = fix["time"]?.time,
      let accuracy = fix["horizontalAccuracy"]?.number
    else {
      return
    }
    let moment = world.moment(of: time)
    let isNew = self.startedAt.map { moment > $0 && moment - $0 < Self.start } ?? false
    guard
      !world.script.isDisturbed(
        from: moment, to: moment, margin: .seconds(5), by: { $0.isStraying || ($0 == .jumps && isNew) })
    else {
      return
    }
    let truth = world.script.track.place(at: moment)
    let error = place.distance(to: truth)
    guard error > accuracy * Self.radii + 1 else { return }
    self.breaches.append(
      self.breach("\(program.plan.name) got a fix that is wrong by \(error) m and says \(accuracy) m", in: world))
  }
}
