import Positioning

/// Who asked for fixes at an interval gets none sooner, and so no epoch twice.
struct IntervalsAreKept: Law {
  static let promise = Promise(
    "docs/protocol.md", "A fix may be early by a tenth of `minInterval`, but no more than 30 s.")
  /// Seconds: epochs come some tenths of a second after their time.
  private static let tolerance = 0.15

  private struct Last {
    let arrival: Double
    let time: Duration
  }

  private(set) var breaches: [Breach] = []
  private var last: [String: Last] = [:]

  mutating func observe(_ observation: Observation, in world: World) {
    switch observation {
    case .connected(let program): self.last[program.plan.name] = nil
    case .notified(let program, "subscription.ended", _), .notified(let program, "authorization.changed", _):
      self.last[program.plan.name] = nil
    case .notified(let program, "position.update", let message):
      guard let interval = program.plan.kind.interval, let update = message["params"], update["replay"] == nil,
        update["repeat"] == nil
      else {
        return
      }
      for fix in update.fixes { self.check(fix, interval, of: program, in: world) }
    case _: break
    }
  }

  private mutating func check(_ fix: JSON, _ interval: Double, of program: Program, in world: World) {
    guard let arrival = fix["arrival"]?.number, let time = fix["time"]?.time else { return }
    let new = Last(arrival: arrival, time: world.moment(of: time))
    defer { self.last[program.plan.name] = new }
    guard let last = self.last[program.plan.name] else { return }
    let least = interval - min(interval / 10, 30) - Self.tolerance
    guard new.arrival - last.arrival < least, (new.time - last.time).seconds < least else { return }
    self.breaches.append(
      self.breach(
        "\(program.plan.name) asked for a fix in \(interval) s, and gets one after \(new.arrival - last.arrival) s",
        in: world))
  }
}

extension ProgramPlan.Kind {
  /// Seconds: the least time between two fixes that it asks for.
  fileprivate var interval: Double? {
    switch self {
    case .follows(let interval, _), .collects(let interval, _): interval
    case .borrows: Self.borrowedInterval
    case _:
      nil
    }
  }
}
