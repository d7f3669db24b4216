import Positioning
import Testing

@testable import History

/// A day as a timeline, and stays that are found in fixes.
@Suite struct DayTests {
  private static let home = Coordinate(latitude: 48.1, longitude: 11.5)
  private static let start = Timestamp(day: 20_000)

  private static func rest(_ count: Int, at place: Coordinate, from start: Timestamp) -> [HistoryFix] {
    var random = SeededRandom(seed: 1)
    return (0..<count).compactMap { number in
      let fix = Fix(
        latitude: place.latitude + Double.random(in: -1e-4...1e-4, using: &random), longitude: place.longitude,
        horizontalAccuracy: 8, arrival: .boot)
      return HistoryFix(fix, at: start + .seconds(10 * number), beginsSegment: number == 0)
    }
  }

  @Test func `a day has its stays with the names of regions, ways with their distances, and gaps with reasons`() throws
  {
    let way = Sample.fixes(600, seed: 3, from: Self.start + .seconds(8 * 3600))
    let stay = Stay(
      number: 1, place: Self.home, accuracy: 10, arrival: Self.start, departure: Self.start + .seconds(8 * 3600 - 20))
    let passage = Passage(time: Self.start, region: "home", kind: .enter, place: Self.home)
    let gap = Gap(
      start: way[599].time, end: way[599].time + .seconds(3600), cause: .unneeded)
    let end = Self.start + .seconds(86_399)
    let day = DayTimeline(
      Self.start...end, fixes: way, stays: [stay], gaps: [gap], passages: [passage],
      now: Self.start + .seconds(9 * 3600))
    try #require(day.entries.count == 3, "\(day.entries)")
    #expect(day.entries[0].content == .stay(place: Self.home, accuracy: 10, name: "home"))
    guard case .way(let distance, 600) = day.entries[1].content else {
      Issue.record("\(day.entries[1])")
      return
    }
    let straight = way[0].coordinate.plainDistance(to: way[599].coordinate)
    #expect(distance >= straight * 0.9 && distance < 600 * 3)
    #expect(day.entries[2].content == .gap(.unneeded))
    #expect(day.entries[2].until == Self.start + .seconds(9 * 3600))
  }

  @Test func `stays are found where positiond reported none`() throws {
    let fixes = Self.rest(90, at: Self.home, from: Self.start)
    let found = StayFinder.stays(in: fixes)
    #expect(found.count == 1 && found[0].arrival == Self.start)
    #expect(found[0].place.plainDistance(to: Self.home) < 10)
    #expect(StayFinder.stays(in: Sample.fixes(600, seed: 2)).isEmpty)
    #expect(StayFinder.stays(in: Array(fixes.prefix(50))).isEmpty)
  }
}
