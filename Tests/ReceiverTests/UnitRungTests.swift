import Positioning
import ReceiverPorts
import Testing

@testable import Receiver

/// The rung that starts system units, in virtual time.
@Suite("Turning a receiver off and on by units") struct UnitRungTests {
  private static func stopped(conduct: LadderRun.Conduct = .init()) -> LadderRun {
    var run = LadderRun(.unit, conduct: conduct)
    run.need(true)
    run.advance(10)
    run.need(false)
    run.advance(10)
    return run
  }

  private static let off = "gps-off.service"
  private static let on = "gps-on.service"

  private static func settings(off: String, on: String) -> PowerSettings {
    var settings = PowerSettings()
    (settings.rung, settings.offUnit, settings.onUnit) = (.unit, off, on)
    return settings
  }

  /// One whose off unit runs.
  private static func turningOff() -> LadderRun {
    var run = LadderRun(.unit, conduct: .init(endsUnits: false))
    run.need(true)
    run.advance(10)
    run.need(false)
    return run
  }

  @Test func `the unit's result and the receiver's silence together are the evidence`() throws {
    let run = Self.stopped()
    #expect(run.started == ["gps-off.service"])
    #expect(run.power?.state == .off && run.power?.rung == .unit && run.power?.problem == nil)
    #expect(run.power?.verifiedBy == "the result of gps-off.service and its silence since the stop")
    #expect(run.stored.stopped == StoppedReceiver(rung: .unit, unit: "gps-on.service", offUnit: "gps-off.service"))
    #expect(!run.isWatching && run.nextDeadline == nil && run.unexpectedSilence == .zero)
    let store = try #require(run.actions.firstIndex { if case .store(.some, _) = $0 { true } else { false } })
    let start = try #require(run.actions.firstIndex(of: .startUnit("gps-off.service")))
    #expect(store < start)
  }

  @Test func `a receiver that gpsd loses is off at once`() {
    var run = LadderRun(.unit)
    run.need(true)
    run.advance(10)
    run.need(false)
    run.send(.source(.receiverMissing(.unplugged("/dev/gps0"))))
    #expect(run.power?.state == .off)
    #expect(run.power?.verifiedBy == "the result of gps-off.service and gpsd, which has lost the receiver")
  }

  @Test func `it is turned on by its unit, before gpsd is asked for it`() throws {
    var run = Self.stopped()
    run.need(true)
    run.advance(4)
    #expect(run.started == ["gps-off.service", "gps-on.service"])
    #expect(run.power?.state == .on && run.stored.stopped == nil && run.power?.problem == nil)
    let unit = try #require(run.actions.lastIndex(of: .startUnit("gps-on.service")))
    let session = try #require(run.actions.lastIndex(of: .startSession))
    #expect(unit < session)
  }

  @Test func `a unit that fails leaves the receiver to watch, and the other one undoes what it did`() {
    let run = Self.stopped(conduct: .init(unitResults: [Self.off: .failed("it failed")]))
    #expect(run.started == [Self.off, Self.on])
    #expect(run.power?.state == .released && run.power?.rung == .watch && run.stored.stopped == nil)
    #expect(run.power?.problem == "rung=unit does not work: it could not turn the receiver off: it failed")
  }

  @Test(arguments: [true, false])
  func `a unit that does not even start leaves the receiver to watch, and nothing is to be undone`(hasFix: Bool) {
    let run = Self.stopped(
      conduct: .init(hasFix: hasFix, unitResults: [Self.off: .notStarted("there is no such unit")]))
    #expect(run.started == [Self.off])
    #expect(run.power?.state == .released && run.power?.rung == .watch && run.stored.stopped == nil)
    #expect(run.power?.problem?.contains("there is no such unit") == true)
  }

