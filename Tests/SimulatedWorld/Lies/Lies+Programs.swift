import Positioning

/// The world and the lies of those laws that need units, crowds, and subscriptions of many forms.
extension Lies {
  static let programLies: [String: @Sendable (Observation, World) -> [Observation]] = [
    "UnitsAreStarted": { seen, _ in if case .started = seen { [seen, seen] } else { [seen] } },
    "HalfClosedAreAnswered": { seen, _ in if case .answered = seen { [] } else { [seen] } },
    "PlacesAreGiven": { seen, _ in
      guard case .joined(let user) = seen else { return [seen] }
      return [seen, .refused(uid: user)]
    },
    "NumbersHaveOwners": { seen, world in
      if case .prompted = seen { return [] }
      guard case .tick = seen, world.elapsed < .seconds(40) else { return [seen] }
      return [seen, .fault(Fault(.renamed(uid: 1002), at: .zero, lasts: .zero), begins: true)]
    },
    "RequestsAreSearchedFor": { seen, _ in
      if case .hardware = seen { [.hardware(isWatched: false, isOpen: false)] } else { [seen] }
    },
    "AcquisitionsEnd": { seen, _ in
      guard case .notified(_, "position.update", let message) = seen,
        let reason = message["params"]?["reason"]?.string
      else {
        return [seen]
      }
      return reason.hasPrefix("acqui") ? [] : [seen]
    },
    "InboxesAreLimited": { seen, _ in
      guard case .answered(let program, let request, let message) = seen else { return [seen] }
      return [.answered(program, request, message.adding(2000, to: "result", "waiting"))]
    },
    "QueuesAreLimited": { seen, world in
      guard case .notified(let program, "position.update", _) = seen, world.elapsed < .seconds(100) else {
        return [seen]
      }
      let reads = Fault(.unread(program: program.plan.name), at: .zero, lasts: .zero)
      return [.fault(reads, begins: false)] + Array(repeating: seen, count: 2000)
    },
    "MistakesAreNamed": { seen, _ in
      guard case .mistaken(let liar, let mistake, let id, let answer) = seen else { return [seen] }
      return [.mistaken(liar, mistake, id: id, answer.adding(1, to: "error", "code"))]
    },
    "SubordinatesAreTheirOwners": { seen, _ in
      guard case .answered(let program, let request, let message) = seen else { return [seen] }
      return [.answered(program, request, message.setting(.string("always"), at: "result", "state"))]
    },
    "OnlyTheClientNotices": { seen, _ in
      guard case .answered(let program, let request, let message) = seen else { return [seen] }
      let late = Observation.Request(
        id: request.id, method: request.method, parameters: request.parameters, sentAt: request.sentAt - .seconds(1),
        sentAwake: request.sentAwake)
      return [.answered(program, late, message)]
    },
    "OnTimeIsBounded": { seen, _ in
      if case .hardware = seen { [.hardware(isWatched: true, isOpen: true)] } else { [seen] }
    },
  ]

  /// A program that a unit starts, one that ends its sending side, a crowd, and subscriptions; then only visits, and at last
  /// no sky.
  static var startedAndCrowded: Script {
    let track = Track([
      Track.Leg(.seconds(900), speed: 0, course: 0), Track.Leg(.seconds(300), speed: 12, course: 90),
      Track.Leg(.seconds(12_000), speed: 0, course: 0),
    ])
    let stay = ProgramPlan.RegionPlan(id: "stay", center: track.place(at: .seconds(5000)), radius: 300)
    var contained = ProgramPlan(
      "contained", uid: 1002, .follows(interval: 10, distance: 0), from: .seconds(5), to: .seconds(300))
    contained.number = Script.subordinateRange.lowerBound
    let length = Duration.seconds(4 * 3600)
    let start = ProgramPlan.StartPlan(
      unit: "weather.service", regions: [stay], batches: nil, stays: .seconds(20), forgetsEvery: 7, removesEvery: 9)
    var script = Script(
      seed: 7, length: length, track: track,
      programs: [
        ProgramPlan("weather", uid: 1005, .isStarted(start), from: .seconds(5), to: .seconds(2300)),
        ProgramPlan("shuts down", .shutsDown(every: .seconds(300)), from: .seconds(5), to: .seconds(2300)),
        ProgramPlan(
          "crowd", uid: 1007, .crowds(connections: 4, every: .seconds(60)), from: .seconds(5), to: .seconds(900)),
        ProgramPlan("follows", .follows(interval: 10, distance: 0), from: .seconds(5), to: .seconds(900)),
        ProgramPlan(
          "lies", uid: 1008, .lies(burst: 50, every: .seconds(100)), from: .seconds(600), to: .seconds(1200)),
        ProgramPlan("follows later", .follows(interval: 10, distance: 0), from: .seconds(700), to: .seconds(900)),
        contained,
        ProgramPlan("acquires", .subscribes(Script.acquisition), from: .seconds(5), to: .seconds(900)),
        ProgramPlan("visits", .visits(durable: false), from: .seconds(2400), to: .seconds(9000)),
        ProgramPlan(
          "asks", .asks(every: .seconds(300), accuracy: 100, timeout: 55), from: .seconds(10_000), to: .seconds(13_000)),
      ], faults: [Fault(.noSky, at: .seconds(10_000), lasts: .seconds(3600))])
    script.limits.clients = 30
    return script
  }
}
