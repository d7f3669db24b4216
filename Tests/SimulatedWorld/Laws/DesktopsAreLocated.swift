import Positioning

/// A program that uses GeoClue's interface gets locations as long as it needs them, whatever becomes of the daemon.
struct DesktopsAreLocated: Law {
  static let promise = Promise(
    "docs/geoclue.md", "While positiond restarts, programs stay active and get locations again when it is back.")
  /// In the calm, between two locations: beyond the threshold, a start of the receiver and a program that reads late.
  private static let slack: Duration = .seconds(150)

  private(set) var breaches: [Breach] = []
  private var thresholds: [String: UInt32] = [:]
  private var newest: [String: Duration] = [:]
  private var reported: Set<String> = []

  mutating func observe(_ observation: Observation, in world: World) {
    switch observation {
    case .desktop(let program, .changed(let time)):
      let name = program.plan.name
      self.thresholds[name] = time
    case .desktop(let program, .started), .desktop(let program, .updated):
      self.newest[program.plan.name] = world.elapsed
    case .desktop(let program, .active(false)):
      guard program.isStarted, !world.script.mayRefuse(program.plan.uid) else { return }
      self.breaches.append(self.breach("\(program.plan.name) is not active any more", in: world))
    case .tick: for program in world.desktopPrograms where program.isStarted { self.check(program, in: world) }
    case _: break
    }
  }

  private mutating func check(_ program: DesktopProgram, in world: World) {
    let name = program.plan.name
    let calm = world.script.length + EverythingRecovers.bound
    guard program.plan.distance == 0, !program.plan.isCoarse, let newest = self.newest[name],
      world.elapsed < world.script.length + Script.leaving,
      world.elapsed - max(calm, newest) > .seconds(self.thresholds[name] ?? 0) + Self.slack,
      self.reported.insert(name).inserted
    else {
      return
    }
    self.breaches.append(self.breach("\(name) gets no location since \(newest)", in: world))
  }
}

extension Script {
  /// Whether somebody may take the position from a user.
  func mayRefuse(_ uid: UInt32) -> Bool {
    self.faults.contains { fault in
      switch fault.kind {
      case .denied(uid), .deleted(uid), .renamed(uid), .disabled: true
      case _: false
      }
    }
  }
}