  @Test func `nobody inherits a dead receiver after the off unit cut its power and failed, and the on unit failed too`()
  {
    var run = Self.stopped(
      conduct: .init(
        unitResults: [Self.off: .failed("it failed"), Self.on: .failed("no voltage")], failingUnitCutsPower: true))
    #expect(run.started == [Self.off, Self.on])
    #expect(run.logged.contains { $0.contains("no voltage") }, "\(run.logged)")
    #expect(run.power?.state == .unknown && run.power?.problem?.contains("no voltage") == true)
    #expect(run.stored.stopped != nil)
    run.advance(120)
    // The next need tries again, and so does a daemon after this one.
    run.need(true)
    run.advance(1)
    #expect(run.started == [Self.off, Self.on, Self.on] && run.stored.stopped != nil)
    run.restart()
    #expect(run.started == [Self.off, Self.on, Self.on, Self.on] && run.stored.stopped != nil)
    run.conduct.unitResults = [:]
    run.need(false)
    run.advance(120)
    run.need(true)
    run.advance(5)
    #expect(run.power?.state == .on && run.stored.stopped == nil && !run.isStopped)
  }

  @Test func `a receiver that reports while it is off is not on by a report after a unit that failed`() {
    var run = LadderRun(.unit)
    run.conduct.talksWhileStopped = true
    run.need(true)
    run.advance(10)
    run.need(false)
    run.advance(10)
    run.conduct.unitResults = [Self.on: .failed("no answer")]
    run.need(true)
    run.advance(20)
    #expect(run.isStopped && run.power?.state == .unknown && run.stored.stopped != nil)
  }

  @Test func `a unit that cannot turn it on is started again while the receiver is needed, ever more rarely`() {
    var run = Self.stopped()
    run.conduct.unitResults = [Self.on: .failed("no answer")]
    run.need(true)
    run.advance(3600)
    let tries = run.started.count { $0 == Self.on }
    #expect((5...12).contains(tries), "\(tries)")
    #expect(run.logged.count == 1, "\(run.logged)")
    run.conduct.unitResults = [:]
    run.advance(700)
    #expect(run.power?.state == .on && run.stored.stopped == nil)
  }

  // MARK: One unit at a time

  @Test func `after a kill during the off unit the on unit waits for its end`() {
    var run = Self.turningOff()
    run.advance(2)
    run.restart()
    run.need(true)
    run.advance(6)
    #expect(run.started == [Self.off] && run.stored.stopped != nil)
    #expect(run.power?.state == .turningOn)
    #expect(run.power?.problem == "gps-on.service waits until gps-off.service has ended")
    run.endUnit(Self.off)
    run.conduct.endsUnits = true
    run.advance(10)
    #expect(run.started == [Self.off, Self.on] && run.mostUnits == 1)
    #expect(run.power?.state == .on && run.power?.problem == nil && run.stored.stopped == nil && !run.isStopped)
  }

  @Test(arguments: [true, false])
  func `an off unit that takes longer than is waited for is not run over by the on unit`(isNeeded: Bool) {
    var run = Self.turningOff()
    if isNeeded { run.need(true) }
    run.advance(90)
    run.giveUp(Self.off, "its job did not end within 90 s")
    run.advance(10)
    #expect(run.started == [Self.off] && run.stored.stopped != nil)
    run.endUnit(Self.off)
    run.conduct.endsUnits = true
    run.advance(30)
    #expect(run.started == [Self.off, Self.on] && run.mostUnits == 1)
    #expect(!run.isStopped && run.stored.stopped == nil && run.power?.rung == .watch)
  }

  @Test func `an on unit that still runs is not run over by the off unit`() {
    var run = Self.stopped()
    run.conduct.endsUnits = false
    run.need(true)
    run.restart()
    run.giveUp(Self.on, "it did not end in time")
    run.restart(Self.settings(off: "other-off.service", on: "other-on.service"))
    run.advance(3)
    #expect(run.started.count { $0.contains("off") } == 1 && run.mostUnits == 1)
  }

  @Test func `the off unit waits until an on unit that somebody started has ended`() {
    var run = LadderRun(.unit)
    run.need(true)
    run.advance(10)
    run.conduct.unitState = .busy
    run.need(false)
    run.advance(20)
    #expect(run.started.isEmpty && run.isWatching)
    run.conduct.unitState = nil
    run.advance(10)
    #expect(run.started == [Self.off] && run.power?.state == .off)
  }

