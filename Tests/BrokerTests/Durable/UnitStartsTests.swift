import Positioning
import Testing

@testable import Broker

/// The rate of a unit's starts.
@Suite struct UnitStartsTests {
  private static let target = WakeTarget(uid: 1001, unit: "a.service")

  @Test("A unit is started once in five minutes for a user, for all of the user's names together")
  func spacing() {
    var starts = UnitStarts()
    #expect(starts.mayStart(Self.target, now: at(1000)))
    _ = starts.started(Self.target, now: at(1000))
    #expect(!starts.mayStart(Self.target, now: at(1299)))
    #expect(starts.nextStart(of: Self.target) == at(1300))
    #expect(starts.mayStart(Self.target, now: at(1300)))
    #expect(starts.mayStart(WakeTarget(uid: 1002, unit: "a.service"), now: at(1001)))
    #expect(starts.mayStart(WakeTarget(uid: 1001, unit: "b.service"), now: at(1001)))
  }

  @Test("A start counts from its decision, or from when it happens if that is much later")
  func late() {
    var starts = UnitStarts()
    _ = starts.started(Self.target, now: at(1000))
    let soon = starts.happened(Self.target, now: at(1001))
    #expect(!soon)
    #expect(starts.nextStart(of: Self.target) == at(1300))
    let later = starts.happened(Self.target, now: at(1100))
    #expect(later)
    #expect(starts.nextStart(of: Self.target) == at(1400))
  }

  @Test("Starts that limit nothing any more are removed at the next start of the daemon")
  func bounded() {
    var starts = UnitStarts()
    for number in 0..<10 { _ = starts.started(WakeTarget(uid: 1, unit: "\(number).service"), now: at(1000)) }
    #expect(starts.started(Self.target, now: at(1299)).isEmpty)
    #expect(starts.started(Self.target, now: at(1300)).count == 10)
    #expect(starts.starts.count == 1)
  }

  @Test("A limit continues after a restart; a start before this boot, of unknown age, limits nothing")
  func restored() {
    let other = WakeTarget(uid: 1001, unit: "b.service")
    let old = WakeTarget(uid: 1001, unit: "c.service")
    let starts = UnitStarts(restoring: [Self.target: at(900), other: .lastBeforeBoot, old: at(10)], now: at(1000))
    #expect(starts.starts == [Self.target: at(900)])
  }
}
