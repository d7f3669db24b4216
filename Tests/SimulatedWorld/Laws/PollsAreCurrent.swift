import Positioning

/// A poll at gpsd's door has a position if others have one now.
struct PollsAreCurrent: Law {
  static let promise = Promise(
    "docs/gpsd.md", "A poll right after the watch has the fix that others have, if there is one now")
  /// How young the fix of another one is that the poll must have too.
  private static let recent: Duration = .milliseconds(900)

  private(set) var breaches: [Breach] = []
  /// When a program got a position at a door last.
  private var newest: [String: Duration] = [:]

  mutating func observe(_ observation: Observation, in world: World) {
    switch observation {
    case .left(let program): self.newest[program.plan.name] = nil
    case .report(let program, let report):
      if report["class"]?.string == "POLL" { self.check(report, program, in: world) }
      if DoorFix(report) != nil { self.newest[program.plan.name] = world.elapsed }
    case _: break
    }
  }

  private mutating func check(_ poll: JSON, _ program: DoorProgram, in world: World) {
    guard DoorFix(poll) == nil,
      let others = self.newest.filter({ $0.key != program.plan.name }).map(\.value).max(),
      let reads = program.readsSince, others > reads - Self.recent, world.elapsed - others < Self.recent,
      world.elapsed - reads < .seconds(60),
      !world.script.isDisturbed(from: world.elapsed - .seconds(1200), to: world.elapsed)
    else {
      return
    }
    self.breaches.append(
      self.breach("\(program.plan.name) polls nothing, and another one has a position: \(poll.text)", in: world))
  }
}
