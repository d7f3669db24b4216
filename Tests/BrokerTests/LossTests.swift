import Positioning
import ReceiverPorts
import Testing

@testable import Broker

/// When the fix is lost.
@Suite struct LossTests {
  @Test("One epoch without a fix is no loss; a second one, a second later, is")
  func twoEpochs() {
    var filter = WatchedFilter.knowing()
    #expect(filter.run([position(1, time: 1), noFix(2, time: 2)]).losses == 0)
    #expect(filter.hasFix)
    #expect(filter.run([noFix(3, time: 3)]).losses == 1)
    #expect(!filter.hasFix)
    #expect(filter.isLost)
  }

  @Test("Epochs without a fix less than a second apart are no loss yet")
  func tooClose() {
    var filter = WatchedFilter.knowing()
    let close = (1...9).map { noFix(2 + Double($0) / 10, time: 2 + Double($0) / 10) }
    #expect(filter.run([position(2, time: 2)] + close).losses == 0)
    #expect(filter.run([noFix(3.1, time: 3.1)]).losses == 1)
  }

  @Test("Repetitions of one epoch without a fix are one epoch")
  func repeated() {
    var filter = WatchedFilter.knowing()
    let reports = [position(1, time: 1)] + (0..<20).map { noFix(2 + Double($0) / 10, time: 2) }
    #expect(filter.run(reports.filter { $0.arrival < at(3.9) }).losses == 0)
  }

  @Test("A mode that alternates between 3 and 1, within an epoch or between epochs, is no loss")
  func flicker() {
    var filter = WatchedFilter.knowing()
    var events: [WatchedFilter.Event] = []
    for second in stride(from: 1.0, to: 61, by: 2) {
      events += filter.run([
        position(second, time: second), noFix(second + 0.02, time: second), position(second + 0.04, time: second),
        noFix(second + 1, time: second + 1),
      ])
    }
    #expect(events.losses == 0)
    #expect(events.fixes.count == 30)
  }

  @Test("Silence for loss-after is a loss, reported once")
  func silence() {
    var filter = WatchedFilter.knowing()
    _ = filter.run([position(1, time: 1)])
    #expect(filter.nextDeadline == at(9))
    #expect(filter.deadlineReached(now: at(8.999)).losses == 0)
    #expect(filter.deadlineReached(now: at(9)).losses == 1)
    #expect(filter.nextDeadline == nil)
    #expect(filter.deadlineReached(now: at(19)).losses == 0)
  }

  @Test("A receiver slower than loss-after is silent after three of its cycles")
  func slow() {
    let slow = ReceiverDevice(path: ublox.path, driver: "u-blox", isActivated: true, cycle: .seconds(10))
    var filter = WatchedFilter.knowing(devices: [slow])
    let events = filter.run((0..<6).map { position(1 + Double($0) * 10, time: Double($0) * 10) })
    #expect(events.losses == 0)
    #expect(filter.nextDeadline == at(81))
  }

  @Test(
    "A receiver that reports every 10 s is lost once at most, until its cycle is known, also after a break")
  func slowUnreported() {
    var filter = WatchedFilter.knowing()
    var events: [WatchedFilter.Event] = []
    for index in 0..<30 {
      let seconds = 1 + Double(index) * 10
      let gone = filter.advance(to: at(seconds))
      // The session with gpsd noticed the silence as well.
      if gone.losses > 0 { _ = filter.sessionEnded(isIntended: false) }
      events += gone + filter.received(position(seconds, time: Double(index) * 10))
    }
    #expect(events.losses == 1)
    #expect(events.fixes.count == 30)
  }

  @Test("Reports without a usable position do not delay the loss")
  func unusable() {
    var filter = WatchedFilter.knowing()
    var reports = [position(1, time: 1)]
    for second in 2...11 {
      var report = position(Double(second), time: Double(second))
      report.latitude = nil
      reports.append(report)
    }
    #expect(filter.run(reports).losses == 1)
  }

  @Test("After a loss the next fix is restored, and the next loss is reported")
  func again() {
    var filter = WatchedFilter.knowing()
    var events: [WatchedFilter.Event] = []
    for second in stride(from: 40.0, to: 240, by: 40) {
      events += filter.run([position(second, time: second)])
      #expect(filter.hasFix && !filter.isLost)
    }
    events += filter.advance(to: at(300))
    #expect(events.fixes.count == 5)
    #expect(events.losses == 5)
  }

  @Test("No fix at the start is no loss")
  func neverHad() {
    var filter = WatchedFilter.knowing()
    #expect(filter.run((1...20).map { noFix(Double($0), time: Double($0)) }).losses == 0)
    #expect(!filter.isLost)
  }

  @Test("Releasing the receiver is no loss; a broken session is")
  func sessions() {
    var filter = WatchedFilter.knowing()
    _ = filter.run([position(1, time: 1)])
    #expect(filter.sessionEnded(isIntended: true) == [])
    #expect(!filter.isLost && !filter.hasFix)
    _ = filter.run([position(2, time: 2)])
    #expect(filter.sessionEnded(isIntended: false) == [.lost])
    #expect(filter.isLost)
    #expect(filter.nextDeadline == nil)
  }

  @Test("The newest fix stays known after a loss, with its age")
  func stays() {
    var filter = WatchedFilter.knowing()
    _ = filter.run([position(1, time: 1)])
    _ = filter.deadlineReached(now: at(10))
    #expect(filter.current?.arrival == at(1))
  }

  @Test("Standard deviations of a lost epoch make no fix of it")
  func improvedTooLate() {
    var filter = WatchedFilter.knowing()
    _ = filter.run([position(1, time: 1, accuracy: 40)])
    _ = filter.deadlineReached(now: at(10))
    #expect(filter.isLost)
    #expect(filter.received(estimate(10.5, time: 1)) == [.rejected(.repeated)])
    #expect(filter.current?.horizontalAccuracy == 40)
  }
}
