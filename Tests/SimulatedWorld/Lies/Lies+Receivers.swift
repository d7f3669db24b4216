import Positioning

/// The world and the lies of the laws about gpsd and receivers.
extension Lies {
  static let liesAboutReceivers: [String: @Sendable (Observation, World) -> [Observation]] = [
    "EpochsComeOnce": { seen, _ in if case .notified(_, "position.update", _) = seen { [seen, seen] } else { [seen] } },
    "AltitudesCome": { seen, _ in
      Self.update(seen) { $0.with(["fix"]) { $0.removing("altitude").removing("ellipsoidalAltitude") } }
    },
    "FixesWereReported": { seen, _ in Self.update(seen) { $0.adding(0.01, to: "fix", "latitude") } },
    "DatesAreTrue": { seen, _ in
      Self.update(seen) { $0.setting(.string("2036-01-01T00:00:00.000Z"), at: "fix", "time") }
    },
    "FixesKeepComing": { seen, world in
      if case .notified(_, "position.update", _) = seen, world.elapsed > .seconds(200) { [] } else { [seen] }
    },
    "LagsCount": { seen, _ in Self.update(seen) { $0.adding(-10, to: "fix", "age") } },
    "ReceiversStay": { seen, world in
      let name = Int(world.elapsed.seconds).isMultiple(of: 2) ? "one" : "another one"
      return Self.update(seen) { $0.setting(.string(name), at: "fix", "device") }
    },
    "SleepIsNoLoss": { seen, _ in
      [seen] + Self.update(seen) { $0.removing("fix").adding(.string("poweredDown"), as: "availability") }
    },
    "HeartbeatsHaveFixes": { seen, _ in
      Self.update(seen) { $0.removing("fix").adding(.bool(true), as: "repeat") }
    },
    "SkiesAreWhole": { seen, _ in
      guard case .notified(let program, "sky.update", let message) = seen else { return [seen] }
      let fewer = message.with(["params", "satellites"]) { .array(Array($0.elements.dropLast())) }
      return [.notified(program, method: "sky.update", fewer)]
    },
    "OnMeansReports": { seen, _ in Self.status(seen) { $0.setting(.string("on"), at: "power", "state") } },
    "SilenceIsTrue": { seen, world in
      guard world.elapsed > .seconds(300) else { return [seen] }
      return Self.status(seen) { $0.setting(.string("receiverMissing"), at: "receiver", "availability") }
    },
    "ReconnectsSoon": { seen, _ in
      if case .hardware = seen { [.hardware(isWatched: false, isOpen: false)] } else { [seen] }
    },
  ]

  private static func update(_ seen: Observation, _ change: (JSON) -> JSON) -> [Observation] {
    guard case .notified(let program, "position.update", let message) = seen else { return [seen] }
    return [.notified(program, method: "position.update", message.with(["params"], change))]
  }

  private static func status(_ seen: Observation, _ change: (JSON) -> JSON) -> [Observation] {
    guard case .notified(let program, "status.update", let message) = seen else { return [seen] }
    return [.notified(program, method: "status.update", message.with(["params"], change))]
  }

  /// gpsd makes two reports of each epoch, and is gone for some seconds.
  static var spoken: Script {
    let length = Duration.seconds(7200)
    var each = ProgramPlan("each", .follows(interval: 0, distance: 0), from: .seconds(10), to: .seconds(1500))
    each.integrity = "any"
    var script = Script(
      seed: 7, length: length, track: Track([Track.Leg(.seconds(7200), speed: 0, course: 0)]),
      programs: [
        each, ProgramPlan("sky", .watchesSky, from: .seconds(20), to: .seconds(400)),
        ProgramPlan("seldom", .follows(interval: 600, distance: 0), from: .seconds(5000), to: length + Script.leaving),
        ProgramPlan("status", uid: 0, .watchesStatus, from: .seconds(1), to: length + Script.calm),
      ], faults: [Fault(.gpsdDown, at: .seconds(1000), lasts: .seconds(4))])
    var speech = Speech()
    (speech.epochs, speech.skies) = (.divided, .wholeThenPart)
    script.speech = speech
    return script
  }
}
