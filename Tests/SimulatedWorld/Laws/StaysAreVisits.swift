import Positioning

/// Each true stay that lasts is one visit.
struct StaysAreVisits: Law {
  static let promise = Promise(
    "docs/protocol.md", "one when it has been within 100 m for 5 minutes, and one more when it is 200 m away")
  /// How much later it is reported at the latest: the 5 minutes, a probe every 10 minutes, and its search of up to 5.
  private static let bound: Duration = .seconds(21 * 60)
  /// So far from the stay before it is another one, in metres.
  private static let apart = 400.0
  /// So far from the true place a visit is of that stay, in metres.
  private static let reach = 150.0

  private struct Report {
    let id: Int
    let place: Track.Place
    let at: Duration
  }

  private(set) var breaches: [Breach] = []
  private var reports: [String: [Report]] = [:]
  /// Since when each program learns of visits, without an interruption, and until when.
  private var watches: [String: (from: Duration, to: Duration?)] = [:]

  mutating func observe(_ observation: Observation, in world: World) {
    switch observation {
    case .answered(let program, let request, let message) where request.method == "visit.subscribe":
      if message["error"] == nil, self.watches[program.plan.name] == nil {
        self.watches[program.plan.name] = (world.elapsed, nil)
      }
    case .disconnected(let program):
      // Later ones are not looked at: what was said before, and what is waiting, would have to be known.
      if let watch = self.watches[program.plan.name], watch.to == nil {
        self.watches[program.plan.name] = (watch.from, world.elapsed)
      }
    case .notified(let program, "visit.update", let message):
      guard let visit = message["params"]?["visit"], let place = visit.place, let id = visit["id"]?.number else {
        return
      }
      self.reports[program.plan.name, default: []].append(Report(id: Int(id), place: place, at: world.elapsed))
    case _: break
    }
  }

  mutating func end(in world: World) {
    for program in world.programs {
      guard case .visits = program.plan.kind, let watch = self.watches[program.plan.name] else { continue }
      let last = min(watch.to ?? program.plan.to, world.script.length + Script.leaving)
      var earlier: Track.Place?
      for rest in world.script.track.rests(atLeast: .zero) {
        defer { earlier = rest.place }
        let (from, to) = (max(rest.from, watch.from), min(rest.to, last))
        // Where others watched before, the stay may have been a visit already, of which the arrival is not repeated.
        let isNews =
          rest.from >= watch.from
          || world.script.database == nil
            && !self.watches.contains { $0.key != program.plan.name && $0.value.from < watch.from }
        guard isNews, to - from > Self.bound, earlier.map({ $0.distance(to: rest.place) > Self.apart }) ?? true,
          !world.script.isDisturbed(from: from - Self.bound, to: to)
        else {
          continue
        }
        let here = (self.reports[program.plan.name] ?? []).filter {
          $0.at >= from && $0.at <= to && $0.place.distance(to: rest.place) < Self.reach
        }
        let visits = Set(here.map(\.id))
        guard visits.count != 1 else { continue }
        self.breaches.append(
          self.breach("\(program.plan.name): \(visits.count) visits of the stay from \(from) to \(to)", in: world))
      }
    }
  }
}
