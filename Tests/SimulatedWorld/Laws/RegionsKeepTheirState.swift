import Positioning

/// A region that is registered again is the same one.
struct RegionsKeepTheirState: Law {
  static let promise = Promise(
    "docs/protocol.md",
    """
    A region with an `id` that exists on the connection or under the name is changed: with the same shape it keeps its \
    state, with another shape it begins again.
    """)

  private(set) var breaches: [Breach] = []
  /// The regions about which something is known, since when.
  private var known: [String: Duration] = [:]

  mutating func observe(_ observation: Observation, in world: World) {
    switch observation {
    case .answered(let program, let request, let message) where request.method == "region.add":
      guard let id = JSON(request.parameters)?["id"]?.string, let state = message["result"]?["state"]?.string else {
        return
      }
      let key = RegionReport.key(program, id)
      if state != "unknown" { return self.known[key] = self.known[key] ?? world.elapsed }
      guard let since = self.known.removeValue(forKey: key), !Self.isDisturbed(from: since, in: world) else { return }
      self.breaches.append(self.breach("\(key): its state was known since \(since), and is unknown", in: world))
    case .sent(let program, let request) where request.method == "durable.remove": self.end(program)
    case .disconnected(let program): if program.durableName == nil { self.end(program) }
    case .notified(_, "region.event", _):
      guard let report = RegionReport(observation) else { return }
      // The answer to the first one may have had it already.
      if report.isInitial, let since = self.known[report.key], world.elapsed - since > .seconds(5),
        !Self.isDisturbed(from: since, in: world)
      {
        self.breaches.append(
          self.breach("\(report.key): an initial state, and it was known since \(since)", in: world))
      }
      self.known[report.key] = report.kind == "expired" ? nil : self.known[report.key] ?? world.elapsed
    case _: break
    }
  }

  private mutating func end(_ program: Program) {
    self.known = self.known.filter { !$0.key.hasPrefix("\(program.plan.name) ") }
  }

  private static func isDisturbed(from: Duration, in world: World) -> Bool {
    world.script.isDisturbed(from: from, to: world.elapsed, margin: .seconds(60)) { !$0.isStraying && !$0.isVague }
  }
}
