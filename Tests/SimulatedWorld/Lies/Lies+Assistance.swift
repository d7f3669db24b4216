import Positioning

/// The lies of the laws about assisted starts, and their world.
extension Lies {
  static let liesOfStarts: [String: @Sendable (Observation, World) -> [Observation]] = [
    "StartsAreNoSlower": { seen, _ in
      guard case .acquired(let after, _) = seen else { return [seen] }
      return [.acquired(after: after, without: after - .seconds(1))]
    },
    "StartsAreAssisted": { seen, _ in
      guard case .acquired(let after, let without) = seen else { return [seen] }
      return [.acquired(after: after + .seconds(20), without: without)]
    },
  ]

  /// A program that needs the position now and then, and a receiver that forgets in between.
  static var forgetful: Script {
    let length = Duration.seconds(3 * 3600)
    var script = Script(
      seed: 12, length: length, track: Track([Track.Leg(.seconds(14_400), speed: 0, course: 0)]),
      programs: [
        ProgramPlan(
          "borrows", .borrows(every: .seconds(900), duration: 120), from: .seconds(10), to: length + Script.leaving)
      ], rung: .unit)
    (script.isForgetful, script.clockError) = (true, .milliseconds(5))
    return script
  }
}
