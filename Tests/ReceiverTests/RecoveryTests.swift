import Positioning
import ReceiverPorts
import Testing

@testable import Receiver

/// Nobody inherits a dead receiver: a daemon that died, the end of the service, and a change of rung.
@Suite("Starting what was stopped") struct RecoveryTests {
  private static func left(by rung: PowerRung) -> StoppedReceiver { StoppedReceiver(rung: rung, device: "/dev/gps0") }

  @Test func `nothing is done at the daemon's start if nothing is stored`() {
    var run = LadderRun(.ublox)
    run.begin()
    run.advance(100)
    #expect(run.actions.isEmpty && run.nextDeadline == nil)
    #expect(run.initialPower.state == .unknown && run.initialPower.rung == .ublox && run.initialPower.problem == nil)
  }

  @Test func `what an earlier daemon stopped is started at once, and stopped again if nobody needs it`() {
    var run = LadderRun(.ublox, stopped: Self.left(by: .ublox))
    run.begin()
    #expect(run.isWatching)
    run.advance(2)
    #expect(run.written == ReceiverCommands.ublox.start + [ReceiverCommands.ublox.stop])
    run.advance(10)
    #expect(run.power?.state == .off && run.stored.stopped == Self.left(by: .ublox) && !run.isWatching)
  }

  @Test func `what an earlier daemon stopped stays on if somebody needs it`() {
    var run = LadderRun(.ublox, stopped: Self.left(by: .ublox))
    run.begin()
    run.need(true)
    run.advance(10)
    #expect(run.power?.state == .on && run.written == ReceiverCommands.ublox.start && run.stored.stopped == nil)
  }

  @Test(arguments: [true, false])
  func `after a change of rung the former one starts the receiver, and the new one takes over`(isNeeded: Bool) {
    var run = LadderRun(.watch, stopped: Self.left(by: .ublox))
    run.begin()
    if isNeeded { run.need(true) }
    run.advance(10)
    #expect(run.written == ReceiverCommands.ublox.start && run.stored.stopped == nil && !run.isStopped)
    #expect(run.power?.rung == .watch && run.power?.state == (isNeeded ? .on : .released))
    #expect(run.power?.problem == nil)
  }

  @Test(arguments: [PowerRung.ublox, .mtk, .unit], [true, false])
  func `what an earlier daemon stopped is started when a store that opens late says so`(rung: PowerRung, isNeeded: Bool)
  {
    let stopped = StoppedReceiver(
      rung: rung, device: "/dev/gps0", unit: rung == .unit ? "gps-on.service" : nil,
      offUnit: rung == .unit ? "gps-off.service" : nil)
    var run = LadderRun(
      rung, stopped: stopped, conduct: .init(storeError: "another process has it open"), isStoreOpen: false)
    run.begin()
    if isNeeded { run.need(true) }
    run.advance(30)
    #expect(run.isStopped && run.stored.stopped == stopped)
    run.openStore()
    run.advance(3)
    #expect(rung == .unit ? run.started.first == "gps-on.service" : run.starts > 0)
    run.need(true)
    run.advance(30)
    #expect(!run.isStopped && run.stored.stopped == nil && run.power?.state == .on)
  }

  @Test func `a receiver that works is started again when a store that opens late calls it stopped, and works on`() {
    var run = LadderRun(
      .ublox, stopped: Self.left(by: .ublox), conduct: .init(storeError: "another process has it open"),
      isStoreOpen: false)
    run.restartFromElsewhere()
    run.begin()
    run.need(true)
    run.advance(30)
    #expect(run.power?.state == .on)
    run.openStore()
    run.advance(30)
    #expect(run.power?.state == .on && run.stored.stopped == nil && run.isWatching)
    #expect(run.power?.rung == .ublox && run.power?.problem == nil)
    // It can be stopped as ever.
    run.need(false)
    run.advance(10)
    #expect(run.power?.state == .off && run.stored.stopped == Self.left(by: .ublox))
  }

  @Test func `what a former rung stopped goes to the configured one after its start, when a store opens late too`() {
    var run = LadderRun(
      .ublox, stopped: Self.left(by: .mtk), conduct: .init(storeError: "another process has it open"),
      isStoreOpen: false)
    run.begin()
    run.need(true)
    run.advance(30)
    run.openStore()
    #expect(run.power?.rung == .mtk)
    run.advance(30)
    #expect(run.power?.rung == .ublox && run.power?.state == .on && run.stored.stopped == nil)
  }

  @Test func `the rung that takes over from a former one knows the receiver that gpsd named before`() {
    var run = LadderRun(.ublox, stopped: Self.left(by: .mtk))
    run.begin()
    run.need(true)
    run.advance(30)
    #expect(run.power?.state == .on && run.power?.rung == .ublox && run.power?.problem == nil)
  }

  @Test func `a receiver that cannot be started now is started with the next need`() {
    var run = LadderRun(.ublox, stopped: Self.left(by: .ublox), conduct: .init(answersGpsd: false))
    run.begin()
    run.advance(125)
    #expect(run.power?.state == .unknown && !run.isWatching && run.nextDeadline == nil)
    #expect(run.stored.stopped != nil)
    run.conduct.answersGpsd = true
    run.need(true)
    run.advance(3)
    #expect(run.power?.state == .on && run.stored.stopped == nil)
  }

  @Test(arguments: [PowerRung.ublox, .mtk])
  func `the end of the service starts a stopped receiver first`(rung: PowerRung) {
    var run = CommandRungTests.stopped(rung)
    run.end()
    #expect(!run.hasEnded)
    run.advance(4)
    #expect(run.hasEnded && !run.isStopped && run.stored.stopped == nil)
  }

  @Test func `the end of the service while the receiver is being stopped starts it`() {
    var run = CommandRungTests.released()
    run.advance(1)
    run.end()
    run.advance(2)
    #expect(run.hasEnded && !run.isStopped && run.stored.stopped == nil)
  }

  @Test func `the end of the service waits for nothing if the receiver runs`() {
    var run = LadderRun(.ublox)
    run.need(true)
    run.advance(10)
    run.end()
    #expect(run.hasEnded)
    run.need(false)
    #expect(run.written.isEmpty && !run.isWatching)
  }

  @Test func `the end of the service gives up in time, and it stays stored`() {
    var run = CommandRungTests.stopped()
    run.conduct.answersGpsd = false
    run.end()
    run.advance(19)
    #expect(!run.hasEnded)
    run.advance(1)
    #expect(run.hasEnded && run.stored.stopped != nil)
  }

  @Test func `a start that was lost is sent again by the next daemon`() {
    var run = CommandRungTests.stopped(conduct: .init(lostStarts: 1))
    run.need(true)
    run.advance(4)
    #expect(run.isStopped && run.starts == 1)
    run.restart()
    run.need(true)
    run.advance(4)
    #expect(!run.isStopped && run.starts == 2 && run.stored.stopped == nil)
  }

  @Test func `the end of the service does not take a report of a stopped receiver for its start`() {
    var run = CommandRungTests.stopped(conduct: .init(lostStarts: .max))
    run.end()
    run.advance(21)
    #expect(run.hasEnded && run.isStopped && run.stored.stopped != nil && run.starts >= 2)
  }
}
