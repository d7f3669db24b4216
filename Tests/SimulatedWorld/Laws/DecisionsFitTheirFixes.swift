import Positioning

/// The fix that decides about a region shows what it decides.
struct DecisionsFitTheirFixes: Law {
  static let promise = Promise(
    "docs/protocol.md",
    """
    A fix decides only as far as its accuracy allows: the device is inside when that is at least 85 % likely, and outside \
    when a fix lies beyond the edge by more than its 95 % radius and a margin.
    """)
  /// The 95 % radius and the 99 % radius, and how deep a straight edge leaves 85 % inside; in deviations.
  private static let radius95 = 2.448
  private static let radius99 = 3.03
  private static let depth = 1.03
  /// Deviations within which a round distribution has 85 %.
  private static let middle = 1.948
  /// What computations differ by, in metres.
  private static let tolerance = 0.5

  private(set) var breaches: [Breach] = []

  mutating func observe(_ observation: Observation, in world: World) {
    guard let report = RegionReport(observation), let distance = report.distance,
      let radius = report.event["fix"]?["horizontalAccuracy95"]?.number
    else {
      return
    }
    let deviation = radius / Self.radius95
    let beyond = distance - report.region.radius
    let isVague = deviation * Self.middle > report.region.radius
    switch report.kind {
    case "enter":
      let probability = report.event["probability"]?.number ?? 1
      guard beyond > Self.tolerance - Self.depth * deviation || probability < 0.849 else { return }
    case "exit":
      let least = (isVague ? Self.radius99 : Self.radius95) * deviation + min(max(radius, 10), 50)
      guard beyond < least - Self.tolerance else { return }
    case _: return
    }
    self.breaches.append(
      self.breach("\(report.key): \(report.kind) by a fix \(beyond) m beyond the edge, of \(radius) m", in: world))
  }
}
