import Positioning

/// Each request is answered exactly once, and in time.
struct OneAnswer: Law {
  static let promise = Promise("docs/protocol.md", "Gets one fix. It is always answered, by its timeout.")
  /// Beyond a timeout: turns of the loop, and a script's stops that are shorter than the loop notices.
  private static let slack: Duration = .seconds(3)
  /// What is answered at once, and what waits for the disk.
  private static let atOnce: Duration = .seconds(5)
  private static let stored: Duration = .seconds(31)
  /// What is read, and what is written, on a machine whose deliveries take half a second each.
  private static let busy: Duration = .seconds(4)
  /// A person has two minutes, and what was decided is stored.
  private static let decided: Duration = .seconds(120 + 31)

  private(set) var breaches: [Breach] = []
  private var reported: Set<String> = []

  mutating func observe(_ observation: Observation, in world: World) {
    switch observation {
    case .strange(let program, let line):
      self.breaches.append(self.breach("\(program.plan.name) got what it did not ask for: \(line)", in: world))
    case .answered(let program, let request, _): self.check(program, request, in: world)
    case .tick:
      for program in world.programs where program.isReading {
        for request in program.waiting { self.check(program, request, in: world) }
      }
    case _: break
    }
  }

  private mutating func check(_ program: Program, _ request: Observation.Request, in world: World) {
    let limit: Duration =
      switch request.method {
      case "position.get" where world.script.asks(program.plan):
        max(.seconds(request.timeout ?? 30) + Self.slack, Self.decided)
      case _ where world.script.asks(program.plan): Self.decided
      case "position.get": .seconds(request.timeout ?? 30) + Self.slack
      case let method where method.hasPrefix("durable.") || request.parameters.contains("durable"): Self.stored
      case _: Self.atOnce
      }
    let isBusy = world.script.isDisturbed(from: request.sentAt, to: world.elapsed, by: { $0 == .busy })
    guard world.awake - request.sentAwake > limit + (isBusy ? Self.busy : .zero), program.isReading,
      // What was not read in time was answered in time for all that can be seen.
      !world.script.isDisturbed(
        from: request.sentAt, to: world.elapsed, by: { $0 == .unread(program: program.plan.name) }),
      self.reported.insert("\(program.plan.name) \(request.id)").inserted
    else {
      return
    }
    self.breaches.append(
      self.breach(
        "\(program.plan.name): \(request.method) of \(request.sentAt) was not answered in \(limit)", in: world))
  }
}
