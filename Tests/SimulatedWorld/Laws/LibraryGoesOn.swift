import Positioning

/// A sequence of the client library goes on over lost connections, and says so.
struct LibraryGoesOn: Law {
  static let promise = Promise(
    "Sources/PositionClient/PositionClient.docc/WhenTheConnectionIsLost.md",
    "The first fix afterwards is delivered regardless of `minInterval` and `minDistance`, because the new daemon does not know the fixes before; no fix is delivered twice."
  )
  /// In the calm, between two fixes: beyond the interval, a receiver that rests meanwhile and a search.
  private static let slack: Duration = .seconds(120)

  private struct Sequence {
    var isConnected = false
    var newest: Timestamp?
    /// Whether there was no fix since it was connected again.
    var isNew = false
    var heardAt: Duration?
  }

  private(set) var breaches: [Breach] = []
  private var sequences: [String: Sequence] = [:]
  private var reported: Set<String> = []

  mutating func observe(_ observation: Observation, in world: World) {
    switch observation {
    case .libraryHeard(let program, let heard): self.take(heard, of: program, in: world)
    case .tick: for program in world.libraryPrograms where program.isRunning { self.check(program, in: world) }
    case .fault(let fault, begins: true) where fault.kind == .powerCut: self.sequences = [:]
    case _: break
    }
  }

  private mutating func take(_ heard: LibraryProgram.Heard, of program: LibraryProgram, in world: World) {
    let name = program.plan.name
    var sequence = self.sequences[name] ?? Sequence()
    func breach(_ text: String) -> Breach { self.breach("\(name) \(text)", in: world) }
    switch heard {
    case .fix(let fix):
      if !sequence.isConnected { self.breaches.append(breach("gets a fix without a connection")) }
      sequence.heardAt = world.elapsed
      defer { sequence.isNew = false }
      // Reduced fixes have times of their own.
      if !fix.isReduced, let time = fix.time {
        // "A receiver that hangs repeats its last fix, and a new daemon cannot know that."
        let isRepeated =
          sequence.isNew && time == sequence.newest
          && world.script.isDisturbed(from: world.elapsed, to: world.elapsed, by: { $0 == .frozen })
        if let newest = sequence.newest, time <= newest, !isRepeated, !world.script.hasOddTimes {
          self.breaches.append(breach("gets the fix of \(time) after the one of \(newest)"))
        }
        sequence.newest = time
        self.judge(fix, at: time, name, in: world)
      }
    case .answered(_, let fix?): if !fix.isReduced, let time = fix.time { self.judge(fix, at: time, name, in: world) }
    case .answered, .refused: return
    case .begun, .reconnected:
      if sequence.isConnected { self.breaches.append(breach("is connected twice")) }
      (sequence.isConnected, sequence.isNew) = (true, true)
    case .disconnected:
      sequence.isConnected = false
    case .suspended: sequence.isConnected = false
    case .over(let error):
      if program.isRunning, error != nil, !world.script.mayRefuse(program.plan) {
        self.breaches.append(breach("has ended: \(error ?? "")"))
      }
    }
    self.sequences[name] = sequence
  }

  private mutating func judge(_ fix: LibraryProgram.SeenFix, at time: Timestamp, _ name: String, in world: World) {
    guard let accuracy = fix.accuracy else { return }
    let error = fix.place.distance(to: world.script.track.place(at: world.moment(of: time)))
    guard error > accuracy * FixesAreTrue.radii + 1 else { return }
    self.breaches.append(self.breach("\(name) got a fix that is wrong by \(error) m and says \(accuracy) m", in: world))
  }

  private mutating func check(_ program: LibraryProgram, in world: World) {
    guard case .follows(let interval) = program.plan.use, world.elapsed < world.script.length + Script.leaving else {
      return
    }
    let calm = world.script.length + EverythingRecovers.bound
    let since = max(calm, self.sequences[program.plan.name]?.heardAt ?? .zero)
    guard world.elapsed - since > .seconds(interval) + Self.slack, !world.script.mayRefuse(program.plan),
      self.reported.insert(program.plan.name).inserted
    else {
      return
    }
    self.breaches.append(self.breach("\(program.plan.name) gets no fix since \(since)", in: world))
  }
}

extension Script {
  /// Whether a person or an administrator may end the program's sequence.
  fileprivate func mayRefuse(_ plan: LibraryPlan) -> Bool {
    self.asksPersons || self.faults.contains { $0.kind == .denied(uid: plan.uid) || $0.kind == .disabled }
  }
}
