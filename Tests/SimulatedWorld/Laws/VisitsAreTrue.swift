import Positioning

/// A visit is a stay of the device, and its times are right within their uncertainties.
struct VisitsAreTrue: Law {
  static let promise = Promise(
    "docs/protocol.md",
    "The likeliest time is reported, from the device's distance and speed, with the greatest possible deviation.")
  /// Metres from its middle that are no stay any more, with the errors of the fixes.
  private static let reach = 260.0
  /// Metres from its middle that are no departure yet, with the errors of the fixes.
  private static let least = 120.0

  private(set) var breaches: [Breach] = []
  private var seen: Set<String> = []
  private var visits: [String: Int] = [:]

  mutating func observe(_ observation: Observation, in world: World) {
    guard case .notified(let program, "visit.update", let message) = observation,
      let visit = message["params"]?["visit"], let place = visit.place, let id = visit["id"]?.number
    else {
      return
    }
    let name = program.plan.name
    if let number = message["params"]?["eventId"]?.number, !self.seen.insert("\(name) \(Int(number))").inserted {
      return
    }
    // A daemon that starts while another process has the database does not know the numbers before it.
    if let last = self.visits[name], Int(id) < last, !world.script.faults.contains(where: { $0.kind == .locked }) {
      self.breaches.append(self.breach("\(name): visit \(Int(id)) comes after \(last)", in: world))
    }
    self.visits[name] = Int(id)
    // The wall clock's times are the true ones if nobody sets it.
    guard !world.script.faults.contains(where: { if case .clockStep = $0.kind { true } else { false } }) else { return }
    self.check(visit, "arrival", at: place, of: name, isAfter: true, in: world)
    self.check(visit, "departure", at: place, of: name, isAfter: false, in: world)
    self.checkGone(visit, from: place, of: name, in: world)
  }

  /// At the latest possible departure the device is no longer there.
  private mutating func checkGone(_ visit: JSON, from place: Track.Place, of name: String, in world: World) {
    guard let time = visit["departure"]?.time, let uncertainty = visit["departureUncertainty"]?.number else { return }
    let distance = world.script.track.place(at: world.moment(of: time) + .seconds(uncertainty)).distance(to: place)
    guard distance < Self.least else { return }
    self.breaches.append(
      self.breach(
        "\(name): departure at \(world.moment(of: time)) within \(uncertainty) s, and the device is \(distance) m away",
        in: world))
  }

  /// Shortly after the latest possible arrival, and before the earliest possible departure, the device was there.
  private mutating func check(
    _ visit: JSON, _ what: String, at place: Track.Place, of name: String, isAfter: Bool, in world: World
  ) {
    guard let time = visit[what]?.time, let uncertainty = visit["\(what)Uncertainty"]?.number else { return }
    let deviation = Duration.seconds(uncertainty + 5)
    let moment = world.moment(of: time) + (isAfter ? deviation : .zero - deviation)
    let distance = world.script.track.place(at: max(.zero, moment)).distance(to: place)
    guard distance > Self.reach else { return }
    self.breaches.append(
      self.breach(
        "\(name): \(what) at \(world.moment(of: time)) within \(uncertainty) s, and the device is \(distance) m away",
        in: world))
  }
}
