import Positioning
import Testing

@testable import Broker

/// Receivers whose clocks repeat, step, jump or stand still.
@Suite struct ReceiverClockTests {
  /// One report a second from 1 s on, with these times, of a device that moves.
  private func run(_ times: [Double?]) -> [WatchedFilter.Event] {
    var filter = WatchedFilter.knowing()
    return filter.run(
      times.enumerated().map {
        position(Double($0.offset + 1), time: $0.element, latitude: 50 + Double($0.offset) * 1e-5)
      })
  }

  @Test("An old time is a duplicate")
  func duplicate() {
    let events = self.run([1, 2, 1, 3, 2, 4])
    #expect(events.fixes.map(\.time) == [1, 2, 3, 4].map(utc))
    #expect(events.rejections == [.duplicate, .duplicate])
  }

  @Test("The same time again within a few cycles is the same epoch")
  func sameTime() {
    var filter = WatchedFilter.knowing()
    let events = filter.run([position(1, time: 1), position(1.9, time: 1), position(2, time: 2)])
    #expect(events.fixes.map(\.time) == [utc(1), utc(2)])
  }

  @Test("A step back is accepted with the third epoch that confirms it, and time goes back")
  func stepBack() {
    let events = self.run([100, 101, 11, 12, 13, 14])
    #expect(events.fixes.map(\.time) == [100, 101, 13, 14].map(utc))
    #expect(events.rejections == [.duplicate, .duplicate])
  }

  @Test("A step back by 1024 weeks is accepted the same way")
  func rollBack() {
    let weeks = 1024.0 * 7 * 86400
    #expect(self.run([weeks + 1, 2, 3, 4]).fixes.map(\.time) == [weeks + 1, 4].map(utc))
  }

  @Test("Repeating one old epoch confirms no step back")
  func repeatedOldEpoch() {
    #expect(self.run([100, 101, 11, 11, 11, 102]).fixes.map(\.time) == [100, 101, 102].map(utc))
  }

  @Test("Old epochs that are not in a row confirm no step back")
  func notInARow() {
    #expect(self.run([100, 11, 12, 103, 14, 15, 106]).fixes.map(\.time) == [100, 103, 106].map(utc))
  }

  @Test("A single time far ahead costs nothing but itself", arguments: [61, 3600, 1024 * 7 * 86400] as [Double])
  func oneLeap(ahead: Double) {
    let events = self.run([1, ahead + 2, 3, ahead + 4, 5, 6])
    #expect(events.fixes.map(\.time) == [utc(1), nil, utc(3), nil, utc(5), utc(6)])
    #expect(events.rejections.isEmpty)
  }

  @Test("A leap ahead is believed with the third epoch that confirms it, and no fix is missing")
  func leap() {
    let weeks = 1024.0 * 7 * 86400
    let events = self.run([1, weeks + 2, weeks + 3, weeks + 4, weeks + 5])
    #expect(events.fixes.map(\.time) == [utc(1), nil, nil, utc(weeks + 4), utc(weeks + 5)])
  }

  @Test("After a silence the time has passed, which is no leap")
  func silence() {
    var filter = WatchedFilter.knowing()
    let events = filter.run([position(1, time: 1), position(4000, time: 4000)])
    #expect(events.fixes.map(\.time) == [utc(1), utc(4000)])
  }

  @Test("Arrival never goes back, whatever the receiver's time")
  func arrival() {
    let arrivals = self.run([100, 50, 51, 52, 7000, 53, 54, 55, nil, 56]).fixes.map(\.arrival)
    #expect(arrivals == arrivals.sorted())
    #expect(arrivals.count >= 5)
  }

  /// The longest time without a fix among reports at 1 Hz.
  private func longestGap(_ times: [Double?]) -> Double {
    let arrivals = self.run(times).fixes.map(\.arrival.sinceBoot.seconds) + [Double(times.count)]
    return zip(arrivals, arrivals.dropFirst()).map { $1 - $0 }.max() ?? .infinity
  }

  @Test("A clock that stands still while the device moves delays a fix once, and fixes continue")
  func standsStill() {
    let fixes = self.run(Array(repeating: 5, count: 120)).fixes
    #expect(fixes.count >= 115)
    #expect(self.longestGap(Array(repeating: 5, count: 120)) <= 4)
  }

  @Test("A clock that stood still and runs again is followed again")
  func goesOn() {
    let times = (0..<30).map { _ in 5.0 } + (6..<36).map(Double.init)
    let fixes = self.run(times).fixes
    #expect(fixes.suffix(30).map(\.time) == (6..<36).map { utc(Double($0)) })
  }

  @Test("Fixes continue with a clock that stands still in the past")
  func standsInThePast() { #expect(self.longestGap([1000] + Array(repeating: 5, count: 300)) <= 12) }

  @Test("Fixes continue with a clock that runs backwards")
  func runsBackwards() { #expect(self.longestGap((0..<300).map { 1000 - Double($0) }) <= 12) }

  @Test("Fixes continue with a clock that shows random times", arguments: 1...20 as ClosedRange<UInt64>)
  func random(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    let times = (0..<300).map { _ in Double.random(in: 0...1e6, using: &random) }
    #expect(self.longestGap(times) <= 12)
  }

  @Test("A new session begins with a new clock: an older time is no duplicate")
  func newSession() {
    var filter = WatchedFilter.knowing()
    _ = filter.run([position(1, time: 1000)])
    _ = filter.sessionEnded(isIntended: false)
    #expect(filter.run([position(2, time: 7)]).fixes.map(\.time) == [utc(7)])
  }
}
