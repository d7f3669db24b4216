import Positioning
import WorldSupport

/// An event that waits starts its user's unit soon, but not often, and nobody else's.
struct UnitsAreStarted: Law {
  static let promise = Promise(
    "docs/wake.md",
    "The events of one user start a unit at most once in 5 minutes, whichever of the user's durable names they belong to, and over a restart of the daemon too."
  )
  private static let spacing: Duration = .seconds(300)
  /// A start counts from when it is decided if it happens so soon after.
  private static let lateness: Duration = .seconds(2)
  /// Until an event is stored and its unit is started.
  private static let bound: Duration = .seconds(30)

  private(set) var breaches: [Breach] = []
  private var starts: [String: [Duration]] = [:]
  /// The last time that the machine booted.
  private var bootedAt: Duration = .zero
  /// Units of which a durable name has been registered, and may be there.
  private var wanted: Set<String> = []
  /// Since when no rule lists a user's unit.
  private var unlisted: [UInt32: Duration] = [:]
  private var left: [String: Duration] = [:]
  private var reported: Set<String> = []

  mutating func observe(_ observation: Observation, in world: World) {
    switch observation {
    case .sent(let program, let request):
      if let unit = program.unit, request.parameters.contains(#""wake""#) { self.wanted.insert(unit) }
    case .answered(let program, let request, let message) where request.method == "durable.remove":
      // A registration may be on its way.
      let isRegistering = program.waiting.contains { $0.parameters.contains(#""wake""#) }
      if let unit = program.unit, message["error"] == nil, !isRegistering { self.wanted.remove(unit) }
    case .fault(let fault, let begins):
      if case .unlisted(let user) = fault.kind { self.unlisted[user] = begins ? world.elapsed : nil }
      if fault.kind == .powerCut, !begins { self.bootedAt = world.elapsed }
    case .disconnected(let program): self.left[program.plan.name] = world.elapsed
    case .started(let unit, _): self.take(unit, in: world)
    case .notified(let program, _, let message):
      if let unit = program.unit { self.judge(message, program, unit, in: world) }
    case _: break
    }
  }

  private mutating func take(_ unit: String, in world: World) {
    let owner = world.programs.first { $0.unit == unit }
    // What an earlier version has registered may have a unit too.
    guard owner != nil || world.script.database == nil else { return }
    if !self.wanted.contains(unit) {
      self.breaches.append(self.breach("\(unit) is started, and nobody has registered it", in: world))
    }
    if let user = owner?.plan.uid, let since = self.unlisted[user], world.elapsed - since > Self.bound,
      !world.script.isDisturbed(from: since, to: world.elapsed, by: { $0.isAbsence || $0 == .busy })
    {
      self.breaches.append(self.breach("\(unit) is started, and no rule lists it since \(since)", in: world))
    }
    if let last = self.starts[unit]?.last, last > self.bootedAt,
      world.elapsed - last < Self.spacing - Self.lateness
    {
      self.breaches.append(self.breach("\(unit) is started \(world.elapsed - last) after the last time", in: world))
    }
    self.starts[unit, default: []].append(world.elapsed)
  }

  /// An event that has come at last should have started the unit, if it waited for long.
  private mutating func judge(_ message: JSON, _ program: Program, _ unit: String, in world: World) {
    guard let event = message["params"], event["eventId"] != nil, let fix = event.fixes.last,
      let arrival = fix["arrival"]?.number
    else {
      return
    }
    let moment = world.elapsed - (world.machine.sinceBoot - .seconds(arrival))
    // What a client has left unacknowledged waits from then on.
    let since = max(moment, self.left[program.plan.name] ?? .zero)
    let latest = since + Self.spacing + Self.bound
    guard moment > self.bootedAt, world.elapsed > latest,
      !(self.starts[unit] ?? []).contains(where: { $0 > since - Self.bound && $0 <= latest }),
      !world.script.isDisturbed(
        from: since - Self.bound, to: latest, margin: .seconds(60),
        by: { $0.delaysStarts }),
      self.reported.insert("\(unit) \(since)").inserted
    else {
      return
    }
    self.breaches.append(self.breach("an event waited since \(since), and \(unit) was not started", in: world))
  }
}

extension Fault.Kind {
  /// Whether an event may wait meanwhile without a start of its unit.
  fileprivate var delaysStarts: Bool {
    switch self {
    case .diskFull, .diskBroken, .locked, .disabled, .unlisted, .busy: true
    case _: self.isAbsence
    }
  }
}
