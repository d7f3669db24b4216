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

  @Test func `the unit's result and the receiver's silence together are the evidence`() throws {
    let run = Self.stopped()
    #expect(run.started == ["gps-off.service"])
    #expect(run.power?.state == .off && run.power?.rung == .unit && run.power?.problem == nil)
    #expect(run.power?.verifiedBy == "the result of gps-off.service and its silence since the stop")
    #expect(run.stored.stopped == StoppedReceiver(rung: .unit, unit: "gps-on.service"))
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
    let run = Self.stopped(conduct: .init(unitError: "gps-off.service was not started: there is no such unit"))
    #expect(run.started == ["gps-off.service", "gps-on.service"])
    #expect(run.power?.state == .released && run.power?.rung == .watch && run.stored.stopped == nil)
    #expect(run.power?.problem?.contains("there is no such unit") == true)
  }

  @Test func `a receiver that works on after the unit is none that is off`() {
    var run = Self.stopped(conduct: .init(obeysStop: false))
    run.advance(10)
    #expect(run.power?.state == .released && run.power?.rung == .watch)
    #expect(run.power?.problem == "rung=unit does not work: the receiver works on after gps-off.service")
    #expect(run.started.last == "gps-on.service")
  }

  @Test func `a need that comes while the unit runs waits for its end`() {
    var run = LadderRun(.unit, conduct: .init(answersUnits: false))
    run.need(true)
    run.advance(10)
    run.need(false)
    run.need(true)
    run.advance(3)
    #expect(run.started == ["gps-off.service"])
    run.conduct.answersUnits = true
    run.endUnit("gps-off.service")
    run.advance(5)
    #expect(run.started == ["gps-off.service", "gps-on.service"] && run.power?.state == .on && !run.isStopped)
  }

  @Test func `a unit that cannot turn it on is said, and the next need tries again`() {
    var run = Self.stopped()
    run.conduct.unitError = "gps-on.service was not started: it is masked"
    run.need(true)
    run.advance(70)
    #expect(run.power?.state == .unknown && run.power?.problem?.contains("it is masked") == true)
    #expect(run.stored.stopped != nil)
    run.need(false)
    run.advance(70)
    #expect(!run.isWatching)
    run.conduct.unitError = nil
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
    run.conduct.answersUnits = false
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
