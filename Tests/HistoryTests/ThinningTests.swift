import Positioning
import Testing

@testable import History

/// What is kept of old fixes, and what is said between two.
@Suite struct ThinningTests {
  @Test(arguments: 1...10 as ClosedRange<UInt64>)
  func `thinning again changes nothing, and each end of a segment stays`(seed: UInt64) throws {
    var fixes = Sample.fixes(2000, seed: seed, every: .seconds(7))
    fixes[700].beginsSegment = true
    let minutes = Thinning.minutes(fixes)
    #expect(Thinning.minutes(minutes) == minutes)
    let ways = Thinning.ways(minutes, stays: [])
    #expect(Thinning.ways(ways, stays: []) == ways)
    for rest in [minutes, ways] {
      #expect([fixes[0], fixes[699], fixes[700], fixes[1999]].allSatisfy { rest.contains($0) })
    }
  }

  @Test func `a stay keeps its first and its last fix`() {
    let fixes = Sample.fixes(500, seed: 4)
    let kept = Thinning.ways(fixes, stays: [fixes[0].time...fixes[499].time])
    #expect(kept == [fixes[0], fixes[499]])
  }

  @Test func `between two fixes the uncertainty grows with the time to the nearer one and with the speed`() throws {
    let fixes = Sample.fixes(61, seed: 6)
    let (first, last) = (fixes[0], fixes[60])
    let middle = try #require(Interpolation(from: first, to: last, at: fixes[30].time))
    let near = try #require(Interpolation(from: first, to: last, at: fixes[2].time))
    #expect(middle.uncertainty > near.uncertainty)
    for fix in fixes[1..<60] {
      let place = try #require(Interpolation(from: first, to: last, at: fix.time))
      #expect(place.place.plainDistance(to: fix.coordinate) <= place.uncertainty)
    }
    var apart = last
    apart.beginsSegment = true
    #expect(Interpolation(from: first, to: apart, at: fixes[30].time) == nil)
  }

  @Test func `across the antimeridian the short way is taken`() throws {
    let west = try #require(HistoryFix(Fix(latitude: 0, longitude: 179.999, arrival: .boot), at: Sample.start))
    let east = try #require(
      HistoryFix(Fix(latitude: 0, longitude: -179.999, arrival: .boot), at: Sample.start + .seconds(100)))
    let middle = try #require(Interpolation(from: west, to: east, at: Sample.start + .seconds(50)))
    #expect(abs(abs(middle.place.longitude) - 180) < 1e-6)
    #expect(HistoryCircle(centre: west.coordinate, radius: 300).contains(east.coordinate))
  }
}
