import JSONRPC
import Positioning
import ReceiverSimulator
import TestSupport
import Testing

/// The heading of a simulated device, through a real gpsd and the real daemon.
@Suite(.timeLimit(.minutes(TestDeadline.minutes))) struct HeadingTests {
  private static let munich = Coordinate(latitude: 48.137, longitude: 11.575)

  private static func settings(
    _ route: Route, compass sentence: NMEAEncoder.HeadingSentence? = nil
  ) -> IntegrationFixture.Settings {
    var settings = IntegrationFixture.Settings()
    settings.receiver.route = route
    settings.receiver.hasCompass = sentence != nil
    if let sentence { settings.receiver.nmea.headingSentence = sentence }
    return settings
  }

  /// The declination there, in whatever year the test is run.
  private static let declinations = 2.0...8.0

  private static func declination(_ heading: JSONValue?) throws -> Double {
    let trueHeading = try #require(heading?["trueHeading"]?.double)
    let magneticHeading = try #require(heading?["magneticHeading"]?.double)
    return (trueHeading - magneticHeading).wrappedLongitude
  }

  @Test func `a compass's true heading is delivered, and its magnetic one computed`() async throws {
    try await onOwnThread {
      // On a circle of 60 m the heading turns by almost 10 degrees each second.
      let fixture = try IntegrationFixture(
        Self.settings(.circle(centre: Self.munich, radius: 60, speed: 10), compass: .hdt))
      let client = try fixture.client()
      _ = try client.call("heading.subscribe", ["minChange": 15])
      var received: [Double] = []
      while received.count < 5 {
        let update = try client.notification("heading.update")
        let heading = update["heading"]
        guard heading?["source"] == "sensor", heading?["magneticHeading"] != nil else { continue }
        received.append(try #require(heading?["trueHeading"]?.double))
        #expect(Self.declinations.contains(try Self.declination(heading)), "\(update)")
      }
      let headings = try fixture.onLoop { $0.receiver?.groundTruth.compactMap(\.epoch.heading) ?? [] }
      for heading in received { #expect(headings.contains { $0.turn(to: heading) < 0.01 }, "\(heading)") }
      for (earlier, later) in zip(received, received.dropFirst()) { #expect(earlier.turn(to: later) >= 15) }
    }
  }

  @Test func `a magnetic compass gives a magnetic heading, and the true one is computed, at rest too`() async throws {
    try await onOwnThread {
      let fixture = try IntegrationFixture(Self.settings(.point(Self.munich), compass: .tnthtm))
      let client = try fixture.client()
      // The declination is known with the first fix.
      _ = try client.call("position.get")
      let result = try client.call("heading.get", ["maxAge": 0])
      #expect(result["heading"]?["source"] == "sensor")
      #expect(Self.declinations.contains(try Self.declination(result["heading"])), "\(result)")
      let magnetic = try #require(result["heading"]?["magneticHeading"]?.double)
      let headings = try fixture.onLoop { $0.receiver?.groundTruth.compactMap(\.epoch.heading) ?? [] }
      // The simulated compass is 3.5 degrees off true north.
      #expect(headings.contains { ($0 - 3.5).wrappedCourse.turn(to: magnetic) < 0.1 }, "\(magnetic)")
    }
  }

  @Test func `without a compass the course of the moving device is its heading, and at rest there is none`()
    async throws
  {
    try await onOwnThread {
      let moving = try IntegrationFixture(Self.settings(.line(start: Self.munich, course: 0, speed: 10)))
      let result = try moving.client().call("heading.get")
      #expect(result["status"] == "success")
      #expect(result["heading"]?["source"] == "course")
      #expect(try #require(result["heading"]?["trueHeading"]?.double).turn(to: 0) < 0.01, "\(result)")
      #expect(Self.declinations.contains(try Self.declination(result["heading"])), "\(result)")

      let resting = try IntegrationFixture(Self.settings(.point(Self.munich)))
      let client = try resting.client()
      _ = try client.call("position.get")
      #expect(try client.call("heading.subscribe")["state"] == "acquiring")
      #expect(try client.call("heading.get", ["timeout": 3]) == ["status": "timedOut"])
    }
  }

  @Test func `the least speed of a course as a heading is configurable`() async throws {
    try await onOwnThread {
      var settings = Self.settings(.line(start: Self.munich, course: 90, speed: 10))
      settings.configuration = ["heading.course-min-speed=20"]
      let fixture = try IntegrationFixture(settings)
      let client = try fixture.client()
      _ = try client.call("position.get")
      #expect(try client.call("heading.get", ["timeout": 3]) == ["status": "timedOut"])
    }
  }
}
