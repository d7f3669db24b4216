import Positioning
import WorldSupport

/// Ages never fall without a new epoch, and are right.
struct AgesRise: Law {
  static let promise = Promise(
    "docs/protocol.md", "Seconds since the arrival when this was sent, and the lag.")

  private struct Last {
    let arrival: Double
    let age: Double
    let time: Timestamp?
  }

  /// Seconds in which a program has read what was sent.
  private static let delivery = 3.0

  private(set) var breaches: [Breach] = []
  private var last: [String: Last] = [:]

  mutating func observe(_ observation: Observation, in world: World) {
    guard case .notified(let program, "position.update", let message) = observation, !program.plan.isHeir else {
      if case .connected(let program) = observation { self.last[program.plan.name] = nil }
      return
    }
    guard let fix = message["params"]?["fix"], let arrival = fix["arrival"]?.number, let age = fix["age"]?.number else {
      return
    }
    let name = program.plan.name
    if let last = self.last[name] {
      if arrival < last.arrival { self.breaches.append(self.breach("\(name) got an older fix than before", in: world)) }
      // What has waited for the daemon arrives together.
      if arrival == last.arrival, fix["time"]?.time == last.time, age < last.age {
        self.breaches.append(self.breach("\(name): the age of one fix fell from \(last.age) to \(age)", in: world))
      }
    }
    self.last[name] = Last(arrival: arrival, age: age, time: fix["time"]?.time)
    // Whoever reads late has an older age than was sent.
    let present = world.machine.sinceBoot.seconds - arrival + (fix["lag"]?.number ?? 0)
    if age > present + 0.1 {
      self.breaches.append(self.breach("\(name): a fix of \(present) s is said to be \(age) s old", in: world))
    }
    let isRead =
      program.isReading
      && !world.script.isDisturbed(
        from: world.elapsed - .seconds(60), to: world.elapsed, margin: .seconds(5),
        by: { $0.isAbsence || $0 == .busy || $0.isUnread })
    if isRead, age < present - Self.delivery {
      self.breaches.append(self.breach("\(name): a fix of \(present) s is said to be only \(age) s old", in: world))
    }
  }
}
