import Positioning

/// A device that goes around a region does not pass through it.
struct PassagesAreTrue: Law {
  static let promise = Promise(
    "docs/protocol.md",
    """
    `crossed` is reported when two fixes are outside and the line between them passes through the region, and so does the \
    way over the fixes in between, if there are any.
    """)
  /// Between the two fixes, and some seconds more.
  private static let longest: Duration = .seconds(70)
  /// How far from the edge errors explain a passage, in metres.
  private static let error = 10.0

  private(set) var breaches: [Breach] = []

  mutating func observe(_ observation: Observation, in world: World) {
    guard let report = RegionReport(observation), report.kind == "crossed", let moment = report.moment(in: world),
      !world.script.isDisturbed(from: moment, to: moment, margin: .seconds(120))
    else {
      return
    }
    let track = world.script.track
    let nearest = (0...Int(Self.longest.seconds * 4)).map {
      track.place(at: max(.zero, moment - .milliseconds($0 * 250))).distance(to: report.region.center)
    }.min()
    guard let nearest, nearest > report.region.radius + Self.error else { return }
    self.breaches.append(
      self.breach("\(report.key): crossed, and the device was at \(nearest) m of \(report.region.radius) m", in: world))
  }
}
