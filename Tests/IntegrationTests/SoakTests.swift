import EventLoop
import Geodesy
import Glibc
import JSONRPC
import Positioning
import SimulatedWorld
import TestSupport
import Testing

@testable import ReceiverSimulator

/// The unmodified daemon, a real gpsd and a simulated u-blox live for simulated days, 30 times as fast or SPEED=n times, and
/// sleep for an hour each day. `make soak` runs it, for a week or HOURS=n. The simulated world lives through the same, and must
/// come to the same.
@Suite struct SoakTests {
  /// POSITIOND_SOAK: how long, in simulated hours.
  private static let hours = number("POSITIOND_SOAK")
  /// POSITIOND_SOAK_SPEED: how many times as fast as real time.
  private static let factor = number("POSITIOND_SOAK_SPEED") ?? 30
  private static let interval = Soak.interval.seconds

  /// A lap takes 52 minutes, and the device is in the region for half of it.
  private static let centre = Coordinate(latitude: 48.137, longitude: 11.575)
  private static let gate = Region(
    id: "gate",
    shape: .circle(center: centre.moved(distance: Soak.radius, course: 270), radius: Soak.regionRadius))

  private static func number(_ name: String) -> Int? {
    unsafe getenv(name).flatMap { Int(unsafe String(cString: $0)) }
  }

  /// What comes of the same in the simulated world.
  private static func world(hours: Int) throws -> Soak.Outcome {
    let (code, words) = try SystemProgram.run(
      Programs.path("world"), ["--soak", "\(hours)"], within: .seconds(30 + hours))
    let numbers = words.split { $0.isWhitespace }.compactMap { Double($0) }
    try #require(code == 0 && numbers.count == 3, "\(words)")
    return Soak.Outcome(share: numbers[0], fixes: Int(numbers[1]), events: Int(numbers[2]))
  }

  @Test(.enabled(if: hours != nil, "make soak runs it"))
  func `a tracker and a region get what they are owed for days, and the receiver sleeps`() async throws {
    try await withLoop { loop in
      let hours = try #require(Self.hours)
      let time = try FastTime(factor: Self.factor)
      var settings = IntegrationFixture.Settings()
      settings.receiver.route = .circle(centre: Self.centre, radius: Soak.radius, speed: Soak.speed)
      settings.receiver.receiver = ReceiverModel.Settings(kind: .ublox, keepsRunning: true)
      settings.gpsdArguments = []
      settings.configuration = ["receiver.rung=ublox", "receiver.linger=60s"]
      settings.time = time
      let fixture = try IntegrationFixture(settings)
      // A life of hours that fails must show why.
      defer { print(fixture.log.suffix(20_000)) }
      let (tracker, watcher) = (try fixture.client(), try fixture.client())
      _ = try watcher.call("region.add", Self.gate.parameters)
      _ = try tracker.call(
        "position.subscribe", ["accuracy": "city", "minInterval": .number(Self.interval), "replay": "none"])

      func seconds(_ moment: Instant) -> Double { time.clock.time(at: moment).sinceBoot.seconds }
      func now() -> Double { seconds(Clocks.system.sinceBoot()) }
      let began = now()
      var (fixes, sleeps, events) = ([Double](), [(from: Double, until: Double)](), [JSONValue]())
      while now() < began + Double(hours) * 3600 {
        if let arrival = try tracker.notification("position.update")["fix"]?["arrival"]?.double {
          fixes.append(arrival)
        }
        while let event = try? watcher.notification("region.event", within: 0.01) { events.append(event) }
        // What ends with a day has no night after it.
        let night = Double(sleeps.count + 1) * Soak.day.seconds
        if night < Double(hours) * 3600, now() - began > night {
          let stood = try fixture.standStill(for: Soak.sleep / Self.factor, on: loop)
          sleeps.append((seconds(stood.from), seconds(stood.until)))
        }
      }

      let log = try #require(try fixture.onLoop { $0.receiver?.powerLog })
      let end = time.clock.time(at: Clocks.system.sinceBoot())
      let on = log.poweredTime(until: end).seconds / (end.sinceBoot.seconds - began)
      print(
        "\(hours) h: \(fixes.count) fixes, \(events.count) events, \(log.starts) starts, on \(100 * on) % of the time")

      for (last, next) in zip(fixes, fixes.dropFirst())
      where !sleeps.contains(where: { $0.from < next && last < $0.until }) {
        #expect(next - last < 2 * Self.interval, "no fix from \(last - began) to \(next - began)")
      }
      for sleep in sleeps {
        let first = try #require(fixes.first { $0 > sleep.until }, "no fix after the sleep")
        #expect(first - sleep.until < Self.interval, "the first fix after a sleep came late")
      }
      // It enters and leaves in turn, where it is said to, twice in each lap that was not slept through.
      let kinds = events.compactMap { $0["event"]?.text }
      #expect(zip(kinds, kinds.dropFirst()).allSatisfy { $0 != $1 }, "\(kinds)")
      let lap = 2 * Double.pi * Soak.radius / Soak.speed
      let owed = 2 * (now() - began - Double(sleeps.count) * Soak.sleep.seconds) / lap
      #expect(
        Double(events.count) > owed - 2 - 4 * Double(sleeps.count) && Double(events.count) < owed + 3, "owed \(owed)")
      #expect(on < 0.5, "it is off most of the time")
      let world = try Self.world(hours: hours)
      print("the simulated world: \(world)")
      // Starts take other times there, and what was slept through begins at other moments.
      #expect(on / world.share > 0.67 && on / world.share < 1.5)
      #expect(abs(fixes.count - world.fixes) < world.fixes / 20 + 3)
      #expect(abs(events.count - world.events) <= 3 + 4 * sleeps.count)
      let status = try tracker.call("status.get")
      let said = try #require(status["power"]?["onSeconds"]?.double)
      // What gpsd and the daemon need for a start and a stop is so many times as long in this time: 50 ms are 1.5 s of 30.
      let powered = log.poweredTime(until: end).seconds
      #expect(
        abs(said - powered) < 0.05 * powered + 0.066 * Double(Self.factor * log.starts),
        "the daemon says it was on for \(said) s, and it was for \(powered) s")
    }
  }
}

extension Region {
  fileprivate var parameters: [String: JSONValue] {
    guard case .circle(let centre, let radius) = self.shape else { return [:] }
    return [
      "id": .string(self.id),
      "circle": [
        "latitude": .number(centre.latitude), "longitude": .number(centre.longitude), "radius": .number(radius),
      ],
    ]
  }
}
