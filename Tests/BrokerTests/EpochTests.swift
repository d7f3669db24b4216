import Positioning
import ReceiverPorts
import Testing

@testable import Broker

/// How several reports become one epoch, and when its fix is delivered.
@Suite struct EpochTests {
  @Test("Reports of one time are one epoch, and later ones make its fix better, not younger")
  func sameTime() throws {
    var filter = WatchedFilter.knowing()
    var second = position(1.02, time: 1, accuracy: 3)
    second.speed = 7
    let events = filter.run([position(1, time: 1, accuracy: 9), second, position(1.03, time: 1, accuracy: 3)])
    #expect(events.fixes.map(\.horizontalAccuracy) == [9])
    #expect(events.improvements.map(\.horizontalAccuracy) == [3])
    let better = try #require(events.improvements.first)
    #expect(better.speed == 7)
    #expect(better.arrival == at(1))
    #expect(events.rejections == [.repeated])
  }

  @Test("A field that a later report leaves out stays known")
  func fieldsStay() throws {
    var first = position(1, time: 1, accuracy: 9)
    first.altitude = 120
    var filter = WatchedFilter.knowing()
    let events = filter.run([first, position(1.02, time: 1, accuracy: 3)])
    #expect(events.improvements.map(\.altitude) == [120])
  }

  @Test("Without a time, reports within 40 % of the cycle are one epoch, and later ones another")
  func noTime() {
    var filter = WatchedFilter.knowing()
    let reports = (1...5).flatMap { second in
      [0, 0.1, 0.3].map { position(Double(second) + $0, accuracy: 4 - $0) }
    }
    let events = filter.run(reports)
    #expect(events.fixes.map(\.arrival) == (1...5).map { at(Double($0)) })
    #expect(events.improvements.count == 10)
  }

  @Test("Without a time, the receiver's own cycle decides which reports are one epoch")
  func noTimeFast() {
    let fast = ReceiverDevice(path: ublox.path, driver: "u-blox", isActivated: true, cycle: .milliseconds(200))
    var filter = WatchedFilter.knowing(devices: [fast])
    let reports = (5...24).flatMap { [position(Double($0) / 5), position(Double($0) / 5 + 0.05, accuracy: 3)] }
    #expect(filter.run(reports).fixes.count == 20)
  }

  @Test("A report that adds the epoch's time late begins no new epoch")
  func timeComesLate() throws {
    var filter = WatchedFilter.knowing()
    let events = filter.run([position(1), position(1.05, time: 1, accuracy: 3), position(1.1, time: 1, accuracy: 2)])
    #expect(events.fixes.count == 1)
    #expect(events.improvements.map(\.time) == [utc(1), utc(1)])
  }

  @Test("A stream gives one fix for each epoch, at any rate", arguments: [1.0, 5, 10, 25])
  func rates(hertz: Double) {
    var filter = WatchedFilter.knowing()
    let times = (0..<200).map { Double($0) / hertz }
    let reports = times.flatMap { time in
      [position(10 + time, time: time, accuracy: 9), position(10.005 + time, time: time, accuracy: 3)]
    }
    let events = filter.run(reports)
    #expect(events.fixes.map(\.arrival) == times.map { at(10 + $0) })
    #expect(events.improvements.count == 200)
    #expect(events.losses == 0)
    #expect(events.epochs == events.epochs.sorted())
    #expect(Set(events.epochs).count == 200)
  }

  @Test("An epoch whose accuracy is unknown is held for 300 ms, then delivered as it is")
  func hold() {
    var filter = WatchedFilter.knowing()
    #expect(filter.run([position(1, time: 1, accuracy: nil)]) == [])
    #expect(filter.nextDeadline == at(1.3))
    #expect(filter.deadlineReached(now: at(1.299)) == [])
    #expect(filter.deadlineReached(now: at(1.3)).fixes.map(\.horizontalAccuracy) == [nil])
    #expect(filter.deadlineReached(now: at(1.6)) == [])
  }

  @Test("A held epoch is delivered as soon as its accuracy arrives")
  func heldIsCompleted() {
    var filter = WatchedFilter.knowing()
    let events = filter.run([position(1, time: 1, accuracy: nil), position(1.1, time: 1, accuracy: 3)])
    #expect(events.fixes.map(\.horizontalAccuracy) == [3])
    #expect(events.improvements.isEmpty)
    #expect(filter.deadlineReached(now: at(1.3)) == [])
  }

  @Test("A held epoch is delivered when the next one begins")
  func heldIsReleased() {
    var filter = WatchedFilter.knowing()
    let events = filter.run([position(1, time: 1, accuracy: nil), position(1.1, time: 1.1, accuracy: 3)])
    #expect(events.fixes.map(\.horizontalAccuracy) == [nil, 3])
    #expect(events.fixes.map(\.arrival) == [at(1), at(1.1)])
  }

  @Test("An accuracy that arrives after the hold still improves the fix")
  func lateAccuracy() {
    var filter = WatchedFilter.knowing()
    let events = filter.run([position(1, time: 1, accuracy: nil), position(1.5, time: 1, accuracy: 3)])
    #expect(events.fixes.map(\.horizontalAccuracy) == [nil])
    #expect(events.improvements.map(\.horizontalAccuracy) == [3])
  }

