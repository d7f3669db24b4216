import Positioning

/// The lies of the laws about regions, stays and visits.
extension Lies {
  static let liesOfPlaces: [String: @Sendable (Observation, World) -> [Observation]] = [
    "DecisionsFitTheirFixes": { seen, _ in
      seen.notification("region.event") { $0.adding(0.01, to: "params", "fix", "latitude") }
    },
    "DecisionsHold": { seen, _ in
      guard seen.isRegionEvent("enter") else { return [seen] }
      return seen.notification("region.event") { $0.setting(Self.onTheWay, at: "params", "fix", "time") }
    },
    "EdgesAreWatched": { seen, _ in seen.isRegionEvent("enter") ? [] : [seen] },
    "InitialStatesAreReported": { seen, _ in
      guard case .notified(_, "region.event", let message) = seen, message["params"]?["initial"] != nil else {
        return [seen]
      }
      return []
    },
    "RegionsKeepTheirState": { seen, _ in
      guard case .answered(let program, let request, let message) = seen, request.method == "region.add" else {
        return [seen]
      }
      return [.answered(program, request, message.setting(.string("unknown"), at: "result", "state"))]
    },
    "RegionsExpire": { seen, _ in seen.isRegionEvent("expired") ? [] : [seen] },
    "AbsencesMakeNoDwell": { seen, world in
      guard case .tick = seen else { return [seen] }
      let absence = Duration.seconds(300)
      return [.fault(Fault(.suspend, at: world.elapsed - absence, lasts: absence), begins: false), seen]
    },
    "PassagesAreTrue": { seen, _ in
      guard seen.isRegionEvent("exit") else { return [seen] }
      return seen.notification("region.event") {
        $0.setting(.string("crossed"), at: "params", "event").setting(Self.onTheWay, at: "params", "fix", "time")
      }
    },
    "VisitsEndByLeaving": { seen, _ in
      [seen]
        + seen.notification("visit.update") {
          $0.with(["params", "visit"]) { $0.adding(Self.onTheWay, as: "departure") }
        }
    },
    "VisitTimesAreKnown": { seen, _ in
      seen.notification("visit.update") { $0.adding(2000, to: "params", "visit", "arrivalUncertainty") }
    },
    "VisitsRarelyLook": { seen, _ in
      if case .hardware = seen { [.hardware(isWatched: true, isOpen: true)] } else { [seen] }
    },
  ]

  /// When the device is between its two places.
  private static let onTheWay = JSON.string("2026-01-01T01:02:30.000Z")

  /// Somebody wants visits, and there is one.
  static var resting: Script {
    let length = Duration.seconds(3 * 3600)
    return Script(
      seed: 7, length: length, track: Track([Track.Leg(length, speed: 0, course: 0)]),
      programs: [ProgramPlan("visits", .visits(durable: false), from: .seconds(5), to: length)])
  }
}

extension Observation {
  fileprivate func isRegionEvent(_ kind: String) -> Bool {
    guard case .notified(_, "region.event", let message) = self else { return false }
    return message["params"]?["event"]?.string == kind
  }
}
