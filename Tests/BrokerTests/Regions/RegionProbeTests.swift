import Geodesy
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

  @Test("A region with a latency is probed at this interval, near or far, which also limits that of the others")
  func latency() throws {
    var watch = RegionWatch([circle { $0.latency = .seconds(120) }])
    watch.see(fix(0, 65))
    #expect(self.nextProbe(watch, after: fix(0, 65)) == 120)
    #expect(self.nextProbe(watch, after: fix(0, 900_000)) == 120)
    watch.add(circle("later") { $0.latency = .seconds(3600) })
    #expect(self.nextProbe(watch, after: fix(0, 65)) == 120)
    watch.monitor.remove(id: "home", of: "me")
    #expect(self.nextProbe(watch, after: fix(0, 65)) == 3600)
    watch.add(circle("prompt", 7187))
    #expect(abs(try #require(self.nextProbe(watch, after: fix(0, 65))) - 7048 / 70) < 0.05)
    watch.add(circle("prompt", 7187) { $0.latency = .seconds(5) })
    #expect(self.nextProbe(watch, after: fix(0, 65)) == 5)
  }

  @Test("After a fix without an accuracy the probe continues")
  func unknownAccuracy() {
    var watch = RegionWatch([circle()])
    watch.see(fix(0, 7122))
    #expect(self.nextProbe(watch, after: fix(1, 7122, accuracy95: nil)) == 0)
  }

  @Test("The index finds the same regions as a scan, without scanning all", arguments: 1...6 as ClosedRange<UInt64>)
  func sublinear(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    var watch = RegionWatch()
    let start = randomCoordinate(&random)
    for number in 0..<1000 {
      let center = destination(
        from: start, bearing: .random(in: 0..<360, using: &random), distance: .random(in: 100...300_000, using: &random)
      )
      var region = Region(
        id: "\(number)", shape: randomShape(around: center, size: .random(in: 10...2000, using: &random), &random))
      if random.oneIn(10) { region.latency = .seconds(3600) }
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
      var expected = 900.0
      for entry in watch.monitor.entries {
        guard let entry, entry.region.latency == nil else { continue }
        let geometry = entry.tracker.geometry
        let way = abs(geometry.depth(of: Place(place))) - RegionRule.exitDistance(sigma: sigma, reach: geometry.reach)
        expected = min(expected, max(way, 0) / 70)
      }
      var monitor = watch.monitor
      let found = monitor.nextProbe(after: here, speedBound: 70, now: at(1))
      #expect(abs(try #require(found).seconds - expected) < 0.001)
      examined += monitor.candidatesProbed
    }
    #expect(examined / 20 < 200)
  }
}
