import Positioning

/// One fix does not decide that a device has entered a region, or left it.
struct DecisionsHold: Law {
  static let promise = Promise(
    "docs/protocol.md",
    """
    A fix that decides nothing changes nothing, and a decision must hold for 10 seconds, or for half the time from the edge \
    to the middle at the device's speed if that is less.
    """)
  /// How far beyond the edge the first fix may have been with its error, in metres, besides four times the accuracy.
  private static let error = 25.0

  private(set) var breaches: [Breach] = []

  mutating func observe(_ observation: Observation, in world: World) {
    guard let report = RegionReport(observation), report.kind == "enter" || report.kind == "exit", !report.isInitial,
      let moment = report.moment(in: world), let speed = report.event["fix"]?["speed"]?.number,
      let accuracy = report.event["fix"]?["horizontalAccuracy"]?.number
    else {
      return
    }
    let radius = report.region.radius
    let hold = min(10, radius / 2 / max(speed, 0.1))
    let first = world.script.track.place(at: max(.zero, moment - .seconds(hold * 0.9 - 0.5)))
    let beyond = (first.distance(to: report.region.center) - radius) * (report.kind == "enter" ? 1 : -1)
    // Between two reports of one second a faster device is anywhere.
    guard hold >= 2, beyond > Self.error + 4 * accuracy,
      !world.script.isDisturbed(from: moment, to: moment, margin: .seconds(120), by: { !$0.isStraying })
    else {
      return
    }
    self.breaches.append(
      self.breach(
        "\(report.key): \(report.kind), and \(hold) s before, the device was \(beyond) m on the other side of the edge",
        in: world))
  }
}
