import Positioning
import Testing

@testable import ControlCommands

/// When the receiver is on, as people see it.
struct PowerFormatTests {
  private static func at(_ minutes: Double) -> Instant { Instant(sinceBoot: .seconds(minutes * 60)) }

  @Test("A minute in which the receiver was on is drawn, all of it or a part")
  func timeline() {
    let periods = [
      DaemonStatus.OnPeriod(from: Self.at(1), until: Self.at(3)),
      DaemonStatus.OnPeriod(from: Self.at(5.9), until: Self.at(6.1)),
      DaemonStatus.OnPeriod(from: Self.at(9.5)),
    ]
    let line = PowerFormat.timeline(periods, over: .seconds(600), width: 10, now: Self.at(10))
    #expect(line == ".##..++..+")
    // What began before the line.
    let earlier = [DaemonStatus.OnPeriod(from: Self.at(-90), until: Self.at(2))]
    #expect(PowerFormat.timeline(earlier, over: .seconds(600), width: 10, now: Self.at(10)) == "##........")
    #expect(PowerFormat.timeline([], over: .seconds(600), width: 3, now: Self.at(10)) == "...")
  }

  @Test(
    "The next start says when and what for",
    arguments: [
      (
        DaemonStatus.NextStart(
          at: PowerFormatTests.at(9), reason: .due, due: PowerFormatTests.at(10), what: "position.subscribe"),
        "in 9 min, for position.subscribe, due in 10 min"
      ),
      (
        DaemonStatus.NextStart(at: PowerFormatTests.at(4), reason: .retry),
        "in 4 min, to search again: there was no fix"
      ),
      (
        DaemonStatus.NextStart(at: PowerFormatTests.at(4), reason: .keepHot, due: PowerFormatTests.at(300)),
        "in 4 min, so that a later start is quick"
      ),
    ])
  func next(start: DaemonStatus.NextStart, text: String) {
    #expect(PowerFormat.next(start, .off, now: Self.at(0)) == text)
  }

  @Test("Without a next start it is on, or waits for somebody")
  func noNextStart() {
    #expect(PowerFormat.next(nil, .on, now: .boot) == "none is planned while the receiver is on")
    #expect(PowerFormat.next(nil, .released, now: .boot) == "when somebody asks")
  }

  @Test("The time to the first fix is shown for each kind of start that there was")
  func starts() {
    let hot = DaemonStatus.StartTime(count: 240, mean: .seconds(2.4), most: .seconds(6.1))
    #expect(
      PowerFormat.starts(DaemonStatus.StartTimes(last: .seconds(2), hot: hot))
        == "last 2.0 s; hot 2.4 s, at most 6.1 s (240)")
    #expect(PowerFormat.starts(DaemonStatus.StartTimes()) == "no start was measured yet")
  }
}
