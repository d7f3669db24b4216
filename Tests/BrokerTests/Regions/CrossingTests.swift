import Positioning
import Testing

@testable import Broker

/// Paths through a region without a fix inside for long enough.
@Suite struct CrossingTests {
  private static func watch(_ region: Region = circle { $0.notify = [.enter, .exit, .crossed] }) -> RegionWatch {
    var watch = RegionWatch([region])
    watch.see(fix(0, -5000, speed: 30))
    return watch
  }

  @Test("Two fixes outside with a region between them have crossed it, and the times are estimated")
  func crossed() throws {
    var watch = Self.watch()
    #expect(watch.see(fix(40, -300, speed: 30), fix(60, 300, speed: 30)) == ["crossed home"])
    let event = try #require(watch.events.last).event
    #expect(event.isInferred && event.state == .outside && event.probability == nil && event.fix?.arrival == at(60))
    let passage = try #require(event.passage)
    // 100 m of 600 m in 20 s.
    #expect(abs(passage.lowerBound.sinceBoot.seconds - 48.33) < 0.01)
    #expect(abs(passage.upperBound.sinceBoot.seconds - 51.67) < 0.01)
    #expect(watch.state() == .outside)
    #expect(watch.monitor.takeChanges().count == 1)
  }

  @Test("A client that did not request crossings receives none")
  func notAsked() {
    var watch = Self.watch(circle())
    #expect(watch.see(fix(40, -300, speed: 30), fix(60, 300, speed: 30)) == [])
  }

  @Test("After more than a minute the path is unknown, and nothing is crossed")
  func gap() {
    var watch = Self.watch()
    #expect(watch.see(fix(60, -300, speed: 30), fix(120, 300, speed: 30)) == ["crossed home"])
    #expect(watch.see(fix(180.1, -300, speed: 30)) == [])
  }

  @Test("A path that is less deep than the fixes' errors crosses nothing", arguments: [(44.0, true), (46, false)])
  func depth(north: Double, isCrossed: Bool) {
    var watch = Self.watch()
    #expect(watch.see(fix(40, -300, north), fix(60, 300, north)) == (isCrossed ? ["crossed home"] : []))
  }

  @Test("A fix near the edge, or inside, between the two is part of the path")
  func between() {
    for middle in [[fix(50, -60, speed: 30)], [fix(50, 0, speed: 30)], [fix(50, -30, 40), fix(51, 20, -30)]] {
      var watch = Self.watch()
      #expect(watch.see([fix(40, -300, speed: 30)] + middle + [fix(60, 300, speed: 30)]) == ["crossed home"])
      // Once only.
      #expect(watch.see(fix(61, 320, speed: 30)) == [])
    }
  }

  @Test("A region that was entered is not crossed as well")
  func entered() {
    var watch = Self.watch()
    let way = (0...20).map { fix(40 + Double($0), -300 + 30 * Double($0), speed: 30) }
    #expect(watch.see(way) == ["enter home", "exit home"])
  }

  @Test("A walk around a building does not cross it")
  func around() {
    var watch = Self.watch(
      polygon([(-30, -30), (30, -30), (30, 30), (-30, 30)], id: "home") { $0.notify = [.crossed] })
    // From one side around a corner to the other, always 15 m from the wall: no fix there is clear of it.
    let way = [(-60.0, 0.0), (-45, 20), (-45, 45), (-20, 45), (0, 45), (20, 45), (45, 45), (45, 20), (60, 0)]
    #expect(watch.see(way.enumerated().map { fix(100 + 5 * Double($0), $1.0, $1.1, speed: 6) }) == [])
  }

  @Test("A bad fix inside while the device stands outside crosses nothing")
  func badFix() {
    var watch = Self.watch()
    for second in 1...200 {
      let isBad = second % 10 == 0
      let events = watch.see(
        fix(100 + Double(second), isBad ? 0 : 75, isBad ? 5 : 0, accuracy95: isBad ? 60 : 12, speed: 0))
      #expect(events == [])
    }
  }

  @Test("A fix much less accurate than those around it does not hide a crossing")
  func vagueBetween() {
    var watch = Self.watch()
    #expect(
      watch.see(fix(40, -300, speed: 30), fix(50, 0, accuracy95: 600, speed: 30), fix(60, 300, speed: 30))
        == ["crossed home"])
  }

  @Test("A receiver that is always inaccurate crosses only regions deeper than its error")
  func alwaysVague() {
    var watch = RegionWatch([
      circle { $0.notify = [.crossed] }, circle("large", radius: 1500) { $0.notify = [.crossed] },
    ])
    let events = watch.see((0...20).map { fix(Double($0), -10_000 + 1000 * Double($0), accuracy95: 600, speed: 1000) })
    // At 1000 m/s the large one is entered after 0.75 s, at the second fix that is certainly inside.
    #expect(!events.contains("crossed home"))
  }

  @Test("A region whose state is unknown is not crossed")
  func unknown() {
    var watch = RegionWatch([circle { $0.notify = [.crossed] }])
    watch.see(fix(0, -30, 40, speed: 30))
    #expect(watch.state() == .unknown)
    #expect(watch.see(fix(10, 300, speed: 30)) == [])
    #expect(watch.see(fix(20, -300, speed: 30)) == ["crossed home"])
  }
}
