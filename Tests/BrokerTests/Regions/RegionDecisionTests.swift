import Positioning
import Testing

@testable import Broker

/// The decisions for a sequence of fixes.
@Suite struct RegionDecisionTests {
  /// A monitor of one circle of 50 m, with the device outside since 0 s.
  private static func outside(_ change: (inout Region) -> Void = { _ in }) -> RegionWatch {
    var watch = RegionWatch([circle("home", 0, 0, radius: 50, change)])
    watch.see(fix(0, 500, speed: 0))
    return watch
  }

  /// The same, inside.
  private static func inside(_ change: (inout Region) -> Void = { _ in }) -> RegionWatch {
    var watch = RegionWatch([circle("home", 0, 0, radius: 50, change)])
    watch.see(fix(0, 0, speed: 0))
    return watch
  }

  @Test("The first decision counts at once and is delivered only if requested")
  func first() {
    var watch = RegionWatch([circle("near"), circle("far", 1000)])
    #expect(watch.state("near") == .unknown)
    #expect(watch.see(fix(5, 0)) == [])
    #expect(watch.state("near") == .inside && watch.state("far") == .outside)
    #expect(watch.monitor.snapshot(id: "near", of: "me")?.since == at(5))
  }

  @Test(
    "The first decision obeys `initial`, whatever `notify` is",
    arguments: [
      (InitialReport.none, []), (.ifInside, ["enter near"]), (.always, ["enter near", "exit far"]),
    ])
  func initial(initial: InitialReport, expected: [String]) {
    let regions = [circle("near"), circle("far", 1000)].map { region in
      var region = region
      region.initial = initial
      region.notify = []
      return region
    }
    var watch = RegionWatch(regions)
    #expect(watch.see(fix(1, 0)) == expected)
    #expect(watch.events.allSatisfy { $0.event.isInitial })
    // Only the first one.
    #expect(watch.see(still(2...20, 1000)) == [])
    #expect(watch.state("near") == .outside && watch.state("far") == .inside)
  }

  @Test("The state in which a region began is marked, and what happened later is not")
  func marked() {
    var watch = RegionWatch([circle { $0.initial = .always }])
    #expect(watch.see(fix(1, 1000)) == ["exit home"])
    #expect(watch.see(still(2...20, 0)) == ["enter home"])
    #expect(watch.events.map(\.event.isInitial) == [true, false])
  }

  @Test("A fix at the time of adding decides the region at once")
  func firstByAdding() {
    var watch = RegionWatch()
    #expect(watch.add(circle { $0.initial = .always }, fix: fix(0, 0)) == ["enter home"])
    #expect(watch.add(circle("vague") { $0.initial = .always }, fix: fix(0, 0, accuracy95: 600)) == [])
    #expect(watch.state("vague") == .unknown)
  }

