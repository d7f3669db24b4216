import Positioning

/// Each entry and exit has its cause in the truth, and each true one that lasts is reported.
struct RegionsAreTrue: Law {
  static let promise = Promise(
    "docs/protocol.md", "`region.event` reports when the device enters or leaves it.")
  /// How much later than the truth a lasting entry or exit may be reported, besides a region's latency: a probe every 15
  /// minutes, which may search for 5.
  private static let bound: Duration = .seconds(21 * 60)
  /// Farther than that inside or outside is sure, in metres.
  private static let margin = 90.0

  private struct Event: Hashable {
    let kind: String
    let moment: Duration
  }

  private(set) var breaches: [Breach] = []
  private var events: [String: [Event]] = [:]
  private var seen: Set<String> = []
  /// What was reported last of each region, since it exists.
  private var last: [String: String] = [:]
  /// Since when each region of a program is watched, without an interruption.
  private var watchedSince: [String: Duration] = [:]

  mutating func observe(_ observation: Observation, in world: World) {
    switch observation {
    case .notified(let program, "region.event", let message):
      if let event = message["params"] { self.take(event, of: program, in: world) }
    case .answered(let program, let request, let message) where request.method == "region.add":
      guard message["error"] == nil, let parameters = JSON(request.parameters), let id = parameters["id"]?.string else {
        return
      }
      if self.watchedSince[Self.key(program, id)] == nil { self.watchedSince[Self.key(program, id)] = world.elapsed }
    case .disconnected(let program):
      // What is under a durable name goes on.
      guard program.durableName == nil, case .watches(let regions, _) = program.plan.kind else { return }
      for region in regions {
        self.watchedSince[Self.key(program, region.id)] = nil
        self.last[Self.key(program, region.id)] = nil
      }
    case _: break
    }
  }

  private static func key(_ program: Program, _ id: String) -> String { "\(program.plan.name) \(id)" }

  private mutating func take(_ event: JSON, of program: Program, in world: World) {
    if event["event"]?.string == "expired", let id = event["id"]?.string {
      (self.last[Self.key(program, id)], self.watchedSince[Self.key(program, id)]) = (nil, nil)
    }
    guard case .watches(let regions, _) = program.plan.kind, let id = event["id"]?.string,
      let region = regions.first(where: { $0.id == id }), let kind = event["event"]?.string,
      kind == "enter" || kind == "exit",
      let fix = event["fix"], let time = fix["time"]?.time, let accuracy = fix["horizontalAccuracy"]?.number
    else {
      return
    }
    if let number = event["eventId"]?.number, !self.seen.insert("\(program.plan.name) event \(Int(number))").inserted {
      return
    }
    let key = Self.key(program, id)
    let moment = world.moment(of: time)
    if event["initial"] == nil, self.last[key] == kind {
      self.breaches.append(self.breach("\(key): \(kind) twice in a row", in: world))
    }
    self.last[key] = kind
    self.events[key, default: []].append(Event(kind: kind, moment: moment))
    let distance = world.script.track.place(at: moment).distance(to: region.center)
    let isTrue = kind == "enter" ? distance < region.radius + 4 * accuracy : distance > region.radius - 4 * accuracy
    if !isTrue {
      self.breaches.append(
        self.breach("\(key): \(kind), and the device is at \(distance) m of \(region.radius) m", in: world))
    }
  }

  mutating func end(in world: World) {
    for program in world.programs {
      guard case .watches(let regions, _) = program.plan.kind else { continue }
      let last = min(program.plan.to, world.script.length + Script.leaving)
      for region in regions where region.radius > Self.margin * 1.5 {
        let key = Self.key(program, region.id)
        guard let since = self.watchedSince[key] else { continue }
        let limit = Self.bound + .seconds(region.latency ?? 0)
        let inside = world.script.track.times(within: region.radius - Self.margin, of: region.center, until: last)
        let near = world.script.track.times(within: region.radius + Self.margin, of: region.center, until: last)
        for stay in inside where stay.upperBound - stay.lowerBound > limit {
          // It came from afar, and was there for long.
          guard let around = near.first(where: { $0.contains(stay.lowerBound) }),
            self.isWatched(
              from: max(since, around.lowerBound - limit), to: stay.lowerBound + limit, since, limit, world),
            !near.contains(where: { $0.upperBound > around.lowerBound - limit && $0.lowerBound < around.lowerBound })
          else {
            continue
          }
          self.expect("enter", key, from: around.lowerBound, to: stay.lowerBound + limit, in: world)
        }
        for (one, next) in zip(near, near.dropFirst().map { Optional($0) } + [nil]) {
          let leaves = one.upperBound
          let returns = next?.lowerBound ?? last
          guard returns - leaves > limit,
            inside.contains(where: {
              $0.lowerBound < leaves && $0.upperBound - $0.lowerBound > limit
                && $0.upperBound > one.lowerBound
            }),
            self.isWatched(from: one.lowerBound - limit, to: leaves + limit, since, limit, world)
          else {
            continue
          }
          self.expect("exit", key, from: one.lowerBound, to: leaves + limit, in: world)
        }
      }
    }
  }

  /// Whether nothing kept the daemon from seeing what happened.
  private func isWatched(from: Duration, to: Duration, _ since: Duration, _ limit: Duration, _ world: World) -> Bool {
    from >= since + limit && !world.script.isDisturbed(from: from, to: to, margin: .seconds(20 * 60))
  }

  private mutating func expect(_ kind: String, _ key: String, from: Duration, to: Duration, in world: World) {
    guard !(self.events[key] ?? []).contains(where: { $0.kind == kind && $0.moment >= from && $0.moment <= to }) else {
      return
    }
    self.breaches.append(self.breach("\(key): no \(kind) between \(from) and \(to)", in: world))
  }
}
