import Positioning

/// Whoever wants to know it learns that the device is inside a region that it adds.
struct InitialStatesAreReported: Law {
  static let promise = Promise(
    "docs/protocol.md",
    "The initial state causes no event, except with `initial`: `enter` if the device is inside (`ifInside`)")
  /// The first fix, of a receiver that starts cold.
  private static let bound: Duration = .seconds(180)
  /// So deep inside each fix of a good receiver shows it; metres.
  private static let depth = 40.0

  private(set) var breaches: [Breach] = []
  /// When each region was added whose initial state is not reported yet.
  private var added: [String: (region: ProgramPlan.RegionPlan, at: Duration)] = [:]
  private var known: Set<String> = []

  mutating func observe(_ observation: Observation, in world: World) {
    switch observation {
    case .answered(let program, let request, let message) where request.method == "region.add":
      guard message["error"] == nil, case .watches(let regions, _) = program.plan.kind,
        let id = JSON(request.parameters)?["id"]?.string, let region = regions.first(where: { $0.id == id }),
        region.reportsInitial, self.known.insert(RegionReport.key(program, id)).inserted
      else {
        return
      }
      self.added[RegionReport.key(program, id)] = (region, world.elapsed)
    case .disconnected(let program): self.added = self.added.filter { !$0.key.hasPrefix("\(program.plan.name) ") }
    case .notified(_, "region.event", _):
      guard let report = RegionReport(observation) else { return }
      self.added[report.key] = nil
      if report.isInitial, !report.region.reportsInitial {
        self.breaches.append(self.breach("\(report.key): an initial state that nobody wants", in: world))
      }
    case .tick: self.look(in: world)
    case _: break
    }
  }

  private mutating func look(in world: World) {
    for (key, (region, at)) in self.added.sorted(by: { $0.key < $1.key }) where world.elapsed - at > Self.bound {
      self.added[key] = nil
      let isInside = (0...Int(Self.bound.seconds)).allSatisfy {
        world.script.track.place(at: at + .seconds($0)).distance(to: region.center) < region.radius - Self.depth
      }
      guard isInside, !EdgesAreWatched.isDisturbed(from: at, in: world) else { continue }
      self.breaches.append(self.breach("\(key): the device is inside since \(at), and nothing says so", in: world))
    }
  }
}
