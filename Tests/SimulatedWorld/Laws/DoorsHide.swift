import Positioning

/// Whoever may not know the position, or not precisely, gets no more at the other doors.
struct DoorsHide: Law {
  static let promise = Promise(
    "docs/nmea.md", "Who may not know the precise position is closed at once, and the log says so.")
  /// What was written before is under way for no longer.
  private static let delivery: Duration = .seconds(3)
  /// The 95 % radius of a reduced position is no smaller, in metres.
  private static let reduced = 2000.0

  private enum Limit {
    case denied
    case reduced
  }

  private(set) var breaches: [Breach] = []
  private var limits: [UInt32: (limit: Limit, since: Duration)] = [:]

  mutating func observe(_ observation: Observation, in world: World) {
    switch observation {
    case .administered(let request, let answer):
      guard answer["error"] == nil, let call = JSON(request), let user = call["params"]?["user"]?.number else { return }
      guard call["method"]?.string == "admin.grant" else { return self.limits[UInt32(user)] = nil }
      self.limits[UInt32(user)] = (call["params"]?["level"]?.string == "deny" ? .denied : .reduced, world.elapsed)
    case .fault(let fault, begins: false):
      switch fault.kind {
      case .denied(let user), .reduced(let user): self.limits[user] = nil
      case _: break
      }
    case .report(let program, let report):
      guard let limit = self.limit(of: program, in: world), let fix = DoorFix(report) else { return }
      if limit == .denied || (fix.radius ?? 0) < Self.reduced {
        self.breaches.append(self.breach("\(program.plan.name) is \(limit), and gets \(report.text)", in: world))
      }
    case .sentence(let program, let sentence):
      guard self.limit(of: program, in: world) != nil, let fields = DoorFix.fields(of: sentence),
        fields.contains(where: { $0.utf8.count > 8 && $0.contains(".") })
      else {
        return
      }
      self.breaches.append(self.breach("\(program.plan.name) may not know, and gets \(sentence)", in: world))
    case _: break
    }
  }

  /// What the program may know for so long that it has read what was sent before.
  private func limit(of program: DoorProgram, in world: World) -> Limit? {
    guard let (limit, since) = self.limits[program.plan.uid], world.elapsed - since > Self.delivery,
      let reads = program.readsSince, world.elapsed - reads > Self.delivery || reads > since,
      // A lost decision is not this law's.
      !world.script.faults.contains(where: { $0.kind == .diskFull || $0.kind == .diskBroken || $0.kind == .locked })
    else {
      return nil
    }
    return limit
  }
}
