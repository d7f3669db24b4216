import Geodesy
import Positioning
import Testing

@testable import Broker

/// The vote of a single fix.
@Suite struct RegionRuleTests {
  private static let circle50 = RegionGeometry(circle().shape)

  struct Vote: Sendable, CustomTestStringConvertible {
    var distance: Double
    var accuracy95: Double
    var vote: RegionRule.Vote?

    var testDescription: String { "\(self.distance) m from the middle, \(self.accuracy95) m (95 %)" }
  }

  /// For a circle of 50 m. The probabilities are those of Marcum's function.
  static let votes = [
    Vote(distance: 0, accuracy95: 12, vote: .inside),
    // 85 % inside: 44.7 m with sigma 4.9.
    Vote(distance: 44, accuracy95: 12, vote: .inside), Vote(distance: 45.5, accuracy95: 12, vote: nil),
    Vote(distance: 50, accuracy95: 12, vote: nil), Vote(distance: 73.9, accuracy95: 12, vote: nil),
    // 50 + 12, and 12 once more.
    Vote(distance: 74.1, accuracy95: 12, vote: .outside),
    // Sigma 25.6, just below 50 / 1.948: in the very middle it is 85 % certain.
    Vote(distance: 0, accuracy95: 62.7, vote: .inside), Vote(distance: 0, accuracy95: 63, vote: nil),
    Vote(distance: 5, accuracy95: 62.7, vote: nil), Vote(distance: 162.6, accuracy95: 62.7, vote: nil),
    Vote(distance: 162.8, accuracy95: 62.7, vote: .outside),
    // Too inaccurate for an inside: 3.03 sigma and the largest margin beyond the edge. 63 / 2.448 * 3.03 + 50 = 127.98.
    Vote(distance: 177.9, accuracy95: 63, vote: nil), Vote(distance: 178.1, accuracy95: 63, vote: .outside),
    // A bad fix has no vote up to 842.6 m, a very bad one up to 6.3 km.
    Vote(distance: 0, accuracy95: 600, vote: nil), Vote(distance: 700, accuracy95: 600, vote: nil),
    Vote(distance: 842, accuracy95: 600, vote: nil), Vote(distance: 843.5, accuracy95: 600, vote: .outside),
    Vote(distance: 6000, accuracy95: 5000, vote: nil), Vote(distance: 6290, accuracy95: 5000, vote: .outside),
    // A very good one: 1.036 sigma of 4 cm from the edge.
    Vote(distance: 49.95, accuracy95: 0.1, vote: .inside), Vote(distance: 49.97, accuracy95: 0.1, vote: nil),
    Vote(distance: 60.2, accuracy95: 0.1, vote: .outside),
  ]

  @Test("The decision for a circle of 50 m follows the derivation", arguments: votes)
  func circleVotes(vote: Vote) {
    let sigma = vote.accuracy95 / CircularError.radius95
    #expect(RegionRule.vote(depth: 50 - vote.distance, sigma: sigma, geometry: Self.circle50) == vote.vote)
  }

  @Test("At a straight edge a fix is inside from 1.036 sigma on")
  func straightEdge() {
    let field = RegionGeometry(polygon([(-500, -500), (500, -500), (500, 500), (-500, 500)]).shape)
    for (depth, vote) in [(10.4, RegionRule.Vote.inside), (10.3, nil), (-49, .outside), (-48.9, nil)] {
      #expect(RegionRule.vote(depth: depth, sigma: 10, geometry: field) == vote, "\(depth)")
    }
  }

  @Test(
    "The margin is the 95 % radius, at least 10 m and at most 50 m, however large the region",
    arguments: [(1.0, 10.0), (10, 24.48), (20, 48.96), (21, 50), (51, 50)])
  func margin(sigma: Double, margin: Double) {
    for reach in [100.0, 5000, 1e6] {
      #expect(abs(RegionRule.exitDistance(sigma: sigma, reach: reach) - 2.448 * sigma - margin) < 0.001)
      #expect(RegionRule.exitDistance(sigma: sigma, reach: reach) <= RegionRule.exitDistanceBound(sigma: sigma))
    }
  }

  @Test("A polygon is decided by fixes that are certain at its deepest place, not by its area")
  func narrow() {
    // A road, 1 km long and 10 m wide, has the area of a circle of 56 m.
    let road = RegionGeometry(polygon([(0, -5), (1000, -5), (1000, 5), (0, 5)]).shape)
    #expect(abs(road.reach - 5) < 0.15)
    #expect(RegionRule.vote(depth: 5, sigma: 12 / CircularError.radius95, geometry: road) == nil)
    #expect(RegionRule.vote(depth: 5, sigma: 6 / CircularError.radius95, geometry: road) == .inside)
  }

  @Test(
    "A vote must stand for the time to pass half of the region, and no longer than 10 s",
    arguments: [(50.0, 0.0, 10.0), (50, 2.5, 10), (50, 5, 5), (50, 10, 2.5), (50, 30, 0.833), (5000, 30, 10)])
  func hold(reach: Double, speed: Double, seconds: Double) {
    #expect(abs(RegionRule.hold(reach: reach, speed: speed).seconds - seconds) < 0.001)
  }
}
