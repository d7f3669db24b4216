import Positioning
import ReceiverPorts
import TestSupport
import Testing

@testable import Broker

/// A receiver that hangs and repeats its last epoch: that is no new epoch and no sign of life.
@Suite struct HungReceiverTests {
  /// The reports of a receiver that moves until `end` and then repeats its last epoch, of two reports each.
  private func reports(_ seconds: ClosedRange<Int>, hangingFrom end: Int, device: String? = ublox.path)
    -> [PositionReport]
  {
    seconds.flatMap { second -> [PositionReport] in
      let epoch = Double(min(second, end))
      var first = position(
        Double(second), time: epoch, accuracy: nil, latitude: 50 + epoch * 1e-4, device: device)
      var whole = position(Double(second) + 0.05, time: epoch, accuracy: 3, latitude: 50 + epoch * 1e-4, device: device)
      (first.speed, whole.speed) = (11, 11)
      return [first, whole]
    }
  }

  @Test("Its fix ages and is lost after loss-after, once, and no fix follows however long it goes on")
  func lost() {
    var filter = WatchedFilter.knowing()
    let events = filter.run(self.reports(1...600, hangingFrom: 12))
    #expect(events.fixes.map(\.time) == (1...12).map { utc(Double($0)) })
    #expect(events.losses == 1)
    #expect(filter.isLost && filter.problem == .repeating)
    var early = WatchedFilter.knowing()
    #expect(early.run(self.reports(1...19, hangingFrom: 12)).losses == 0)
    #expect(early.run(self.reports(20...21, hangingFrom: 12)).losses == 1)
  }

  @Test("A healthy receiver beside it takes over within two of its epochs, however good the hung one claims to be")
  func beside() throws {
    let devices = ["a", "b"].map { ReceiverDevice(path: $0, driver: "u-blox", isActivated: true) }
    var filter = WatchedFilter.knowing(devices: devices)
    let hung = self.reports(1...60, hangingFrom: 12, device: "a")
    let healthy = (1...60).map { position(Double($0) + 0.4, time: Double($0), accuracy: 7, latitude: 50, device: "b") }
    let events = filter.run((hung + healthy).sorted { $0.arrival < $1.arrival })
    #expect(events.losses == 0)
    let change = try #require(events.fixes.first { $0.device == "b" })
    #expect(change.arrival <= at(15))
    #expect(events.fixes.last { $0.device == "a" }?.time == utc(12))
  }

  @Test("A new session does not make its old epoch new")
  func newSession() {
    var filter = WatchedFilter.knowing()
    _ = filter.run(self.reports(1...30, hangingFrom: 12))
    _ = filter.sessionEnded(isIntended: true)
    #expect(filter.run(self.reports(600...660, hangingFrom: 12)).fixes == [])
    // It was unplugged and works again.
    #expect(
      filter.run(self.reports(700...705, hangingFrom: 999)).fixes.map(\.time) == (700...705).map { utc(Double($0)) })
  }

  @Test("A receiver that works again is believed with its first epoch")
  func worksAgain() throws {
    var filter = WatchedFilter.knowing()
    _ = filter.run(self.reports(1...40, hangingFrom: 12))
    let fixes = filter.run(self.reports(41...45, hangingFrom: 999)).fixes
    #expect(fixes.map(\.time) == (41...45).map { utc(Double($0)) })
    #expect(filter.problem == nil)
  }

  @Test("Reports without a time prove nothing: a parked receiver may report the same place for an hour")
  func parkedWithoutTime() {
    var filter = WatchedFilter.knowing()
    let events = filter.run((1...3600).map { position(Double($0)) })
    #expect(events.fixes.count == 3600)
    #expect(events.losses == 0)
  }

  @Test("The same place with a time that goes on is a receiver at rest")
  func atRest() {
    var filter = WatchedFilter.knowing()
    #expect(filter.run((1...600).map { position(Double($0), time: Double($0)) }).fixes.count == 600)
  }

  @Test("A one-shot gets no fix of a hung receiver, and the answer says what is wrong")
  func oneShot() throws {
    var daemon = VirtualDaemon()
    daemon.subscribe(SubscriptionParameters())
    for _ in 0..<10 {
      daemon.advance(by: 1)
      daemon.fix()
    }
    let stuck = daemon.now.sinceBoot.seconds
    var call: CallID?
    var result: FixResult?
    for second in 0..<60 {
      if second == 30 {
        var request = FixRequest(accuracy: .level(.house))
        request.timeout = .seconds(5)
        call = daemon.call(.getFix(request)).id
      }
      let actions = daemon.advance(by: 1) + daemon.fix(time: stuck)
      if let call { result = result ?? actions.outcome(of: call) }
    }
    let outcome = try #require(result)
    #expect(outcome.status == .timedOut)
    #expect(outcome.diagnostics.availability == .lost)
    #expect(outcome.diagnostics.problem == .repeating)
    #expect(daemon.status.receiver.problem == .repeating)
    #expect(daemon.status.reports.rejected["repetition"] ?? 0 > 50)
  }
}
