import Positioning

/// A program on the message bus whose user may not know learns nothing, and learns again when he may.
struct DesktopDenialHides: Law {
  static let promise = Promise(
    "docs/geoclue.md",
    "`Active` becomes false when permission is taken away, and true when it returns. Meanwhile `Location` is `/`.")
  /// Of a bus and a program that are late.
  private static let bound: Duration = .seconds(45)

  private(set) var breaches: [Breach] = []
  private var inactive: Set<String> = []
  /// Since when users are denied, or are not any more.
  private var deniedSince: [UInt32: Duration] = [:]
  private var grantedSince: [UInt32: Duration] = [:]
  private var reported: Set<String> = []

  mutating func observe(_ observation: Observation, in world: World) {
    switch observation {
    case .administered(let request, let answer) where answer["error"] == nil: self.take(request, in: world)
    case .fault(let fault, begins: false):
      if case .denied(let uid) = fault.kind { self.deniedSince[uid] = nil }
    case .desktop(let program, let seen): self.take(seen, of: program, in: world)
    case .tick: for program in world.desktopPrograms where program.isStarted { self.check(program, in: world) }
    case _: break
    }
  }

  private mutating func take(_ request: String, in world: World) {
    guard let call = JSON(request), let user = call["params"]?["user"]?.number else { return }
    let uid = UInt32(user)
    let isDenied = call["method"]?.string == "admin.grant" && call["params"]?["level"]?.string == "deny"
    self.deniedSince[uid] = isDenied ? world.elapsed : nil
    self.grantedSince[uid] = isDenied ? nil : world.elapsed
  }

  private mutating func take(_ seen: DesktopProgram.Seen, of program: DesktopProgram, in world: World) {
    let name = program.plan.name
    switch seen {
    case .active(false): self.inactive.insert(name)
    case .active(true), .starts, .ends, .lost: self.inactive.remove(name)
    case .started:
      guard let since = self.deniedSince[program.plan.uid], world.elapsed - since > Self.bound else { return }
      self.breaches.append(self.breach("\(name) is denied since \(since), and starts", in: world))
    case .updated, .located:
      guard self.inactive.contains(name) else { return }
      self.breaches.append(self.breach("\(name) is not active, and sees \(seen)", in: world))
    case .refused, .forgotten, .unread, .changed, .intruded, .hoarded: break
    }
  }

  private mutating func check(_ program: DesktopProgram, in world: World) {
    let (name, uid) = (program.plan.name, program.plan.uid)
    let isInactive = self.inactive.contains(name)
    guard let since = isInactive ? self.grantedSince[uid] : self.deniedSince[uid],
      world.elapsed - since > Self.bound,
      !world.script.isDisturbed(
        from: since, to: world.elapsed, margin: .seconds(60), by: { $0.disturbsDesktop || $0 == .disabled }),
      self.reported.insert("\(name) \(since)").inserted
    else {
      return
    }
    self.breaches.append(
      self.breach(
        isInactive
          ? "\(name) may know since \(since), and is not active" : "\(name) is denied since \(since), and is active",
        in: world))
  }
}