  @Test("An enter waits until its vote has stood for 10 s, and is delivered with the fix that decided it")
  func enter() throws {
    var watch = Self.outside()
    #expect(watch.see(still(1...10, 0)) == [])
    #expect(watch.state() == .outside)
    #expect(watch.see(fix(11, 0, speed: 0)) == ["enter home"])
    let finding = try #require(watch.events.first)
    #expect(
      finding.event.state == .inside && finding.event.fix?.arrival == at(11) && finding.at == at(11)
        && !finding.event.isInferred)
    #expect(finding.holder == "me" && finding.event.probability.map { $0 > 0.999 } ?? false)
    #expect(watch.monitor.snapshot(id: "home", of: "me")?.since == at(11))
  }

  @Test("A device that parks 400 m outside of a circle of 5 km has left it, and also a larger one")
  func exitOfLarge() {
    for radius in [5000.0, 100_000] {
      var watch = RegionWatch([circle(radius: radius)])
      watch.see(still(0...5, radius - 400))
      #expect(watch.state() == .inside)
      // 10.6 m of accuracy.
      #expect(watch.see(still(100...120, radius + 400, accuracy95: 17.1)) == ["exit home"])
    }
  }

  @Test("An exit takes as long, and needs a fix clear of the edge")
  func exit() {
    var watch = Self.inside()
    // 73 m: 23 m outside, less than 12 m and the margin of 12 m.
    #expect(watch.see(still(1...100, 73)) == [])
    #expect(watch.see(still(101...110, 75)) == [])
    #expect(watch.see(fix(111, 75, speed: 0)) == ["exit home"])
    #expect(watch.events.last?.event.probability.map { $0 < 0.001 } ?? false)
  }

  @Test("A contrary vote ends the present one, and the time begins again")
  func contrary() {
    var watch = Self.outside()
    watch.see(still(1...9, 0))
    watch.see(fix(10, 200, speed: 0))
    #expect(watch.see(still(11...20, 0)) == [])
    #expect(watch.see(fix(21, 0, speed: 0)) == ["enter home"])
  }

  @Test("Undecided fixes neither end a vote nor support it")
  func noVote() {
    var watch = Self.outside()
    watch.see(fix(1, 0, speed: 0))
    // At the edge, too inaccurate, of unknown accuracy.
    watch.see(still(2...15, 55) + still(16...30, 0, accuracy95: 600) + still(31...40, 0, accuracy95: nil))
    #expect(watch.state() == .outside && watch.monitor.isPending)
    #expect(watch.see(fix(41, 0, speed: 0)) == ["enter home"])
  }

  @Test("A vote without support for a minute of deciding fixes is dropped")
  func forgotten() {
    var watch = Self.outside()
    watch.see(fix(1, 0, speed: 0))
    watch.see(still(2...62, 55))
    #expect(watch.see(still(63...72, 0)) == [])
    #expect(watch.see(fix(73, 0, speed: 0)) == ["enter home"])
  }

  @Test("A vote outlasts any silence and any number of inaccurate fixes")
  func remembered() {
    var watch = Self.outside()
    watch.see(fix(1, 0, speed: 0))
    watch.see(still(2...300, 0, accuracy95: 600))
    #expect(watch.see(fix(2000, 0, speed: 0)) == ["enter home"])
  }

  @Test("One bad fix of 600 m to 5 km causes no enter and no exit", arguments: [600.0, 1414, 5000])
  func badFix(accuracy95: Double) {
    for distance in [0, 60, accuracy95 / 2, accuracy95] {
      var inside = Self.inside()
      #expect(inside.see(still(1...60, distance, accuracy95: accuracy95)) == [])
      #expect(inside.state() == .inside)
      var outside = Self.outside()
      #expect(outside.see(still(1...60, -distance, accuracy95: accuracy95)) == [])
      #expect(outside.state() == .outside)
    }
  }

  @Test("One fix far away, whatever its accuracy, causes no exit")
  func liar() {
    var watch = Self.inside()
    #expect(watch.see([fix(1, 5000, speed: 0)] + still(2...60, 0)) == [])
  }

  @Test("A fix without an accuracy decides nothing, not even the first time")
  func unknownAccuracy() {
    var watch = RegionWatch([circle(), circle("far", 5000)])
    watch.see(still(1...100, 0, accuracy95: nil))
    #expect(watch.state("home") == .unknown && watch.state("far") == .unknown)
  }

  @Test("Only events in `notify` are delivered, and the state is updated for all")
  func notify() {
    var watch = Self.outside { $0.notify = [.exit] }
    #expect(watch.see(still(1...20, 0)) == [])
    #expect(watch.state() == .inside)
    #expect(watch.see(still(21...40, 300)) == ["exit home"])
  }

  @Test("A fast device enters sooner: after half of the radius at its speed")
  func fast() {
    var watch = Self.outside()
    #expect(watch.see(fix(1, -40, speed: 20), fix(2, -20, speed: 20)) == [])
    // 1.25 s.
    #expect(watch.see(fix(3, 0, speed: 20)) == ["enter home"])
  }

  @Test("Without a reported speed, the path of the last seconds gives it, less the errors")
  func estimatedSpeed() {
    var watch = RegionWatch([circle()])
    // 20 m/s: of the 100 m of 5 s, errors may explain 24. Half of the radius takes 1.6 s then.
    #expect(watch.see((0...14).map { fix(Double($0), -300 + 20 * Double($0)) }) == [])
    #expect(watch.see(fix(15, 0)) == ["enter home"])
    // A stationary device whose fixes vary by their errors is not fast.
    var still = RegionWatch([circle()])
    #expect(still.see((0...11).map { fix(Double($0), $0 == 0 ? 100 : $0 % 2 == 0 ? 0 : 10) }) == ["enter home"])
    #expect(still.events.last?.at == at(11))
    // A device whose fixes jump once and back is not fast either.
    var jumping = RegionWatch([circle()])
    #expect(jumping.see((0...30).map { fix(Double($0), $0 == 20 || $0 == 21 ? 500 : 0) }) == [])
  }

  @Test("A pending vote keeps the receiver on for a minute at most, and a second one for another minute")
  func pending() {
    var watch = Self.outside()
    #expect(!watch.monitor.isPending)
    watch.see(fix(1, 0, speed: 0))
    #expect(watch.monitor.isPending && watch.monitor.nextDeadline == at(61))
    watch.see(fix(5, 0, speed: 0))
    #expect(watch.monitor.isPending && watch.monitor.nextDeadline == at(65))
    watch.wait(until: at(65))
    #expect(!watch.monitor.isPending && watch.monitor.nextDeadline == nil)
    watch.see(fix(70, 500, speed: 0))
    watch.see(fix(71, 0, speed: 0))
    #expect(watch.monitor.isPending)
    // A decision, a contrary vote and a removal each end it.
    watch.see(still(72...81, 0))
    #expect(watch.state() == .inside && !watch.monitor.isPending && watch.monitor.nextDeadline == nil)
    watch.see(fix(90, 300, speed: 0))
    #expect(watch.monitor.isPending)
    watch.see(fix(91, 0, speed: 0))
    #expect(!watch.monitor.isPending)
    watch.see(fix(92, 300, speed: 0))
    watch.monitor.remove(id: "home", of: "me")
    #expect(!watch.monitor.isPending && watch.monitor.nextDeadline == nil)
  }

  @Test("A better fix of the same epoch is judged, and is no second vote")
  func improved() {
    var watch = Self.outside()
    #expect(watch.see(fix(1, 0, accuracy95: 600, speed: 60), fix(1, 0, speed: 60), fix(1, 0, speed: 60)) == [])
    #expect(watch.see(fix(2, 0, speed: 60)) == ["enter home"])
  }

  @Test("A fix older than the newest one is ignored")
  func older() {
    var watch = Self.outside()
    watch.see(fix(100, 500, speed: 0))
    #expect(watch.monitor.fixed(fix(50, 0, speed: 0), now: at(101)).isEmpty)
    #expect(!watch.monitor.isPending)
  }

  @Test("Regions across the antimeridian and at the pole are entered and left like any other")
  func anywhere() {
    let square = [(-1.0, 179.0), (-1, -179), (1, -179), (1, 179)]
    let shapes: [(RegionShape, Coordinate, Coordinate)] = [
      (
        .polygon(square.map { Coordinate(latitude: $0.0, longitude: $0.1) }),
        Coordinate(latitude: 0, longitude: -179.999), Coordinate(latitude: 0, longitude: 178)
      ),
      (
        .circle(center: Coordinate(latitude: 10, longitude: 180), radius: 2000),
        Coordinate(latitude: 10, longitude: -179.99), Coordinate(latitude: 10, longitude: 179.9)
      ),
      (
        .polygon([0.0, 90, 180, -90].map { Coordinate(latitude: 89, longitude: $0) }),
        Coordinate(latitude: 89.9, longitude: 77), Coordinate(latitude: 88, longitude: -100)
      ),
      (
        .circle(center: Coordinate(latitude: -90, longitude: 0), radius: 5000),
        Coordinate(latitude: -89.999, longitude: 120), Coordinate(latitude: -89.8, longitude: 0)
      ),
    ]
    for (shape, inside, outside) in shapes {
      var watch = RegionWatch([Region(id: "home", shape: shape, initial: .always)])
      func stay(_ seconds: ClosedRange<Int>, _ place: Coordinate) -> [Fix] {
        seconds.map {
          Fix(
            latitude: place.latitude, longitude: place.longitude, horizontalAccuracy: 5, speed: 0,
            arrival: at(Double($0)))
        }
      }
      #expect(watch.see(stay(1...2, outside)) == ["exit home"])
      #expect(watch.see(stay(3...20, inside)) == ["enter home"])
      #expect(watch.see(stay(21...40, outside)) == ["exit home"])
    }
  }
}
