import Positioning
import ReceiverPorts
import Testing

@testable import Receiver

/// The rungs that write to the receiver, in virtual time.
@Suite("Stopping and starting a receiver by commands") struct CommandRungTests {
  /// One that has been needed for a while, and is needed no more.
  static func released(_ rung: PowerRung = .ublox, conduct: LadderRun.Conduct = .init()) -> LadderRun {
    var run = LadderRun(rung, conduct: conduct)
    run.need(true)
    run.advance(20)
    run.need(false)
    return run
  }

  static func stopped(_ rung: PowerRung = .ublox, conduct: LadderRun.Conduct = .init()) -> LadderRun {
    var run = Self.released(rung, conduct: conduct)
    run.advance(8)
    return run
  }

  @Test(arguments: [PowerRung.ublox, .mtk])
  func `a receiver that nobody needs is stopped, verified and left, and nothing is armed in the end`(rung: PowerRung)
    throws
  {
    var run = Self.released(rung)
    let commands = try #require(ReceiverCommands(of: rung))
    #expect(run.power?.state == .turningOff && run.written == [commands.stop])
    #expect(run.isWatching, "the stop is verified by what gpsd reports")
    run.advance(8)
    #expect(run.power?.state == .off && run.power?.rung == rung && run.power?.problem == nil)
    #expect(run.power?.verifiedBy == (rung == .mtk ? Evidence.silence : Evidence.stoppedReports))
    #expect(!run.isWatching)
    #expect(run.stored.stopped?.rung == rung && run.stored.stopped?.device == "/dev/gps0")
    run.advance(71)
    #expect(run.nextDeadline == nil && !run.isWatching && run.power?.state == .off)
    #expect(run.unexpectedSilence == .zero)
  }

  @Test func `stopped is stored before the stop is written`() throws {
    let run = Self.stopped()
    let store = try #require(run.actions.firstIndex { if case .store(.some, _) = $0 { true } else { false } })
    let write = try #require(run.actions.firstIndex(of: .write(ReceiverCommands.ublox.stop)))
    #expect(store < write)
  }

  @Test(arguments: [PowerRung.ublox, .mtk])
  func `the start goes with the first watch after the stop, and its report is the evidence`(rung: PowerRung) throws {
    var run = Self.stopped(rung)
    run.need(true)
    #expect(run.power?.state == .turningOn && run.isWatching)
    run.advance(4)
    let commands = try #require(ReceiverCommands(of: rung))
    #expect(run.written == [commands.stop] + commands.start)
    #expect(run.power?.state == .on && run.power?.verifiedBy == Evidence.reports && run.power?.problem == nil)
    #expect(!run.isStopped && run.stored.stopped == nil)
  }

  @Test func `a need that comes while it is being stopped starts it at once`() {
    var run = Self.released()
    run.advance(2)
    run.need(true)
    run.advance(2)
    #expect(run.power?.state == .on && !run.isStopped && run.stored.stopped == nil)
    #expect(!run.actions.contains(.stopSession))
  }

  @Test func `a need that ends before the receiver has started stops it again`() {
    var run = Self.stopped()
    run.conduct.obeysStart = true
    run.need(true)
    run.need(false)
    run.advance(12)
    #expect(run.power?.state == .off && run.isStopped)
  }

  @Test func `one that ignores the stop is left to watch, and that is said`() {
    let run = {
      var run = Self.released(conduct: .init(obeysStop: false))
      run.advance(15)
      return run
    }()
    #expect(run.power?.state == .released && run.power?.rung == .watch && !run.isWatching)
    #expect(run.power?.problem?.contains("rung=ublox does not work: the receiver works on after UBX-CFG-RST") == true)
    #expect(run.stored.stopped == nil)
    #expect(run.logged.contains { $0.contains("works on after") })
    var again = run
    again.need(true)
    again.advance(20)
    again.need(false)
    again.advance(20)
    #expect(again.written.count == 1, "a rung that failed is not tried again")
    #expect(again.power?.problem?.contains("does not work") == true)
  }

  @Test func `one that is silent while stopped, and talks on without a fix, ignores the stop`() {
    var run = Self.released(.mtk, conduct: .init(obeysStop: false))
    run.conduct.hasFix = false
    run.advance(15)
    #expect(run.power?.state == .released && run.power?.rung == .watch)
    #expect(run.power?.problem?.contains("the receiver works on after") == true)
  }

  @Test func `a receiver of another driver is refused once gpsd has had time to identify it`() {
    var run = LadderRun(.ublox, conduct: .init(driver: "NMEA0183"))
    run.need(true)
    run.advance(5)
    #expect(run.power?.rung == .ublox && run.power?.problem == nil)
    run.advance(10)
    #expect(run.power?.rung == .watch && run.power?.state == .on)
    #expect(run.power?.problem == "rung=ublox does not work: gpsd calls the receiver NMEA0183, not u-blox")
    run.need(false)
    #expect(run.power?.state == .released && run.written.isEmpty)
  }

