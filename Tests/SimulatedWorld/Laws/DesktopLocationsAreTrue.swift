import Positioning

/// A program on the message bus gets where the device was, and nothing that cannot be trusted.
struct DesktopLocationsAreTrue: Law {
  static let promise = Promise("docs/trust.md", "GeoClue's programs get no update.")
  /// How much the arrival of a fix differs from when the device was there.
  private static let lag: Duration = .seconds(3)

  private(set) var breaches: [Breach] = []

  mutating func observe(_ observation: Observation, in world: World) {
    guard case .desktop(let program, .located(let place)) = observation, place.accuracy >= 0,
      place.accuracy < DesktopReductionHides.accuracy,
      // The time is that of the system's clock.
      world.script.faults.allSatisfy({ if case .clockStep = $0.kind { false } else { true } })
    else {
      return
    }
    let moment = world.moment(of: place.time)
    // What was held back comes at another time than that of the place.
    guard
      !world.script.isDisturbed(
        from: moment, to: moment, margin: .seconds(60), by: { $0.isStandstill || $0 == .gpsdHangs })
    else { return }
    guard !world.script.isDisturbed(from: moment, to: moment, margin: .seconds(5), by: \.isStraying) else { return }
    let truths = [moment - Self.lag, moment, moment + Self.lag].map { world.script.track.place(at: max(.zero, $0)) }
    let fastest = world.script.track.greatestSpeed(from: moment - Self.lag, to: moment + Self.lag)
    let error = truths.map { $0.distance(to: place.place) }.min() ?? 0
    guard error > place.accuracy * FixesAreTrue.radii + fastest * Self.lag.seconds + 1 else { return }
    self.breaches.append(
      self.breach(
        "\(program.plan.name) got a location that is wrong by \(error) m and says \(place.accuracy) m", in: world))
  }
}
