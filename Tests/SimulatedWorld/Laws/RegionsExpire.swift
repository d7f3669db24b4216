import Positioning

/// A region ends when it was to end, and that is reported.
struct RegionsExpire: Law {
  static let promise = Promise(
    "docs/protocol.md", "The region's time is over, and it was removed. Always reported.")
  /// How much later it is reported, at most.
  private static let bound: Duration = .seconds(10)

  private(set) var breaches: [Breach] = []
  /// When each region ends.
  private var ends: [String: Duration] = [:]

  mutating func observe(_ observation: Observation, in world: World) {
    switch observation {
    case .answered(let program, let request, let message) where request.method == "region.add":
      guard message["error"] == nil, let parameters = JSON(request.parameters), let id = parameters["id"]?.string,
        let seconds = parameters["expiresIn"]?.number
      else {
        return
      }
      self.ends[RegionReport.key(program, id)] = world.elapsed + .seconds(seconds)
    case .sent(let program, let request) where request.method == "durable.remove": self.end(program)
    case .disconnected(let program): if program.durableName == nil { self.end(program) }
    case .notified(_, "region.event", _):
      guard let report = RegionReport(observation), report.kind == "expired" else { return }
      let end = self.ends.removeValue(forKey: report.key)
      if let end, world.elapsed < end - Self.bound, !self.isDisturbed(from: end, in: world) {
        self.breaches.append(self.breach("\(report.key): expired, and it was to end at \(end)", in: world))
      }
    case .tick:
      for (key, end) in self.ends.sorted(by: { $0.key < $1.key })
      where world.elapsed > end + Self.bound && !self.isDisturbed(from: end, in: world) {
        self.ends[key] = nil
        self.breaches.append(self.breach("\(key): was to end at \(end), and has not", in: world))
      }
    case _: break
    }
  }

  private mutating func end(_ program: Program) {
    self.ends = self.ends.filter { !$0.key.hasPrefix("\(program.plan.name) ") }
  }

  private func isDisturbed(from end: Duration, in world: World) -> Bool {
    world.script.isDisturbed(from: end, to: world.elapsed, margin: .seconds(120)) { !$0.isStraying && !$0.isVague }
  }
}
