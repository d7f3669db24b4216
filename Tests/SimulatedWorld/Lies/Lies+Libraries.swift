import Positioning

/// The lies of the laws about the client library and the bridge to MQTT, and their world.
extension Lies {
  static let libraryLies: [String: @Sendable (Observation, World) -> [Observation]] = [
    "LibraryAnswers": { seen, _ in if case .libraryHeard(_, .answered) = seen { [] } else { [seen] } },
    "LibraryGoesOn": { seen, _ in if case .libraryHeard(_, .fix) = seen { [seen, seen] } else { [seen] } },
    "BridgeLosesNothing": { seen, _ in
      if case .published(_, let text, _) = seen, text.contains(#""leave""#) { [] } else { [seen] }
    },
    "BridgeConnectsAgain": { seen, _ in if case .published(_, "online", _) = seen { [] } else { [seen] } },
    "BridgeForgets": { seen, world in
      if case .published = seen, world.elapsed > .seconds(200) { [] } else { [seen] }
    },
  ]

  /// There and back, twice, with programs on the client library and a bridge that has a region at one end.
  static var libraries: Script {
    let trip = [
      Track.Leg(.seconds(2400), speed: 0, course: 0), Track.Leg(.seconds(300), speed: 12, course: 90),
      Track.Leg(.seconds(2400), speed: 0, course: 0), Track.Leg(.seconds(300), speed: 12, course: 270),
    ]
    let track = Track(trip + trip)
    let length = Duration.seconds(3 * 3600)
    let end = length + Script.leaving
    var script = Script(
      seed: 7, length: length, track: track,
      faults: [
        Fault(.reduced(uid: BridgePlan.uid), at: .seconds(200), lasts: .seconds(1500)),
        Fault(.killed, at: .seconds(1900), lasts: .seconds(30)),
      ])
    script.libraryPrograms = [
      LibraryPlan("asks", .asks(every: .seconds(300), accuracy: 100, timeout: 60), from: .seconds(10), to: end),
      LibraryPlan("follows", .follows(interval: 10), from: .seconds(10), to: .seconds(3000)),
    ]
    script.bridge = BridgePlan(
      regions: [ProgramPlan.RegionPlan(id: "region", center: track.place(at: .seconds(4000)), radius: 300)])
    return script
  }
}
