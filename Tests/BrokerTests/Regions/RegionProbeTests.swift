import Geodesy
import Glibc
import Positioning
import Testing

@testable import Broker

/// How long the receiver may sleep.
@Suite struct RegionProbeTests {
  private func nextProbe(_ watch: RegionWatch, after fix: Fix, speedBound: Double = 70, now: Instant? = nil) -> Double?
  {
    var monitor = watch.monitor
    return monitor.nextProbe(after: fix, speedBound: speedBound, now: now ?? fix.arrival)?.seconds
  }

  @Test("Without regions no probe is needed")
  func none() {
    #expect(self.nextProbe(RegionWatch(), after: fix(0, 0)) == nil)
  }

  @Test("The probe's delay is the way to the nearest edge, less error and margin, at the greatest speed")
  func nearest() throws {
    var watch = RegionWatch([circle(), circle("far", 60_000)])
    let here = fix(0, 7122, speed: 0)
    watch.see(here)
    // 7122 - 50 - 12 - 12 = 7048 m.
    #expect(abs(try #require(self.nextProbe(watch, after: here)) - 7048 / 70) < 0.01)
    #expect(abs(try #require(self.nextProbe(watch, after: here, speedBound: 12)) - 7048 / 12) < 0.1)
    // The time since the fix counts.
    #expect(abs(try #require(self.nextProbe(watch, after: here, now: at(60))) - (7048 / 70 - 60)) < 0.01)
    #expect(self.nextProbe(watch, after: here, now: at(200)) == 0)
  }

  @Test("A device that is faster than the greatest speed counts with its own")
  func fast() throws {
    var watch = RegionWatch([circle()])
    let train = fix(0, 7122, speed: 89)
    watch.see(train)
    #expect(abs(try #require(self.nextProbe(watch, after: train)) - 7048 / 89) < 0.01)
  }

  @Test("A train at 89 m/s does not pass a circle of 2 km unseen while the receiver sleeps")
  func train() {
    var journey = Journey()
    journey.daemon.call(
      .addRegion(
        Region(
          id: "town",
          shape: .circle(
            center: Coordinate(latitude: 50 + 40_000 / Journey.metersPerDegree, longitude: 8), radius: 2000))))
    #expect(journey.go(seconds: 600, speed: 89).regionEvents.map(\.kind) == [.enter, .exit])
  }

  @Test("From inside it is the way to the edge")
  func inside() throws {
    var watch = RegionWatch([circle(radius: 5000)])
    let here = fix(0, 3000, speed: 0)
    watch.see(here)
    // 2000 m to the edge; the margin and the error, 12 m each.
    #expect(abs(try #require(self.nextProbe(watch, after: here)) - 1976 / 70) < 0.05)
  }

  @Test("Near an edge, and during a vote, the receiver stays on")
  func near() {
    var watch = RegionWatch([circle()])
    watch.see(fix(0, 65, speed: 0))
    #expect(self.nextProbe(watch, after: fix(0, 65)) == 0)
    var pending = RegionWatch([circle()])
    pending.see(fix(0, 60_000, speed: 0), fix(1, 0, speed: 0))
    #expect(self.nextProbe(pending, after: fix(1, 60_000)) == 0)
  }

  @Test("Far from every region the delay is a quarter of an hour")
  func far() {
    var watch = RegionWatch([circle(), circle("other", 500)])
    watch.see(fix(0, 900_000))
    #expect(self.nextProbe(watch, after: fix(0, 900_000)) == 900)
  }

  @Test("A latency is added to the time in which the device can be at the edge, and each region counts with its own")
  func latency() throws {
    var watch = RegionWatch([circle { $0.latency = .seconds(120) }])
    let near = fix(0, 65)
    watch.see(near)
    #expect(self.nextProbe(watch, after: near) == 120)
    #expect(self.nextProbe(watch, after: near, now: at(60)) == 120, "it can have been at the edge all the time")
    // The way is that of the test above.
    let away = fix(0, 7122, speed: 0)
    #expect(abs(try #require(self.nextProbe(watch, after: away)) - (7048 / 70 + 120)) < 0.01)
    #expect(abs(try #require(self.nextProbe(watch, after: away, now: at(60))) - (7048 / 70 + 60)) < 0.01)
    #expect(self.nextProbe(watch, after: fix(0, 900_000)) == 1020)
    watch.add(circle("later") { $0.latency = .seconds(3600) })
    #expect(self.nextProbe(watch, after: near) == 120)
    watch.monitor.remove(id: "home", of: "me")
    #expect(self.nextProbe(watch, after: near) == 3600)
    #expect(self.nextProbe(watch, after: fix(0, 900_000)) == 4500)
    watch.add(circle("prompt", 7187))
    #expect(abs(try #require(self.nextProbe(watch, after: near)) - 7048 / 70) < 0.05)
    watch.add(circle("prompt", 7187) { $0.latency = .seconds(5) })
    #expect(abs(try #require(self.nextProbe(watch, after: near)) - (7048 / 70 + 5)) < 0.05)
    #expect(self.nextProbe(watch, after: fix(0, 900_000)) == 905)
  }

