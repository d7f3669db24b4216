import Positioning

/// The client library ends each request, once, and in time, whatever becomes of its connection.
struct LibraryAnswers: Law {
  static let promise = Promise(
    "Sources/PositionClient/PositionClient.docc/WhenTheConnectionIsLost.md",
    "If the connection is lost before the answer arrives, these requests are repeated: for a position within the rest of its timeout"
  )
  /// Beyond the timeout, of time in which the daemon or its machine was neither stopped nor asleep nor loaded.
  private static let slack: Duration = .seconds(5)

  private(set) var breaches: [Breach] = []
  /// The requests that wait, by their program: the number and when it was made.
  private var waiting: [String: (number: Int, at: Duration)] = [:]
  private var reported: Set<String> = []

  mutating func observe(_ observation: Observation, in world: World) {
    switch observation {
    case .libraryAsked(let program, let number): self.waiting[program.plan.name] = (number, world.elapsed)
    case .libraryHeard(let program, .answered(let number, _)), .libraryHeard(let program, .refused(let number, _)):
      self.check(program, in: world)
      if case .libraryHeard(_, .refused(_, isUnreachable: true)) = observation { self.gaveUp(program, in: world) }
      guard self.waiting.removeValue(forKey: program.plan.name)?.number != number else { return }
      self.breaches.append(self.breach("\(program.plan.name) got a second answer to request \(number)", in: world))
    case .tick: for program in world.libraryPrograms where program.isRunning { self.check(program, in: world) }
    case _: break
    }
  }

  /// It has not waited for a connection any longer.
  private mutating func gaveUp(_ program: LibraryProgram, in world: World) {
    guard let request = self.waiting[program.plan.name], case .asks(_, _, let timeout) = program.plan.use,
      world.elapsed - request.at < .seconds(timeout) - .milliseconds(100)
    else {
      return
    }
    self.breaches.append(
      self.breach(
        "\(program.plan.name): request \(request.number) was given up after \(world.elapsed - request.at)", in: world))
  }

  private mutating func check(_ program: LibraryProgram, in world: World) {
    guard let request = self.waiting[program.plan.name], case .asks(_, _, let timeout) = program.plan.use else {
      return
    }
    let limit = .seconds(timeout) + Self.slack
    guard world.elapsed - request.at > limit,
      // Nobody answers meanwhile, or the program itself does not run.
      !world.script.isDisturbed(from: request.at, to: world.elapsed, by: { $0.isStandstill }),
      self.reported.insert("\(program.plan.name) \(request.number)").inserted
    else {
      return
    }
    self.breaches.append(
      self.breach("\(program.plan.name): request \(request.number) was not over in \(limit)", in: world))
  }
}

extension Fault.Kind {
  /// Whether programs or the daemon stand still or are slow, while their connections stay.
  var isStandstill: Bool {
    switch self {
    case .suspend, .stopped, .busy, .powerCut: true
    case _: false
    }
  }
}