  @Test func `a receiver that gpsd has not identified yet is only released`() {
    var run = LadderRun(.mtk)
    run.conduct.driver = "NMEA0183"
    run.need(true)
    run.advance(5)
    run.need(false)
    #expect(run.power?.state == .released && run.power?.rung == .mtk && run.written.isEmpty)
    #expect(run.power?.problem == "the receiver is not stopped: gpsd has not identified it yet")
    run.conduct.driver = "MTK-3301"
    run.need(true)
    run.advance(5)
    #expect(run.power?.problem == nil)
    run.need(false)
    run.advance(8)
    #expect(run.power?.state == .off)
  }

  @Test func `a receiver that was not stopped is not off because gpsd has closed it`() {
    var run = LadderRun(.mtk)
    run.conduct.driver = "NMEA0183"
    run.need(true)
    run.advance(5)
    run.need(false)
    run.advance(80)
    #expect(run.power?.state == .released && run.power?.rung == .mtk)
    #expect(run.power?.verifiedBy == Evidence.closed && run.nextDeadline == nil)
  }

  @Test(arguments: [PowerRung.ublox, .mtk])
  func `a receiver that is unplugged after it was identified keeps its rung`(rung: PowerRung) {
    var run = LadderRun(rung)
    run.need(true)
    run.advance(60)
    run.send(.devices([]))
    #expect(run.power?.rung == rung && run.power?.problem == nil)
    run.send(.source(.receiverMissing(.unplugged("/dev/ttyACM0"))))
    #expect(run.power?.rung == rung && run.power?.problem == nil)
  }

  @Test func `of several receivers none is stopped unless one is configured`() {
    var run = LadderRun(.ublox, conduct: .init(devices: 2))
    run.need(true)
    run.advance(2)
    #expect(run.power?.rung == .watch && run.power?.problem?.contains("device= in [gpsd]") == true)
  }

  @Test func `what gpsd refuses to write ends the rung`() {
    var run = Self.released(conduct: .init(refusal: "Attempted to write to a read-only device"))
    run.advance(1)
    #expect(run.power?.state == .released && run.power?.rung == .watch && run.stored.stopped == nil)
    #expect(run.power?.problem?.contains("read-only device; its option -b forbids that") == true)
  }

  @Test func `a stop that cannot be stored is not sent`() {
    var run = Self.released(conduct: .init(storeError: "the disk is full"))
    #expect(run.written.isEmpty && run.power?.state == .released)
    #expect(run.power?.problem == "the receiver is not stopped: that cannot be stored: the disk is full")
    run.conduct.storeError = nil
    run.need(true)
    run.advance(3)
    run.need(false)
    run.advance(8)
    #expect(run.power?.state == .off && run.power?.problem == nil)
  }

  @Test func `a disk that takes too long keeps the receiver from being stopped, also later`() throws {
    var run = Self.released(conduct: .init(answersStore: false))
    run.advance(11)
    #expect(run.written.isEmpty && run.power?.state == .released && !run.isWatching)
    run.send(.stored(number: 1, error: nil))
    #expect(run.written.isEmpty)
    // The newest that is stored is that it is not stopped.
    let last = try #require(run.actions.last { if case .store = $0 { true } else { false } })
    #expect(last == .store(nil, number: 2))
  }

  @Test func `the answer to an earlier store is not the answer to this one`() {
    var run = Self.released(conduct: .init(answersStore: false))
    run.need(true)
    run.need(false)
    run.send(.stored(number: 1, error: nil))
    #expect(run.written.isEmpty)
    run.send(.stored(number: 3, error: nil))
    #expect(run.written == [ReceiverCommands.ublox.stop])
  }

  @Test func `several reports of one epoch are no cycle`() {
    var run = LadderRun(.ublox)
    run.need(true)
    for _ in 0..<20 {
      run.advance(1)
      run.pass(.milliseconds(50))
      run.send(.report(isWorking: false))
    }
    run.pass(.milliseconds(400))
    run.need(false)
    run.advance(8)
    #expect(run.power?.state == .off && run.power?.verifiedBy == Evidence.stoppedReports)
  }

  @Test func `without a fix before the stop nothing proves that it worked`() {
    let run = {
      var run = Self.released(conduct: .init(hasFix: false))
      run.advance(8)
      return run
    }()
    #expect(run.power?.state == .released && run.power?.verifiedBy == nil)
    #expect(run.power?.problem?.contains("nothing shows that it obeyed") == true)
    #expect(run.stored.stopped != nil, "it may well be stopped")
  }