  @Test("An assumption does not replace an estimate that the receiver usually reports")
  func assumptionWaits() {
    var settings = FixSettings()
    settings.assumedAccuracy = 50
    var filter = WatchedFilter.knowing(settings)
    let events = filter.run([
      position(1, time: 1, accuracy: 3), position(2, time: 2, accuracy: nil), position(2.1, time: 2, accuracy: 3),
      position(3, time: 3, accuracy: nil), position(4, time: 4, accuracy: 3),
    ])
    #expect(events.fixes.map(\.horizontalAccuracy) == [3, 3, 50, 3])
  }

  @Test("A receiver that never reports an estimate is not held if there is an assumption")
  func assumptionAtOnce() {
    var settings = FixSettings()
    settings.assumedAccuracy = 50
    var filter = WatchedFilter.knowing(settings)
    #expect(filter.received(position(1, time: 1, accuracy: nil)).fixes.map(\.horizontalAccuracy) == [50])
  }

  @Test("A report far away within a delivered epoch does not move its fix")
  func jumpWithinEpoch() {
    var filter = WatchedFilter.knowing()
    let events = filter.run([
      position(1, time: 1), position(1.1, time: 1, latitude: -50), position(2, time: 2), position(3, time: 3),
    ])
    #expect(events.fixes.map(\.latitude) == [50, 50, 50])
    #expect(events.improvements.isEmpty)
  }

  @Test("Two times of one epoch that arrive together are one fix, with the fields of both")
  func twoTimes() {
    var filter = WatchedFilter.knowing()
    var reports: [PositionReport] = []
    for second in 1...8 {
      var gga = position(Double(second), time: Double(second))
      (gga.altitude, gga.speed) = (13, 16.5)
      var rmc = position(Double(second) + 0.05, time: Double(second) + 0.8)
      rmc.speed = 3.3
      reports += [gga, rmc]
    }
    let fixes = filter.run(reports).fixes
    // Only the first seconds cannot know it.
    let later = fixes.filter { $0.arrival >= at(4) }
    #expect(later.map(\.time) == (4...8).map { utc(Double($0)) })
    #expect(later.allSatisfy { $0.altitude == 13 && $0.speed == 3.3 }, "\(later)")
  }

  @Test("Two times with one place are one fix while the device moves, also over a line so slow that they come evenly")
  func twoTimesOverASlowLine() {
    var filter = WatchedFilter.knowing()
    var reports: [PositionReport] = []
    for second in 1...8 {
      // A recording that is played faster than it was recorded: an epoch arrives in 0.14 s.
      let arrival = Double(second) * 0.14
      let latitude = 48.1 + Double(second) * 0.00003
      var gga = position(arrival, time: Double(second), latitude: latitude)
      (gga.altitude, gga.speed) = (13, 16.5)
      var rmc = position(arrival + 0.07, time: Double(second) + 0.8, latitude: latitude)
      rmc.speed = 3.3
      reports += [gga, rmc]
    }
    let later = filter.run(reports).fixes.filter { $0.arrival >= at(0.14 * 4 - 0.01) }
    #expect(later.map(\.time) == (4...8).map { utc(Double($0)) })
    #expect(later.allSatisfy { $0.altitude == 13 && $0.speed == 3.3 }, "\(later)")
  }

  @Test("A receiver whose times have uneven steps keeps each of its places")
  func unevenSteps() {
    var filter = WatchedFilter.knowing()
    let times = (1...8).flatMap { [Double($0), Double($0) + 0.8] }
    let reports = times.enumerated().map { index, time in
      position(time, time: time, latitude: 48.1 + Double(index) * 0.00003)
    }
    #expect(filter.run(reports).fixes.count == reports.count)
  }

  @Test("After a lost epoch the next two stay apart, also if they arrive together")
  func lostEpoch() {
    var filter = WatchedFilter.knowing()
    let reports = (0..<30).filter { $0 % 4 != 2 }.map { position(Double($0 + 1), time: Double($0)) }
    #expect(filter.run(reports).fixes.count == reports.count)
    let late = [31, 34, 34.002, 35, 36].enumerated().map { index, arrival in
      position(arrival, time: [31, 33, 34, 35, 36][index])
    }
    #expect(filter.run(late).fixes.count == late.count)
  }

  @Test("Epochs that arrive together in bursts stay apart")
  func bursts() {
    var filter = WatchedFilter.knowing()
    let reports = (5..<50).map { index -> PositionReport in
      let arrival = Double(index / 5 + 1) + Double(index % 5) * 0.002
      return position(arrival, time: Double(index) * 0.2)
    }
    #expect(filter.run(reports).fixes.count == reports.count)
  }

  @Test("A receiver that gives an altitude gives it in every fix, whichever report of the epoch comes first")
  func altitude() {
    var filter = WatchedFilter.knowing()
    var reports: [PositionReport] = []
    for second in 1...6 {
      let rmc = position(Double(second), time: Double(second))
      var gga = position(Double(second) + 0.08, time: Double(second))
      gga.altitude = 545.4
      reports += second < 3 ? [gga] : [rmc, gga]
    }
    let fixes = filter.run(reports).fixes
    #expect(fixes.count == 6 && fixes.allSatisfy { $0.altitude == 545.4 }, "\(fixes)")
    // Without it the fix is delivered all the same, after the hold.
    let last = filter.run([position(7, time: 7)]) + filter.advance(to: at(7.31))
    #expect(last.fixes.map(\.altitude) == [nil])
  }
}
