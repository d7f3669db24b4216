import PositionProtocol
import Positioning
import TestSupport
import Testing

@testable import ControlCommands

/// The text form of regions and visits.
struct RegionFormatTests {
  @Test("A region is one line, with the duration of its state and its end")
  func region() throws {
    var watched: RegionInfo = try Samples.decoded(Samples.watchedRegion("home", "inside"))
    watched.since = Samples.moment.now - .seconds(180)
    watched.remaining = .seconds(7200)
    #expect(
      RegionFormat.line(watched, of: "tracker", moment: Samples.moment)
        == "tracker home: inside for 3 min; 150 m around 48.137000 N, 11.575000 E; reports enter, exit; "
        + "expires in 2 h")
    watched.region.shape = .polygon([Coordinate(latitude: 48, longitude: 11)])
    watched.region.notify = []
    watched.state = .outside
    watched.since = nil
    watched.remaining = nil
    #expect(
      [RegionFormat.line(watched, of: "\u{9b}", moment: Samples.moment)].written
        == ["\\u{9b} home: outside; a polygon of 1 corner; reports nothing"])
  }

  @Test(
    "An event shows its kind, and the fix that decided it",
    arguments: [
      (
        RegionEvent(id: "home", kind: .crossed, state: .outside, isInferred: true),
        "crossed \"home\", between two fixes"
      ),
      (RegionEvent(id: "gate", kind: .exit, state: .outside, isInitial: true), "at first outside \"gate\""),
      (RegionEvent(id: "gate", kind: .enter, state: .inside, isInitial: true), "at first inside \"gate\""),
      (RegionEvent(id: "a\u{1b}", kind: .dwell, state: .inside), "stayed in \"a\\u{1b}\""),
    ])
  func event(event: RegionEvent, line: String) {
    #expect([RegionFormat.line(event, now: Samples.moment.now)].written == [line])
  }

  @Test("A visit is shown with its start, end and duration, as far as they are known")
  func visit() throws {
    var visit: Visit = try Samples.decoded(Samples.endedVisit, moment: Samples.moment)
    let line = { VisitFormat.line($0 as Visit, moment: Samples.moment) }
    let place = "48.137154 N, 11.575382 E ±8.5 m"
    #expect(line(visit) == "visit 12: left at 2026-01-31T13:30:00.000Z after 90 min, \(place)")
    visit.departureUncertainty = .seconds(4)
    #expect(line(visit) == "visit 12: left at 2026-01-31T13:30:00.000Z after 90 min, \(place)")
    visit.departureUncertainty = .seconds(180)
    #expect(line(visit) == "visit 12: left at 2026-01-31T13:30:00.000Z ±3 min after 90 min, \(place)")
    visit.departureUncertainty = nil
    visit.arrival = nil
    #expect(line(visit) == "visit 12: left at 2026-01-31T13:30:00.000Z, \(place)")
    visit.departure = nil
    #expect(line(visit) == "visit 12: here since before detection began, \(place)")
    visit.arrival = Samples.moment.now
    #expect(line(visit) == "visit 12: here since 2026-01-31T12:00:00.000Z, \(place)")
    visit.arrivalUncertainty = .milliseconds(75_500)
    #expect(line(visit) == "visit 12: here since 2026-01-31T12:00:00.000Z ±76 s, \(place)")
  }
}
