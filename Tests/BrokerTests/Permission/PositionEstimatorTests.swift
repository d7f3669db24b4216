import Geodesy
import Positioning
import TestSupport
import Testing

@testable import Broker

/// The estimator finds exactly what can be found.
@Suite(.timeLimit(.minutes(TestDeadline.minutes))) struct PositionEstimatorTests {
  private static let device = Coordinate(latitude: 50.12345, longitude: 8.54321)

  private static func reducedFix(_ seed: UInt64) throws -> Fix {
    var fuzzer = LocationFuzzer(seed: seed, now: at(0))
    let fix = Fix(
      latitude: self.device.latitude, longitude: self.device.longitude, horizontalAccuracy: 5, arrival: at(1))
    let shown = fuzzer.fixed(fix, now: at(1))
    return try #require(shown)
  }

  /// Adds regions of all sizes that a reduced client may have, each where it reveals the most.
  private static func ask(_ estimator: inout PositionEstimator, judgedBy place: Coordinate) throws {
    for number in 0..<40 {
      let radius = [4000.0, 6000, 15_000, 50_000][number % 4]
      let center = try #require(estimator.question(radius: radius, bearing: Double(number) * 67))
      let isInside = Geodesy.distance(from: place, to: center) <= radius
      estimator.received(isInside ? .inside : .outside, ofCircle: center, radius: radius, at: at(Double(number)))
    }
  }

  @Test(
    "If regions were decided by the true position, it would be found to some metres from its reduced fixes")
  func leak() throws {
    for seed in 0..<5 as Range<UInt64> {
      var estimator = PositionEstimator()
      estimator.received(try Self.reducedFix(seed))
      try Self.ask(&estimator, judgedBy: Self.device)
      let region = try #require(estimator.region)
      #expect(region.distance(to: Self.device) < 30, "\(region)")
      #expect(region.agreeing == region.statements && region.radius < 100)
    }
  }

  @Test("With reduced permission only the reduced position is found, and the device no better than before")
  func noLeak() throws {
    for seed in 0..<5 as Range<UInt64> {
      let shown = try Self.reducedFix(seed)
      var estimator = PositionEstimator()
      estimator.received(shown)
      let before = try #require(estimator.region)
      #expect(before.distance(to: shown.coordinate) < 30 && before.radius > 3000)
      try Self.ask(&estimator, judgedBy: shown.coordinate)
      let region = try #require(estimator.region)
      #expect(region.distance(to: shown.coordinate) < 30)
      let error = Geodesy.distance(from: shown.coordinate, to: Self.device)
      #expect(abs(region.distance(to: Self.device) - error) < 30)
    }
  }

  @Test("One precise fix among reduced ones reveals the device, and so does a distance")
  func slips() throws {
    let shown = try Self.reducedFix(1)
    var fix = shown
    (fix.latitude, fix.longitude) = (Self.device.latitude, Self.device.longitude)
    (fix.horizontalAccuracy, fix.isReduced) = (5, false)
    var estimator = PositionEstimator()
    estimator.received(shown)
    estimator.received(fix)
    #expect(try #require(estimator.region).distance(to: Self.device) < 15)

    var other = PositionEstimator()
    other.received(shown)
    for bearing in [0.0, 90, 180] {
      let place = try #require(other.question(radius: 20_000, bearing: bearing))
      let distance = Geodesy.distance(from: place, to: Self.device)
      other.received(distance: distance, from: place, margin: 20, at: at(2))
    }
    #expect(try #require(other.region).distance(to: Self.device) < 40)
  }

  @Test("Events count by their state and their fix; data from before a moment can be left out")
  func events() throws {
    let shown = try Self.reducedFix(2)
    var estimator = PositionEstimator()
    let region = Region(id: "a", shape: .circle(center: shown.coordinate, radius: 1000))
    estimator.received(.enter, .inside, of: region, fix: shown, at: at(5))
    #expect(try #require(estimator.region).radius < 1100)
    #expect(try #require(estimator.region).statements == 2)
    estimator.received(.expired, .unknown, of: region, fix: nil, at: at(6))
    #expect(try #require(estimator.region).statements == 2)
    estimator.forget(before: at(5))
    #expect(try #require(estimator.region).statements == 1)
    estimator.forget(before: at(6))
    #expect(estimator.region == nil)
  }

  @Test("Of contradictory data the estimator believes the majority")
  func contradictions() throws {
    let shown = try Self.reducedFix(3)
    var estimator = PositionEstimator()
    estimator.received(shown)
    estimator.received(.inside, ofCircle: shown.coordinate, radius: 500, at: at(2))
    estimator.received(.outside, ofCircle: shown.coordinate, radius: 600, at: at(3))
    let region = try #require(estimator.region)
    #expect(region.agreeing == 2 && region.statements == 3)
  }
}
