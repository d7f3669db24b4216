import Positioning

/// While the device rests, the receiver is on no longer than the needs of an hour explain.
struct OnTimeIsBounded: Law {
  static let promise = Promise(
    "docs/energy.md", "the probes of regions, visits, significant changes and paused subscriptions")
  private static let hour: Duration = .seconds(3600)
  /// A start, the fixes that a probe waits for, and the linger.
  private static let probe: Duration = .seconds(120)
  /// "A probe with only such fixes ends after 2 minutes (15 if there was no fix for 4 hours)".
  private static let vain: Duration = .seconds(180)
  private static let first: Duration = .seconds(900)
  /// At rest for less than 15 minutes probes are up to 5 minutes apart, and then up to 15.
  private static let probes = 8
  /// "at growing intervals": 5, 10, 20 and 40 minutes.
  private static let vainProbes = 4
  /// A receiver that only gpsd turns off stays on between probes that are 5 minutes apart.
  private static let unpaid: Duration = .seconds(1200)

  private(set) var breaches: [Breach] = []
  private var onSince: Duration?
  private var times: [Range<Duration>] = []
  private var (isWatched, isPowered) = (false, true)
  private var isReported = false

  mutating func observe(_ observation: Observation, in world: World) {
    switch observation {
    case .hardware(let isWatched, _): self.isWatched = isWatched
    case .radio(let isOn): self.isPowered = isOn
    case .tick: self.check(in: world)
    case _: return
    }
    let isOn = self.isWatched && self.isPowered
    if isOn, self.onSince == nil { self.onSince = world.elapsed }
    if !isOn, let since = self.onSince {
      self.times.append(since..<world.elapsed)
      self.onSince = nil
    }
  }

  private mutating func check(in world: World) {
    let since = world.elapsed - Self.hour
    self.times.removeAll { $0.upperBound < since }
    // What the receiver stays on for to make its next start hot, one that forgets does not keep.
    guard !self.isReported, since > .zero, !world.script.isForgetful, world.desktopPrograms.isEmpty,
      let bound = self.bound(from: since, in: world),
      bound < Self.hour,
      world.script.track.greatestSpeed(from: since, to: world.elapsed) == 0,
      !world.script.isDisturbed(from: since, to: world.elapsed, margin: Self.hour)
    else {
      return
    }
    let on = self.times.reduce(self.onSince.map { world.elapsed - max($0, since) } ?? .zero) {
      $0 + ($1.upperBound - max($1.lowerBound, since))
    }
    guard on > bound else { return }
    self.isReported = true
    self.breaches.append(
      self.breach("the receiver was on for \(on) of an hour, and at most \(bound) are due", in: world))
  }

  /// - Returns: `nil`: somebody may need it all the time.
  private func bound(from since: Duration, in world: World) -> Duration? {
    guard world.doorPrograms.allSatisfy({ $0.plan.from > world.elapsed || $0.plan.to < since }),
      world.libraryPrograms.allSatisfy({ $0.plan.from > world.elapsed || $0.plan.to < since }),
      // "is on while the device is near it": the bridge's regions have no latency.
      world.script.bridge == nil
    else {
      return nil
    }
    var bound = world.script.rung == .watch ? Self.unpaid : Self.probe
    for program in world.programs where program.plan.from < world.elapsed && program.plan.to > since {
      guard let time = self.time(for: program.plan.kind) else { return nil }
      bound += time
    }
    return bound
  }

  private func time(for kind: ProgramPlan.Kind) -> Duration? {
    switch kind {
    case .watchesStatus, .overhears, .requests, .answersPrompts, .crowds, .lies: .zero
    case .visits, .notices: Self.probe * Self.probes
    case .asks(let every, _, let timeout, _):
      (Self.probe + .seconds(timeout)) * (Self.hour / every + 1).rounded(.up)
    case .subscribes(let parameters): JSON(parameters).flatMap { self.time(for: $0) }
    case _: nil
    }
  }

  private func time(for subscription: JSON) -> Duration? {
    switch subscription["mode"]?.string {
    case "passive": .zero
    case "significant": Self.first + Self.probe * Self.probes + Self.vain * Self.vainProbes
    case _:
      subscription["minInterval"]?.number.map {
        Self.probe * (Self.hour.seconds / $0 + 1).rounded(.up)
      }
    }
  }
}
