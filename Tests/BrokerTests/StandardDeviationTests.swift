import Positioning
import Testing

@testable import Broker

/// GST sentences are matched to their epochs.
@Suite struct StandardDeviationTests {
  @Test("Deviations after the position improve its epoch")
  func after() {
    var filter = WatchedFilter.knowing()
    var events = filter.run([position(1, time: 1, accuracy: 9)])
    events += filter.received(estimate(1.05, time: 1))
    #expect(events.fixes.map(\.horizontalAccuracy) == [9])
    #expect(events.improvements.map(\.horizontalAccuracy) == [gst68])
  }

  @Test("Deviations before the position wait for it")
  func before() {
    var filter = WatchedFilter.knowing()
    var events = filter.run([position(1, time: 1, accuracy: 9)])
    events += filter.received(estimate(1.95, time: 2))
    events += filter.run([position(2, time: 2, accuracy: 9)])
    #expect(events.fixes.map(\.horizontalAccuracy) == [9, gst68])
    #expect(events.improvements.isEmpty)
  }

  @Test("Deviations before the first position wait for it")
  func beforeFirst() {
    var filter = WatchedFilter.knowing()
    _ = filter.received(estimate(0.95, time: 1))
    #expect(filter.run([position(1, time: 1, accuracy: 9)]).fixes.map(\.horizontalAccuracy) == [gst68])
  }

  @Test("Without times, deviations shortly before or after the position belong to the epoch", arguments: [-0.05, 0.05])
  func noTime(offset: Double) {
    var filter = WatchedFilter.knowing()
    var events: [WatchedFilter.Event] = []
    for second in 1...5 {
      let moment = Double(second)
      if offset < 0 { events += filter.received(estimate(moment + offset)) }
      events += filter.run([position(moment, accuracy: 9)])
      if offset > 0 { events += filter.received(estimate(moment + offset)) }
    }
    #expect(filter.current?.horizontalAccuracy == gst68)
    #expect(events.fixes.count == 5)
    let best = events.fixes + events.improvements
    #expect(best.count { $0.horizontalAccuracy == gst68 } == 5)
  }

  @Test("Deviations of another time, or much later, belong to no epoch")
  func elsewhere() {
    var filter = WatchedFilter.knowing()
    _ = filter.run([position(1, time: 1, accuracy: 9)])
    #expect(filter.received(estimate(1.05, time: 0)) == [])
    #expect(filter.received(estimate(1.8)) == [])
    #expect(filter.current?.horizontalAccuracy == 9)
  }

  @Test("A receiver that reports deviations is waited for, 300 ms at the longest")
  func waits() {
    var filter = WatchedFilter.knowing()
    _ = filter.run([position(1, time: 1, accuracy: 9)])
    _ = filter.received(estimate(1.05, time: 1))
    #expect(filter.received(position(2, time: 2, accuracy: 9)).fixes.isEmpty)
    #expect(filter.received(estimate(2.05, time: 2)).fixes.map(\.horizontalAccuracy) == [gst68])
    #expect(filter.received(position(3, time: 3, accuracy: 9)).fixes.isEmpty)
    let late = filter.deadlineReached(now: at(3.3)).fixes
    #expect(late.map(\.horizontalAccuracy) == [gst68])
    #expect(late.map(\.accuracySource) == [.earlierDeviations])
  }

  @Test("Deviations of another receiver are never used for this one's fix")
  func otherReceiver() {
    var filter = WatchedFilter.knowing()
    _ = filter.run([position(1, time: 1, accuracy: 9)])
    #expect(filter.received(estimate(1.05, time: 1, device: "/dev/ttyUSB9")) == [])
    #expect(filter.current?.horizontalAccuracy == 9)
  }
}
