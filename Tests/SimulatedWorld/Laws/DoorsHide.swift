import Positioning

/// Whoever may not know the position, or not precisely, gets no more at the other doors.
struct DoorsHide: Law {
  static let promise = Promise(
    "docs/nmea.md", "Who may not know the precise position is closed at once, and the log says so.")
  /// What was written before is under way for no longer.
  private static let delivery: Duration = .seconds(3)
  /// What the kernel keeps of a connection whose client does not read, and nobody can take back; in bytes.
  private static let buffered = 208 << 10
  /// The 95 % radius of a reduced position is no smaller, in metres.
  private static let reduced = 2000.0

  private enum Limit {
    case denied
    case reduced
  }

  private(set) var breaches: [Breach] = []
  private var limits: [UInt32: (limit: Limit, since: Duration)] = [:]
  private var entered: [String: Duration] = [:]
  /// What each program has read since it last began to read, in bytes.
  private var read: [String: (since: Duration, bytes: Int)] = [:]

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
    case .entered(let program): self.entered[program.plan.name] = world.elapsed
    case .report(let program, let report):
      self.count(report.text, of: program)
      guard let limit = self.limit(of: program, in: world), let fix = DoorFix(report) else { return }
      if limit == .denied || (fix.radius ?? 0) < Self.reduced {
        self.breaches.append(self.breach("\(program.plan.name) is \(limit), and gets \(report.text)", in: world))
      }
    case .sentence(let program, let sentence):
      self.count(sentence, of: program)
      guard self.limit(of: program, in: world) != nil, let fields = DoorFix.fields(of: sentence),
        fields.contains(where: { $0.utf8.count > 8 && $0.contains(".") })
      else {
        return
      }
      self.breaches.append(self.breach("\(program.plan.name) may not know, and gets \(sentence)", in: world))
    case _: break
    }
  }

  private mutating func count(_ text: String, of program: DoorProgram) {
    guard let since = program.readsSince else { return }
    let read = self.read[program.plan.name]
    let bytes = read?.since == since ? read?.bytes ?? 0 : 0
    self.read[program.plan.name] = (since, bytes + text.utf8.count)
  }

  /// What the program may know for so long that it has read what was sent before.
  private func limit(of program: DoorProgram, in world: World) -> Limit? {
    guard let (limit, since) = self.limits[program.plan.uid], world.elapsed - since > Self.delivery,
      let reads = program.readsSince,
      world.elapsed - reads > Self.delivery || self.entered[program.plan.name].map({ $0 > since }) ?? true
        || (reads > since && self.read[program.plan.name].map({ $0.bytes > Self.buffered }) ?? false),
      // A lost decision is not this law's.
      !world.script.faults.contains(where: { $0.kind == .diskFull || $0.kind == .diskBroken || $0.kind == .locked })
    else {
      return nil
    }
    return limit
  }
}
