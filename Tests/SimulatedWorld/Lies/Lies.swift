import Positioning

/// A law that holds whatever it sees is none: each must be broken by a lie about one world, in which all hold.
package enum Lies {
  /// Each law with a lie that breaks it.
  private static let lies: [String: @Sendable (Observation, World) -> [Observation]] = [
    "OneAnswer": { seen, _ in
      guard case .answered(let program, let request, let message) = seen else { return [seen] }
      let late = Observation.Request(
        id: request.id, method: request.method, parameters: request.parameters, sentAt: request.sentAt,
        sentAwake: request.sentAwake - .seconds(200), timeout: request.timeout)
      return [.answered(program, late, message)]
    },
    "AgesRise": { seen, _ in seen.notification("position.update") { $0.adding(5, to: "params", "fix", "age") } },
    "FixesAreTrue": { seen, _ in
      seen.notification("position.update") { $0.adding(0.01, to: "params", "fix", "latitude") }
    },
    "ReceiverIsAsReported": { seen, _ in
      seen.notification("status.update") { $0.setting(.string("released"), at: "params", "power", "state") }
    },
    "OnWhileNeeded": { seen, _ in
      if case .hardware = seen { [.hardware(isWatched: false, isOpen: false)] } else { [seen] }
    },
    "OffWhenUnneeded": { seen, _ in
      if case .hardware = seen { [.hardware(isWatched: true, isOpen: true)] } else { [seen] }
    },
    "RegionsAreTrue": { seen, _ in
      if case .notified(_, "region.event", let message) = seen, message["params"]?["event"]?.string == "exit" {
        return []
      }
      return [seen]
    },
    "DwellIsTrue": { seen, _ in
      seen.notification("region.event") {
        $0.with(["params"]) { $0.adding(.object(["time": .string("2026-01-01T00:05:00.000Z")]), as: "fix") }
      }
    },
    "VisitsAreTrue": { seen, _ in
      seen.notification("visit.update") { $0.adding(0.01, to: "params", "visit", "latitude") }
    },
    "EventsAreKept": { seen, _ in
      if case .notified(_, "region.event", _) = seen { [seen, seen] } else { [seen] }
    },
    "EverythingRecovers": { seen, _ in
      guard case .answered(let program, let request, let message) = seen else { return [seen] }
      return [.answered(program, request, message.setting(.string("timeout"), at: "result", "status"))]
    },
    "RestIsQuiet": { seen, _ in
      if case .tick = seen { Array(repeating: .logged("a line"), count: 10) + [seen] } else { [seen] }
    },
    "DenialHides": { seen, world in
      guard case .notified(let program, "authorization.changed", let message) = seen,
        message["params"]?["state"]?.string == "denied"
      else {
        return [seen]
      }
      return [seen, Self.update(for: program)]
    },
    "ReductionHides": { seen, world in
      guard case .notified(let program, "authorization.changed", let message) = seen,
        message["params"]?["precision"]?.string == "reduced"
      else {
        return [seen]
      }
      return [seen, Self.update(for: program)]
    },
    "DoorsAreTrue": { seen, _ in
      guard case .report(let program, let report) = seen else { return [seen] }
      return [.report(program, report.adding(0.01, to: "lat"))]
    },
    "DoorsHide": { seen, world in
      guard case .tick = seen, world.elapsed > .seconds(10_250), let program = world.doorPrograms.last else {
        return [seen]
      }
      let position: JSON = .object([
        "class": .string("TPV"), "lat": .number(48), "lon": .number(11),
        "time": .string("2026-01-01T02:52:00.000Z"), "eph": .number(10),
      ])
      return [seen, .report(program, position)]
    },
    "DoorsDeliver": { seen, _ in
      switch seen {
      case .report, .sentence: []
      case _: [seen]
      }
    },
    "OneUnit": { seen, _ in
      guard case .unit(let unit, isRunning: false) = seen else { return [seen] }
      return [.unit("another one", isRunning: true), seen]
    },
    "OffAtRest": { seen, _ in if case .radio = seen { [.radio(isOn: true)] } else { [seen] } },
    "NobodyInheritsADeadReceiver": { seen, _ in if case .radio = seen { [.radio(isOn: false)] } else { [seen] } },
    "RungIsKept": { seen, _ in
      seen.notification("status.update") { $0.setting(.string("watch"), at: "params", "power", "rung") }
    },
    "SearchesAreRare": { seen, _ in
      switch seen {
      case .hardware: []
      case .fault(let fault, begins: true) where fault.kind == .noSky: [.hardware(isWatched: true, isOpen: true), seen]
      case _: [seen]
      }
    },
    "IntervalsAreKept": { seen, _ in if case .notified(_, "position.update", _) = seen { [seen, seen] } else { [seen] }
    },
    "AnswersAreYoung": { seen, _ in
      guard case .answered(let program, let request, let message) = seen else { return [seen] }
      return [.answered(program, request, message.adding(-100, to: "result", "fix", "arrival"))]
    },
    "SubscriptionsEnd": { seen, _ in if case .notified(_, "subscription.ended", _) = seen { [] } else { [seen] } },
    "LossIsReported": { seen, world in
      if case .notified(_, "position.update", _) = seen, world.elapsed > .seconds(500) { [] } else { [seen] }
    },
    "ChangesAreSignificant": { seen, _ in
      if case .notified(_, "position.update", _) = seen { [seen, seen] } else { [seen] }
    },
    "BatchesCome": { seen, _ in
      guard case .notified(let program, "position.update", let message) = seen else { return [seen] }
      let older = message.with(["params", "fixes"]) { fixes in
        .array(fixes.elements.map { $0.adding(500, to: "age") })
      }
      return [.notified(program, method: "position.update", older)]
    },
    "NothingIsLost": { seen, _ in
      guard case .answered(let program, let request, let message) = seen, request.method == "durable.attach" else {
        return [seen]
      }
      return [.answered(program, request, message.setting(.array([]), at: "result", "regions"))]
    },
  ]

  private static func update(for program: Program) -> Observation {
    .notified(
      program, method: "position.update",
      .object(["params": .object(["fix": .object(["latitude": .number(48), "longitude": .number(11)])])]))
  }

  /// Two stays, and everything that a program can ask.
  package static var script: Script {
    let track = Track([
      Track.Leg(.seconds(3600), speed: 0, course: 0), Track.Leg(.seconds(300), speed: 12, course: 90),
      Track.Leg(.seconds(3600), speed: 0, course: 0), Track.Leg(.seconds(300), speed: 12, course: 270),
    ])
    let stay = track.place(at: .seconds(5000))
    let region = ProgramPlan.RegionPlan(id: "region", center: stay, radius: 300, dwellTime: 120)
    var home = ProgramPlan.RegionPlan(id: "home", center: track.place(at: .zero), radius: 300)
    home.reportsInitial = true
    var brief = home
    (brief.id, brief.expiresIn) = ("brief", 1000)
    let length = Duration.seconds(4 * 3600)
    let end = length + Script.leaving
    var again = ProgramPlan("watches again", .watches([home], durable: false), from: .seconds(5), to: .seconds(3500))
    again.addsAgain = .seconds(1500)
    return Script(
      seed: 11, length: length, track: track,
      programs: [
        ProgramPlan(
          "asks", .asks(every: .seconds(300), accuracy: 100, timeout: 60, maxAge: 60), from: .seconds(5),
          to: .seconds(10_000)),
        ProgramPlan(
          "asks again", .asks(every: .seconds(300), accuracy: 100, timeout: 60), from: length + .seconds(700), to: end),
        ProgramPlan("follows", .follows(interval: 1, distance: 0), from: .seconds(5), to: .seconds(1000)),
        ProgramPlan("borrows", .borrows(every: .seconds(900), duration: 60), from: .seconds(5), to: .seconds(1000)),
        ProgramPlan("collects", .collects(interval: 5, timeout: 100), from: .seconds(5), to: .seconds(1000)),
        ProgramPlan("notices", .notices(distance: 500), from: .seconds(5), to: .seconds(9000)),
        ProgramPlan("watches", .watches([region], durable: true), from: .seconds(5), to: end), again,
        ProgramPlan("watches briefly", .watches([brief], durable: false), from: .seconds(5), to: .seconds(3000)),
        ProgramPlan("visits", .visits(durable: false), from: .seconds(5), to: end),
        ProgramPlan("status", uid: 0, .watchesStatus, from: .seconds(1), to: length + Script.calm),
        ProgramPlan("plotter", .readsSentences, from: .seconds(5), to: .seconds(1000)),
        ProgramPlan("map", uid: 1001, .watchesAsGpsd(polls: true), from: .seconds(10_000), to: .seconds(10_790)),
        ProgramPlan(
          "guest", uid: 1001, .follows(interval: 10, distance: 0), from: .seconds(10_000), to: .seconds(10_790)),
        ProgramPlan(
          "panel", uid: 1002, .follows(interval: 10, distance: 0), from: .seconds(10_000), to: .seconds(10_790)),
      ],
      faults: [
        Fault(.denied(uid: 1001), at: .seconds(10_200), lasts: .seconds(100)),
        Fault(.reduced(uid: 1002), at: .seconds(10_500), lasts: .seconds(100)),
        Fault(.noSky, at: .seconds(11_400), lasts: .seconds(2700)),
      ], rung: .unit)
  }

  /// - Returns: The laws that are broken without a lie, that have no lie, or that do not notice it.
  package static func unnoticed() throws -> [String] {
    var faults: [String] = []
    var unnoticed = Set(Laws.all().map { "\(type(of: $0))" })
    for script in [
      Self.script, Self.asking, Self.upgraded, Self.libraries, Self.spoken, Self.startedAndCrowded, Self.resting,
      Self.desktop, Self.forgetful,
    ] {
      faults += try World(script).run().map { "without a lie: \($0.law): \($0.text)" }
      let deceived = Laws.all().map { law in
        let name = "\(type(of: law))"
        let lie =
          Self.lies[name] ?? Self.furtherLies[name] ?? Self.libraryLies[name]
          ?? Self.liesAboutReceivers[name] ?? Self.programLies[name] ?? Self.liesOfPlaces[name] ?? Self.desktopLies[
            name]
          ?? Self.liesOfStarts[name]
        return Deceived(law, by: lie ?? { seen, _ in [seen] })
      }
      _ = try World(script, laws: deceived).run()
      unnoticed.subtract(deceived.filter { !$0.breaches.isEmpty }.map(\.name))
    }
    faults += unnoticed.sorted().map { "\($0) does not notice a lie" }
    return try faults + Self.unnoticedHidden() + Self.unnoticedTwin()
  }

  /// Another word for a program that is denied.
  private static func unnoticedHidden() throws -> [String] {
    let script = NonInterference.script(seed: 2)
    let world = World(script, laws: [], keepsRecord: true)
    _ = try world.run()
    let lied = world.record.map { seen in
      guard case .answered(let program, let request, let message) = seen.observation, message["error"] != nil else {
        return seen
      }
      return Record(
        at: seen.at, observation: .answered(program, request, message.adding(1, to: "error", "code")))
    }
    return Self.unnoticed(
      "NonInterference", NonInterference.breaches(of: script, (world.record, world.record)),
      NonInterference.breaches(of: script, (world.record, lied)))
  }

  /// A daemon that reports no region and no visit.
  private static func unnoticedTwin() throws -> [String] {
    let script = Twin.other(of: Self.script)
    let world = World(script, laws: [], keepsRecord: true)
    _ = try world.run()
    return ["region.event", "visit.update"].flatMap { method in
      let lied = world.record.filter {
        if case .notified(_, method, _) = $0.observation { false } else { true }
      }
      return Self.unnoticed(
        "Twin", Twin.breaches(of: script, (world.record, world.record)),
        Twin.breaches(of: script, (lied, world.record)))
    }
  }

  private static func unnoticed(_ law: String, _ honest: [Breach], _ deceived: [Breach]) -> [String] {
    honest.map { "without a lie: \(law): \($0.text)" } + (deceived.isEmpty ? ["\(law) does not notice a lie"] : [])
  }
}

extension Observation {
  /// Another notification in place of this one.
  func notification(_ method: String, _ change: (JSON) -> JSON) -> [Observation] {
    guard case .notified(let program, method, let message) = self else { return [self] }
    return [.notified(program, method: method, change(message))]
  }
}