  @Test func `after a change of the units the former pair turns it on, and the new pair takes over`() {
    var run = Self.stopped()
    run.restart(Self.settings(off: "other-off.service", on: "other-on.service"))
    run.need(true)
    run.advance(5)
    run.need(false)
    run.advance(15)
    #expect(run.started == [Self.off, Self.on, "other-off.service"])
    #expect(
      run.stored.stopped == StoppedReceiver(rung: .unit, unit: "other-on.service", offUnit: "other-off.service"))
  }

  @Test func `a systemd that does not say whether the other unit has ended starts nothing`() {
    var run = LadderRun(.unit, conduct: .init(unitState: .unknown("no bus")))
    run.need(true)
    run.advance(10)
    run.need(false)
    run.advance(10)
    #expect(run.started.isEmpty && run.stored.stopped == nil)
    #expect(run.power?.problem == "rung=unit does not work: it could not turn the receiver off: no bus")
  }

  @Test func `a receiver that works on after the unit is none that is off`() {
    var run = Self.stopped(conduct: .init(obeysStop: false))
    run.advance(10)
    #expect(run.power?.state == .released && run.power?.rung == .watch)
    #expect(run.power?.problem == "rung=unit does not work: the receiver works on after gps-off.service")
    #expect(run.started.last == "gps-on.service")
  }

  @Test func `a need that comes while the unit runs waits for its end`() {
    var run = LadderRun(.unit, conduct: .init(endsUnits: false))
    run.need(true)
    run.advance(10)
    run.need(false)
    run.need(true)
    run.advance(3)
    #expect(run.started == ["gps-off.service"])
    run.conduct.endsUnits = true
    run.endUnit("gps-off.service")
    run.advance(5)
    #expect(run.started == ["gps-off.service", "gps-on.service"] && run.power?.state == .on && !run.isStopped)
  }

  @Test func `a unit that cannot turn it on is said, and the next need tries again`() {
    var run = Self.stopped()
    run.conduct.unitResults = [Self.on: .notStarted("gps-on.service was not started: it is masked")]
    run.need(true)
    run.advance(70)
    #expect(run.power?.state == .unknown && run.power?.problem?.contains("it is masked") == true)
    #expect(run.stored.stopped != nil)
    run.need(false)
    run.advance(70)
    #expect(!run.isWatching)
    run.conduct.unitResults = [:]
    run.need(true)
    run.advance(5)
    #expect(run.power?.state == .on && run.stored.stopped == nil && run.power?.problem == nil)
  }

  @Test func `the end of the service turns it on, and needs no report`() {
    var run = Self.stopped()
    run.end()
    #expect(run.hasEnded && run.started.last == "gps-on.service" && run.stored.stopped == nil && !run.isClaimedStopped)
  }

  @Test func `the end of the service waits for a unit no longer than it may`() {
    var run = Self.stopped(conduct: .init())
    run.conduct.endsUnits = false
    run.end()
    run.advance(19)
    #expect(!run.hasEnded)
    run.advance(2)
    #expect(run.hasEnded && run.stored.stopped != nil)
  }

  @Test func `what an earlier daemon turned off is turned on by the unit of then`() {
    var run = LadderRun(.watch, stopped: StoppedReceiver(rung: .unit, unit: "former-on.service"))
    run.begin()
    run.advance(5)
    #expect(run.started == ["former-on.service"] && run.stored.stopped == nil && run.power?.rung == .watch)
  }

  @Test func `without both units the rung is refused in words`() {
    var run = LadderRun(.unit, units: false)
    #expect(run.initialPower.rung == .watch && run.initialPower.problem?.contains("power-on-unit=") == true)
    run.need(true)
    #expect(run.power?.rung == .watch && run.power?.problem?.contains("power-off-unit=") == true)
  }
}
