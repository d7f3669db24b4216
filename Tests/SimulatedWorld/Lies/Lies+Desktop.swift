import Positioning

/// The lies of the laws about programs on the message bus, and their world.
extension Lies {
  static let desktopLies: [String: @Sendable (Observation, World) -> [Observation]] = [
    "DesktopsAreLocated": { seen, _ in if case .desktop(_, .updated) = seen { [] } else { [seen] } },
    "DesktopsAreAnswered": { seen, _ in if case .desktop(_, .started) = seen { [] } else { [seen] } },
    "DesktopsRelease": { seen, _ in
      if case .hardware = seen { [.hardware(isWatched: true, isOpen: true)] } else { [seen] }
    },
    "DesktopThresholdsHold": { seen, _ in if case .desktop(_, .located) = seen { [seen, seen] } else { [seen] } },
    "DesktopLocationsAreTrue": { seen, _ in
      guard case .desktop(let program, .located(var place)) = seen else { return [seen] }
      place.place.east += 1000
      return [.desktop(program, .located(place))]
    },
    "DesktopDenialHides": { seen, _ in if case .desktop(_, .active) = seen { [] } else { [seen] } },
    "DesktopReductionHides": { seen, _ in
      guard case .desktop(let program, .located(var place)) = seen, place.accuracy == 2000 else { return [seen] }
      place.accuracy = 5
      return [.desktop(program, .located(place))]
    },
    "DesktopObjectsArePrivate": { seen, _ in
      guard case .desktop(let program, .intruded) = seen else { return [seen] }
      return [.desktop(program, .intruded(error: nil))]
    },
    "DesktopClientsAreLimited": { seen, _ in
      guard case .desktop(let program, .hoarded) = seen else { return [seen] }
      return [.desktop(program, .hoarded(70, error: nil))]
    },
  ]

  /// A rest, in which a map is used now and then, and one user is denied while another is reduced.
  static var desktop: Script {
    let length = Duration.seconds(2 * 3600)
    let end = length + Script.leaving
    func plan(_ name: String, uid: UInt32, _ change: (inout DesktopPlan) -> Void) -> DesktopPlan {
      var plan = DesktopPlan(
        name, uid: uid, from: .seconds(10), to: end, stays: .seconds(1500), pauses: .seconds(600))
      change(&plan)
      return plan
    }
    var script = Script(
      seed: 9, length: length, track: Track([Track.Leg(.seconds(14_400), speed: 0, course: 0)]),
      programs: [ProgramPlan("status", uid: 0, .watchesStatus, from: .seconds(1), to: length + Script.calm)],
      faults: [
        Fault(.denied(uid: 1001), at: .seconds(700), lasts: .seconds(300)),
        Fault(.reduced(uid: 1002), at: .seconds(700), lasts: .seconds(700)),
      ])
    script.desktopPrograms = [
      plan("map", uid: 1000) { $0.time = 60 }, plan("weather", uid: 1001) { $0.isIntruding = true },
      plan("clock", uid: 1002) { $0.hoards = 70 },
    ]
    return script
  }
}
