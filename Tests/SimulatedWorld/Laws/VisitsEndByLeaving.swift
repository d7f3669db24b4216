import Positioning

/// A visit ends because the device has left, not because fixes err or none came.
struct VisitsEndByLeaving: Law {
  static let promise = Promise(
    "docs/protocol.md", "one when it has been within 100 m for 5 minutes, and one more when it is 200 m away")
  /// So far the device was away at least, with the errors of fixes and of the place; metres.
  private static let distance = 140.0

  private(set) var breaches: [Breach] = []
  /// When each visit was reported, and where it is.
  private var arrivals: [String: (at: Duration, place: Track.Place)] = [:]

  mutating func observe(_ observation: Observation, in world: World) {
    guard case .notified(let program, "visit.update", let message) = observation,
      let visit = message["params"]?["visit"], let place = visit.place, let id = visit["id"]?.number
    else {
      return
    }
    let key = "\(program.plan.name) \(Int(id))"
    guard visit["departure"] != nil else {
      if self.arrivals[key] == nil { self.arrivals[key] = (world.elapsed, place) }
      return
    }
    // What was reported late may have been over.
    guard let arrival = self.arrivals.removeValue(forKey: key),
      !world.script.isDisturbed(
        from: arrival.at, to: arrival.at, margin: .seconds(120), by: { $0.isAbsence || $0.isOfProgram })
    else {
      return
    }
    var (moment, farthest) = (arrival.at, 0.0)
    while moment < world.elapsed, farthest <= Self.distance {
      farthest = max(farthest, world.script.track.place(at: moment).distance(to: arrival.place))
      moment += .seconds(1)
    }
    guard farthest <= Self.distance else { return }
    self.breaches.append(
      self.breach("\(key): it ends, and the device was never more than \(farthest) m away", in: world))
  }
}

extension Fault.Kind {
  /// Whether a program gets its events later.
  fileprivate var isOfProgram: Bool {
    switch self {
    case .unread, .denied, .reduced, .disabled, .diskFull, .diskBroken, .locked: true
    case _: false
    }
  }
}