  @Test("With more regions with a latency than are compared, the probe may be early, and is never late")
  func manyLatencies() {
    var watch = RegionWatch()
    // All are at their edge, and only the farthest has a short latency.
    for number in 0..<4000 { watch.add(circle("\(number)", Double(number) * 2) { $0.latency = .seconds(3600) }) }
    watch.add(circle("short", 20_000) { $0.latency = .seconds(60) })
    var monitor = watch.monitor
    let found = monitor.nextProbe(after: fix(0, 65), speedBound: 70, now: at(0))?.seconds ?? 0
    #expect(found >= 60 && found <= 60 + 20_000 / 70, "\(found)")
    #expect(monitor.candidatesProbed <= 2100, "\(monitor.candidatesProbed)")
  }

  @Test("With more corners than are compared, the probe may be early, and is never late")
  func manyCorners() {
    // All within one ball: the far halves of a disc, and then the disc, at whose edge the device is.
    func part(_ id: String, from start: Double, by share: Double) -> Region {
      let corners = (0..<1000).map { corner in
        let angle = (start + share * Double(corner) / 1000) * 2 * .pi
        return (500 * cos(angle), -505 + 500 * sin(angle))
      }
      return polygon(corners, id: id)
    }
    var watch = RegionWatch((0..<40).map { part("\($0)", from: 0.5, by: 0.5) })
    let here = fix(0, 0, speed: 0)
    #expect((self.nextProbe(watch, after: here) ?? 0) < 505 / 70)
    watch.add(part("disc", from: 0, by: 1))
    #expect(self.nextProbe(watch, after: here) == 0)
  }

  @Test("After a fix without an accuracy the probe continues")
  func unknownAccuracy() {
    var watch = RegionWatch([circle()])
    watch.see(fix(0, 7122))
    #expect(self.nextProbe(watch, after: fix(1, 7122, accuracy95: nil)) == 0)
  }

  @Test(
    "The index finds the same regions as a scan, without scanning all", arguments: 1...6 as ClosedRange<UInt64>,
    [0.1, 1])
  func sublinear(seed: UInt64, shareWithLatency: Double) throws {
    var random = SeededRandom(seed: seed)
    var watch = RegionWatch()
    let start = randomCoordinate(&random)
    for number in 0..<1000 {
      let center = destination(
        from: start, bearing: .random(in: 0..<360, using: &random), distance: .random(in: 100...300_000, using: &random)
      )
      var region = Region(
        id: "\(number)", shape: randomShape(around: center, size: .random(in: 10...2000, using: &random), &random))
      if .random(in: 0..<1, using: &random) < shareWithLatency {
        region.latency = .seconds(.random(in: 600...3600, using: &random))
      }
      watch.add(region)
    }
    var examined = 0
    for _ in 0..<20 {
      let place = destination(
        from: start, bearing: .random(in: 0..<360, using: &random), distance: .random(in: 100...300_000, using: &random)
      )
      let here = Fix(
        latitude: place.latitude, longitude: place.longitude,
        horizontalAccuracy: .random(in: 1...50, using: &random), arrival: at(1))
      let sigma = try #require(here.horizontalAccuracy95) / CircularError.radius95
      var expected = Double.infinity
      for entry in watch.monitor.entries {
        guard let entry else { continue }
        let geometry = entry.tracker.geometry
        let way = abs(geometry.depth(of: Place(place))) - RegionRule.exitDistance(sigma: sigma, reach: geometry.reach)
        expected = min(expected, min(max(way, 0) / 70, 900) + (entry.region.latency ?? .zero).seconds)
      }
      var monitor = watch.monitor
      let found = monitor.nextProbe(after: here, speedBound: 70, now: at(1))
      #expect(abs(try #require(found).seconds - expected) < 0.001)
      examined += monitor.candidatesProbed
    }
    #expect(examined / 20 < 200)
  }
}
