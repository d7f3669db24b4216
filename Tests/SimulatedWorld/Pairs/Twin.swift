import Positioning

/// A daemon that is late and one that is always in time, on one machine and for the same programs: what they report is the same.
///
/// The first world has faults that make the daemon late, and no others; the second has none.
package enum Twin: Pair {
  package static let promise = Promise(
    "docs/operations.md",
    "Entries, exits and visits that last half an hour longer than the delay come late by as much; none is lost, and none is invented."
  )
  /// What a punctual daemon may take for an entry or exit, besides a region's latency: a probe every 15 minutes, which may
  /// search for 5.
  private static let punctual: Duration = .seconds(21 * 60)
  private static let lasting: Duration = .seconds(30 * 60)
  private static let margin = 90.0

  // MARK: The worlds

  package static func script(seed: UInt64) -> Script {
    var script = Script(seed: seed, hasAdditions: false)
    var random = SeededRandom(seed: seed &* 1_000_003 &+ 6)
    script.length = min(script.length, .seconds(5 * 3600))
    script.programs.removeAll { $0.from > script.length || $0.name == "calm" }
    let count = Int.random(in: 1...8, using: &random)
    script.faults = (0..<count).map { number in
      let share = (Double(number) + Double.random(in: 0...0.8, using: &random)) / Double(count)
      let at = script.length * share
      let lasts = Duration.seconds(Int64.random(in: 2...300, using: &random))
      let kind: Fault.Kind =
        switch Int.random(in: 0..<3, using: &random) {
        case 0: .busy
        case 1: .suspend
        case _: .stopped
        }
      return Fault(kind, at: at, lasts: min(lasts, script.length * (0.2 / Double(count))))
    }
    return script
  }

  package static func other(of script: Script) -> Script {
    var other = script
    other.faults = []
    return other
  }

  // MARK: The law

  package static func breaches(of script: Script, _ records: ([Record], [Record])) -> [Breach] {
    let (late, punctual) = (Reports(records.0), Reports(records.1))
    let delay = script.faults.reduce(Duration.zero) { $0 + $1.lasts }
    var breaches: [Breach] = []
    for plan in script.programs {
      switch plan.kind {
      case .watches(let regions, _):
        for region in regions where region.radius > Self.margin * 1.5 {
          for change in Self.changes(of: region, for: plan, by: delay, in: script) {
            let (one, two) = (late.has(change), punctual.has(change))
            guard one != two else { continue }
            breaches.append(
              Self.breach("\(change.kind) of \(change.key) is reported by \(Self.whom(one))", at: change.from))
          }
        }
      case .visits:
        for rest in Self.visits(for: plan, by: delay, in: script) {
          let (one, two) = (late.visits(of: plan.name, at: rest), punctual.visits(of: plan.name, at: rest))
          guard one != two else { continue }
          breaches.append(
            Self.breach("\(plan.name): \(one) visits of \(rest.from) to \(rest.to), and \(two) in time", at: rest.from))
        }
      case _:
        break
      }
    }
    return breaches
  }

  private static func whom(_ isLate: Bool) -> String {
    isLate ? "the late daemon, and not by the punctual one" : "the punctual daemon, and not by the late one"
  }

  /// An entry or exit that is sure, and lasts.
  private struct Change {
    let key: String
    let kind: String
    let from: Duration
    let to: Duration
  }

  private static func changes(
    of region: ProgramPlan.RegionPlan, for plan: ProgramPlan, by delay: Duration, in script: Script
  ) -> [Change] {
    let limit = Self.punctual + .seconds(region.latency ?? 0) + delay
    let end = min(plan.to, script.length + Script.leaving)
    let inside = script.track.times(within: region.radius - Self.margin, of: region.center, until: end)
    let near = script.track.times(within: region.radius + Self.margin, of: region.center, until: end)
    let key = "\(plan.name) \(region.id)"
    let lasting = Self.lasting + .seconds(region.latency ?? 0) + delay
    var changes: [Change] = []
    for (number, stay) in near.enumerated() {
      guard let sure = inside.first(where: { $0.lowerBound >= stay.lowerBound && $0.lowerBound < stay.upperBound }),
        sure.upperBound - sure.lowerBound > lasting
      else {
        continue
      }
      let before = number > 0 ? near[number - 1].upperBound : plan.from
      let after = number + 1 < near.count ? near[number + 1].lowerBound : end
      if stay.lowerBound - max(before, plan.from) > lasting, sure.lowerBound + limit < end {
        changes.append(Change(key: key, kind: "enter", from: stay.lowerBound, to: sure.lowerBound + limit))
      }
      if after - stay.upperBound > lasting, sure.lowerBound > plan.from, stay.upperBound + limit < end {
        changes.append(Change(key: key, kind: "exit", from: sure.upperBound, to: stay.upperBound + limit))
      }
    }
    return changes
  }

  private struct Rest {
    let from: Duration
    let to: Duration
    let place: Track.Place
  }

  /// The long rests to which the device comes from afar, and from which it goes far away.
  private static func visits(for plan: ProgramPlan, by delay: Duration, in script: Script) -> [Rest] {
    let (limit, reach) = (Self.lasting + delay, 400.0)
    let end = min(plan.to, script.length + Script.leaving)
    return script.track.rests(atLeast: limit).compactMap { rest in
      guard rest.from > plan.from + limit, rest.to + limit < end,
        let around = script.track.times(within: reach, of: rest.place, until: end).first(where: {
          $0.contains(rest.from)
        }),
        rest.from - around.lowerBound < .seconds(300), around.upperBound - rest.to < .seconds(300)
      else {
        return nil
      }
      return Rest(from: rest.from, to: rest.to, place: rest.place)
    }
  }

  /// What a daemon reported.
  private struct Reports {
    private var events: [String: [(kind: String, at: Duration)]] = [:]
    private var places: [String: [Int: (place: Track.Place, at: Duration)]] = [:]

    init(_ record: [Record]) {
      for seen in record {
        guard case .notified(let program, let method, let message) = seen.observation, let body = message["params"]
        else {
          continue
        }
        let name = program.plan.name
        if method == "region.event", let id = body["id"]?.string, let kind = body["event"]?.string {
          self.events["\(name) \(id)", default: []].append((kind, seen.at))
        }
        if method == "visit.update", let visit = body["visit"], let place = visit.place, let id = visit["id"]?.number {
          let at = self.places[name]?[Int(id)]?.at ?? seen.at
          self.places[name, default: [:]][Int(id)] = (place, at)
        }
      }
    }

    func has(_ change: Change) -> Bool {
      (self.events[change.key] ?? []).contains { $0.kind == change.kind && $0.at >= change.from && $0.at <= change.to }
    }

    /// How many visits at the place are reported while the device rests there.
    func visits(of name: String, at rest: Rest) -> Int {
      (self.places[name] ?? [:]).values.count {
        $0.at >= rest.from && $0.at <= rest.to && $0.place.distance(to: rest.place) < 150
      }
    }
  }
}
