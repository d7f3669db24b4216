import Glibc
import Positioning

/// The life of `make soak` in the simulated world: a device goes round for days, a tracker follows it, somebody watches a
/// region, and the machine sleeps for an hour a day.
package enum Soak {
  /// What came of it.
  package struct Outcome: Hashable, Sendable {
    /// Which part of the time the receiver was on.
    package var share: Double
    package var fixes: Int
    /// Entries and exits.
    package var events: Int

    package init(share: Double, fixes: Int, events: Int) {
      (self.share, self.fixes, self.events) = (share, fixes, events)
    }
  }

  /// Metres.
  package static let radius = 5000.0
  /// Metres per second.
  package static let speed = 10.0
  package static let interval: Duration = .seconds(300)
  package static let day: Duration = .seconds(86_400)
  package static let sleep: Duration = .seconds(3600)
  /// The region's radius. Its centre is a point of the way, so that half of the way is inside.
  package static let regionRadius = radius * 2.0.squareRoot()

  /// - Parameter hours: How long it lasts.
  package static func script(hours: Int) -> Script {
    let length = Duration.seconds(hours * 3600)
    // A circle of straight parts, clockwise from its north.
    let parts = 180
    let lap = Duration.seconds(2 * Double.pi * Self.radius / Self.speed)
    let count = Int((length / lap).rounded(.up)) * parts
    let track = Track(
      (0..<count).map { part in
        Track.Leg(lap / parts, speed: Self.speed, course: 90 + 360 * (Double(part) + 0.5) / Double(parts))
      })
    let west = Track.Place(east: -Self.radius, north: -Self.radius)
    let region = ProgramPlan.RegionPlan(id: "gate", center: west, radius: Self.regionRadius)
    var script = Script(
      seed: 1, length: length, track: track,
      programs: [
        ProgramPlan(
          "watcher", .watches([region], durable: false), from: .seconds(1), to: length)
      ], rung: .ublox)
    script.libraryPrograms = [
      LibraryPlan("tracker", .tracks(interval: Int(Self.interval.seconds)), from: .seconds(1), to: length)
    ]
    var night = Self.day
    while night < length {
      script.faults.append(Fault(.suspend, at: night, lasts: Self.sleep))
      night += Self.day
    }
    return script
  }

  package static func run(hours: Int) throws -> Outcome {
    let script = Self.script(hours: hours)
    let world = World(script, laws: [], keepsRecord: true)
    _ = try world.run()
    var outcome = Outcome(share: 0, fixes: 0, events: 0)
    var (on, onSince): (Duration, Duration?) = (.zero, .zero)
    for record in world.record where record.at <= script.length {
      switch record.observation {
      case .radio(let isOn):
        if let since = onSince { on += record.at - since }
        onSince = isOn ? record.at : nil
      case .libraryHeard(_, .fix): outcome.fixes += 1
      case .notified(_, "region.event", _): outcome.events += 1
      case _: break
      }
    }
    if let onSince { on += script.length - onSince }
    outcome.share = on / script.length
    return outcome
  }
}
