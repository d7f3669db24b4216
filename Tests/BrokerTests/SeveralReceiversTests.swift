import Positioning
import ReceiverPorts
import Testing

@testable import Broker

/// The choice between several receivers.
@Suite struct SeveralReceiversTests {
  private static let devices = ["a", "b"].map { ReceiverDevice(path: $0, driver: "u-blox", isActivated: true) }

  /// Both receivers at 1 Hz, "b" 0.4 s after "a"; `nil`: that one is silent.
  private func run(
    _ accuracies: [(a: Double?, b: Double?)], configured: String? = nil
  ) -> [WatchedFilter.Event] {
    var settings = FixSettings()
    settings.device = configured
    var filter = WatchedFilter.knowing(settings, devices: Self.devices)
    return filter.run(
      accuracies.enumerated().flatMap { index, accuracy in
        let second = Double(index + 1)
        return [
          accuracy.a.map { position(second, time: second, accuracy: $0, latitude: 50, device: "a") },
          accuracy.b.map { position(second + 0.4, time: second, accuracy: $0, latitude: 50.0001, device: "b") },
        ].compactMap { $0 }
      })
  }

  @Test("The configured receiver has precedence, however good the other is", arguments: ["a", "b"])
  func configured(device: String) {
    let events = self.run(Array(repeating: (a: 20, b: 2), count: 20), configured: device)
    #expect(events.fixes.count == 20)
    #expect(events.fixes.allSatisfy { $0.device == device })
  }

  @Test("The configured receiver has precedence even while it is silent")
  func configuredSilent() {
    #expect(self.run(Array(repeating: (a: nil, b: 2), count: 20), configured: "a").fixes.isEmpty)
  }

  @Test("A better receiver is believed after five seconds, not before")
  func better() throws {
    let fixes = self.run(Array(repeating: (a: 20, b: 2), count: 20)).fixes
    let change = try #require(fixes.firstIndex { $0.device == "b" })
    #expect(fixes.prefix(change).allSatisfy { $0.device == "a" })
    #expect(fixes.dropFirst(change).allSatisfy { $0.device == "b" })
    #expect(fixes[change].arrival == at(6.4))
  }

  @Test("Receivers that are better in turn do not cause repeated changes")
  func flutter() {
    let accuracies = (0..<60).map { $0 % 4 < 2 ? (a: 3.0, b: 5.0) : (a: 5.0, b: 3.0) }
    #expect(self.run(accuracies.map { (a: $0.a, b: $0.b) }).fixes.allSatisfy { $0.device == "a" })
  }

  @Test("The worse receiver takes over from one that went silent")
  func takesOver() throws {
    let accuracies = (0..<30).map { (a: $0 < 10 ? 2.0 : nil, b: 20.0 as Double?) }
    let fixes = self.run(accuracies).fixes
    #expect(fixes.last?.device == "b")
    #expect(fixes.count >= 10 + 18)
  }

  @Test("A healthy receiver takes over from a silent one before the fix is lost", arguments: [0.05, 0.4, 0.95])
  func failover(offset: Double) throws {
    var filter = WatchedFilter.knowing(devices: Self.devices)
    var events: [WatchedFilter.Event] = []
    for second in 1...30 {
      let begin = Double(second)
      if second <= 10 { events += filter.run([position(begin, time: begin, accuracy: 2, device: "a")]) }
      events += filter.run([position(begin + offset, time: begin, accuracy: 20, device: "b")])
    }
    #expect(events.losses == 0)
    let first = try #require(events.fixes.first { $0.device == "b" })
    #expect(first.arrival <= at(13))
    #expect(events.fixes.count { $0.device == "b" } >= 18)
  }

  @Test("A healthy receiver takes over from one without sky, and the fix is not lost")
  func noSky() {
    var filter = WatchedFilter.knowing(devices: Self.devices)
    var events: [WatchedFilter.Event] = []
    for second in 1...30 {
      let begin = Double(second)
      events += filter.run([
        second <= 10 ? position(begin, time: begin, accuracy: 2, device: "a") : noFix(begin, time: begin, device: "a"),
        position(begin + 0.4, time: begin, accuracy: 20, device: "b"),
      ])
    }
    #expect(events.losses == 0)
    #expect(events.fixes.count { $0.device == "b" } >= 18)
  }

  @Test("A receiver that gpsd does not list any more is not waited for")
  func unlisted() {
    var filter = WatchedFilter.knowing(devices: Self.devices)
    _ = filter.run([position(1, time: 1, accuracy: 2, device: "a"), position(1.4, time: 1, accuracy: 9, device: "b")])
    filter.devicesListed([Self.devices[1]])
    #expect(filter.run([position(2.4, time: 2, accuracy: 9, device: "b")]).fixes.map(\.device) == ["b"])
  }

  @Test("If the other receiver fails as well, the fix is lost")
  func bothDie() {
    var filter = WatchedFilter.knowing(devices: Self.devices)
    var events: [WatchedFilter.Event] = []
    for second in 1...10 {
      events += filter.run([
        position(Double(second), time: Double(second), accuracy: 2, device: "a"),
        position(Double(second) + 0.4, time: Double(second), accuracy: 9, device: "b"),
      ])
    }
    events += filter.run([noFix(11, time: 11, device: "a"), noFix(12, time: 12, device: "a")])
    #expect(events.losses == 0)
    events += filter.advance(to: at(60))
    #expect(events.losses == 1)
  }

  @Test("A slow receiver does not count as silent between its fixes")
  func slow() {
    var filter = WatchedFilter.knowing(devices: Self.devices)
    let events = filter.run(
      (0..<20).flatMap { index in
        let second = Double(index) * 5 + 1
        return [
          position(second, time: second, accuracy: 3, device: "a"),
          position(second + 3, time: second, accuracy: 30, device: "b"),
        ]
      })
    #expect(events.fixes.allSatisfy { $0.device == "a" })
  }

  @Test("Members of two receivers with one time are never mixed")
  func neverMixed() {
    var filter = WatchedFilter.knowing(devices: Self.devices)
    var events: [WatchedFilter.Event] = []
    for second in 1...30 {
      for device in ["a", "b"] {
        var report = position(
          Double(second) + (device == "a" ? 0 : 0.01), time: Double(second), accuracy: device == "a" ? 9 : 2,
          device: device)
        report.altitude = device == "a" ? 100 : nil
        report.speed = device == "b" ? 3 : nil
        events += filter.run([report])
      }
    }
    let all = events.fixes + events.improvements
    #expect(Set(all.map(\.device)) == ["a", "b"])
    for fix in all {
      #expect(fix.altitude == (fix.device == "a" ? 100 : nil))
      #expect(fix.speed == (fix.device == "b" ? 3 : nil))
      #expect(fix.horizontalAccuracy == (fix.device == "a" ? 9 : 2))
    }
  }

  @Test("The other receiver's report without a fix is no loss")
  func otherHasNone() {
    var filter = WatchedFilter.knowing(devices: Self.devices)
    var events: [WatchedFilter.Event] = []
    for second in 1...20 {
      events += filter.run([
        position(Double(second), time: Double(second), device: "a"),
        noFix(Double(second) + 0.4, time: Double(second), device: "b"),
      ])
    }
    #expect(events.losses == 0)
    #expect(events.fixes.count == 20)
  }
}
