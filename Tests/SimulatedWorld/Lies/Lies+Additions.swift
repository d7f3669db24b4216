import Positioning

/// The worlds and the lies of those laws that need more than a device and its programs.
extension Lies {
  static let furtherLies: [String: @Sendable (Observation, World) -> [Observation]] = [
    "OnePrompt": { seen, _ in
      guard case .prompted(let program, let prompt) = seen else { return [seen] }
      return [seen, .prompted(program, prompt.adding(1, to: "id"))]
    },
    "PersonsDecide": { seen, _ in if case .replied = seen { [] } else { [seen] } },
    "DecisionsAreKept": { seen, world in
      guard case .answered(let program, let request, let message) = seen, world.elapsed > .seconds(3000) else {
        return [seen]
      }
      return [.answered(program, request, message.setting(.string("notDetermined"), at: "result", "state"))]
    },
    "GrantsAreStored": { seen, world in
      guard case .replied = seen else { return [seen] }
      return [.fault(Fault(.diskFull, at: world.elapsed, lasts: .seconds(60)), begins: true), seen]
    },
    "RelaysSpeak": { seen, _ in
      guard case .answered(let program, let request, let message) = seen else { return [seen] }
      return [.answered(program, request, message.adding(1, to: "result", "principal", "uid"))]
    },
    "RequestsGetTheirTime": { seen, _ in
      guard case .answered(let program, let request, let message) = seen, request.method == "position.get" else {
        return [seen]
      }
      return [.answered(program, request, message.setting(.string("timedOut"), at: "result", "status"))]
    },
    "LossesHaveCauses": { seen, _ in
      guard case .notified(let program, "position.update", let message) = seen else { return [seen] }
      return [
        .notified(program, method: "position.update", message.setting(.string("lost"), at: "params", "availability"))
      ]
    },
    "PollsAreCurrent": { seen, _ in
      guard case .report(let program, let report) = seen, report["class"]?.string == "POLL" else { return [seen] }
      return [.report(program, report.setting(.array([]), at: "tpv"))]
    },
    "StaysAreVisits": { seen, _ in if case .notified(_, "visit.update", _) = seen { [] } else { [seen] } },
    "UpgradesKeep": { seen, _ in
      guard case .answered(let program, let request, let message) = seen else { return [seen] }
      return [.answered(program, request, message.setting(.array([]), at: "result", "regions"))]
    },
  ]

  private static let rest = Track([Track.Leg(.seconds(7200), speed: 0, course: 0)])

  /// A person is asked about two users, and says yes; a relay asks for a third one.
  static var asking: Script {
    let length = Duration.seconds(7200)
    let end = length + Script.leaving
    var relayed = ProgramPlan(
      "relayed", .asks(every: .seconds(600), accuracy: 100, timeout: 60), from: .seconds(10), to: end)
    relayed.relay = 1004
    let yes = ProgramPlan.PromptReply(.allow(isReduced: false, isRemembered: true), after: .seconds(5))
    var script = Script(
      seed: 5, length: length, track: Self.rest,
      programs: [
        ProgramPlan("agent", uid: 1003, .answersPrompts([yes]), from: .seconds(5), to: end),
        ProgramPlan(
          "asks", uid: 1001, .asks(every: .seconds(600), accuracy: 100, timeout: 60), from: .seconds(60), to: end),
        ProgramPlan("requests", uid: 1002, .requests(always: false, every: .seconds(500)), from: .seconds(70), to: end),
        relayed,
        ProgramPlan("map", .watchesAsGpsd(polls: true), from: .seconds(1000), to: .seconds(3000)),
        ProgramPlan("another map", .watchesAsGpsd(polls: true), from: .seconds(2000), to: .seconds(2500)),
      ])
    script.asksPersons = true
    return script
  }

  /// An earlier version has left a database.
  static var upgraded: Script {
    let database = OldDatabase.all[2]
    var script = Script(
      seed: 6, length: .seconds(3600), track: Self.rest,
      programs: database.names.map {
        ProgramPlan(
          $0.program, uid: $0.uid, .inherits(name: $0.name), from: .seconds(1), to: .seconds(3600) + Script.leaving)
      })
    script.database = database
    return script
  }
}