  @Test func `a connection that breaks before the verification leaves the power unknown, and the start goes later`() {
    var run = Self.released()
    run.advance(1)
    run.loseGpsd()
    #expect(run.power?.state == .unknown && run.stored.stopped != nil)
    run.conduct.answersGpsd = true
    run.need(true)
    run.advance(4)
    #expect(run.power?.state == .on && !run.isStopped && run.stored.stopped == nil)
  }

  @Test func `another program that starts it again is noticed by one probe`() {
    var run = Self.stopped(conduct: .init(isKeptOpen: true))
    run.restartFromElsewhere()
    run.advance(90)
    #expect(run.power?.state == .released && run.power?.verifiedBy == Evidence.reports)
    #expect(run.power?.problem?.contains("another program has started the receiver again") == true)
    #expect(!run.isWatching && run.nextDeadline == nil && run.stored.stopped == nil)
  }

  @Test(arguments: [PowerRung.ublox, .mtk])
  func `a gpsd that keeps the device open does not undo the stop`(rung: PowerRung) {
    var run = Self.stopped(rung, conduct: .init(isKeptOpen: true))
    run.advance(90)
    #expect(run.power?.state == .off && !run.isWatching && run.nextDeadline == nil)
    #expect(run.written.count == 1 && run.unexpectedSilence == .zero)
  }

  @Test func `a start without a report is sent again, then said, and the rung is not used again`() {
    var run = Self.stopped()
    run.conduct.obeysStart = false
    run.conduct.talksWhileStopped = false
    run.need(true)
    run.advance(30)
    #expect(run.starts == 3)
    #expect(run.power?.state == .unknown && run.power?.problem?.contains("no report within 10 s of its start") == true)
    #expect(run.stored.stopped != nil)
    run.restartFromElsewhere()
    run.advance(2)
    #expect(run.power?.state == .on && run.power?.rung == .watch && run.stored.stopped == nil)
    run.need(false)
    run.advance(10)
    #expect(run.written.count == 4)
  }

  @Test(arguments: [1, 2, 4])
  func `a start that is lost is sent again, and until a fix or a satellite in use nobody calls it on`(lost: Int) {
    var run = Self.stopped(conduct: .init(lostStarts: lost))
    run.need(true)
    run.advance(5)
    #expect(run.power?.state == .turningOn && run.stored.stopped != nil, "it reports while it is stopped")
    while run.isStopped, run.now < Instant(sinceBoot: .seconds(2000)) {
      run.advance(1)
      #expect(run.power?.state != .on && run.stored.stopped != nil)
    }
    run.advance(2)
    #expect(run.starts == lost + 1)
    #expect(run.power?.state == .on && run.power?.rung == .ublox && run.power?.problem == nil)
    #expect(run.stored.stopped == nil)
  }

  @Test func `a start that nothing proves is reported as not proved, and sent ever more rarely`() {
    var run = Self.stopped(conduct: .init(lostStarts: .max))
    run.need(true)
    run.advance(64)
    #expect(run.power?.state == .unknown && run.power?.verifiedBy == nil)
    let problem = "the receiver was stopped, and its reports have neither a fix nor a satellite in use since its start"
    #expect(run.power?.problem == problem && run.logged.filter { $0 == problem }.count == 1)
    run.advance(3600)
    #expect((8...14).contains(run.starts), "\(run.starts)")
    #expect(run.stored.stopped != nil && run.logged.count == 1)
  }

  @Test func `a receiver without sky that nobody needs any more is stopped again, and its next start is sent`() {
    var run = Self.stopped()
    run.conduct.hasFix = false
    run.need(true)
    run.advance(60)
    #expect(!run.isStopped && run.power?.state == .unknown)
    run.need(false)
    run.advance(20)
    #expect(run.isStopped && run.stored.stopped != nil && !run.isWatching && run.power?.state == .released)
    run.conduct.hasFix = true
    run.need(true)
    run.advance(4)
    #expect(run.power?.state == .on && run.power?.rung == .ublox && run.stored.stopped == nil)
  }

  @Test func `a report of the time before the stop proves no start`() {
    var run = Self.released(conduct: .init(lostStarts: 1))
    // The stop and the start are written within one cycle, and the last report with a fix comes after both.
    run.need(true)
    run.send(.report(isWorking: true))
    #expect(run.stored.stopped != nil && run.power?.state == .turningOn)
    run.advance(20)
    #expect(run.power?.state == .on && run.stored.stopped == nil && run.starts == 2)
  }

  @Test func `a start that was not written yet is written when gpsd is back`() {
    var run = Self.stopped()
    run.conduct.answersGpsd = false
    run.need(true)
    run.advance(300)
    #expect(run.isStopped && run.power?.state == .turningOn)
    run.conduct.answersGpsd = true
    run.advance(3)
    #expect(run.power?.state == .on && !run.isStopped)
  }
}
