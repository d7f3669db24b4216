import Positioning
import ReceiverPorts
import Testing

@testable import Receiver

@Suite struct WatchRungTests {
  private func at(_ seconds: Int) -> Instant { Instant(sinceBoot: .seconds(1000 + seconds)) }

  private var new: WatchRung {
    WatchRung(reporter: PowerReporter(rung: .watch, after: PowerState(state: .unknown, since: self.at(0))))
  }

  private func power(_ state: PowerState.State, verifiedBy: String? = nil, since: Int) -> RungAction {
    .report(PowerState(state: state, verifiedBy: verifiedBy, since: self.at(since)))
  }

  private func released(at seconds: Int) -> WatchRung {
    var rung = self.new
    _ = rung.received(.needed(true), now: self.at(0))
    _ = rung.received(.source(.streaming), now: self.at(6))
    _ = rung.received(.needed(false), now: self.at(seconds))
    return rung
  }

  @Test func `turning on begins a session and is turning on until reports flow`() {
    var rung = self.new
    #expect(
      rung.received(.needed(true), now: self.at(1)) == [.startSession, self.power(.turningOn, since: 1)])
    #expect(rung.received(.needed(true), now: self.at(2)) == [])
    #expect(rung.received(.source(.opening), now: self.at(3)) == [])
    #expect(
      rung.received(.source(.streaming), now: self.at(7)) == [self.power(.on, verifiedBy: "its reports", since: 7)])
  }

  @Test(
    "a path that is broken leaves the receiver's power unknown",
    arguments: [
      SourceState.gpsdFull, .gpsdDown(.mute), .receiverMissing(.noDevice),
    ])
  func brokenPath(source: SourceState) {
    var rung = self.new
    _ = rung.received(.needed(true), now: self.at(0))
    _ = rung.received(.source(.streaming), now: self.at(1))
    #expect(rung.received(.source(source), now: self.at(2)) == [self.power(.unknown, since: 2)])
    #expect(
      rung.received(.source(.streaming), now: self.at(3)) == [self.power(.on, verifiedBy: "its reports", since: 3)])
  }

  @Test func `a release is reported as released, and probed once after gpsd's own minute`() {
    var rung = self.new
    _ = rung.received(.needed(true), now: self.at(0))
    #expect(
      rung.received(.needed(false), now: self.at(10)) == [
        .stopSession, self.power(.released, since: 10),
      ])
    #expect(rung.nextDeadline == self.at(80))
    #expect(rung.received(.source(.idle), now: self.at(10)) == [])
    #expect(rung.received(.deadlineReached, now: self.at(79)) == [])
    #expect(rung.received(.deadlineReached, now: self.at(80)) == [.probe])
    #expect(rung.nextDeadline == nil)
    #expect(rung.received(.deadlineReached, now: self.at(90)) == [])
  }

  @Test func `off is reported only when the probe found it`() {
    var rung = self.released(at: 10)
    _ = rung.received(.deadlineReached, now: self.at(80))
    let actions = rung.received(.probed(isOpen: false), now: self.at(81))
    guard case .report(let power) = actions.first, actions.count == 1 else {
      Issue.record("\(actions)")
      return
    }
    #expect(power.state == .off && power.since == self.at(81) && power.verifiedBy != nil)
  }

  @Test func `a receiver that gpsd keeps open stays released, and it is said why`() {
    var rung = self.released(at: 10)
    _ = rung.received(.deadlineReached, now: self.at(80))
    let actions = rung.received(.probed(isOpen: true), now: self.at(81))
    guard case .report(let power) = actions.first, actions.count == 1 else {
      Issue.record("\(actions)")
      return
    }
    #expect(power.state == .released && power.since == self.at(10) && power.verifiedBy?.contains("-n") == true)
  }

  @Test func `a probe without a result reports nothing`() {
    var rung = self.released(at: 10)
    _ = rung.received(.deadlineReached, now: self.at(80))
    #expect(rung.received(.probed(isOpen: nil), now: self.at(81)) == [])
  }

  @Test func `a new need before or during the probe ends it`() {
    var rung = self.released(at: 10)
    _ = rung.received(.needed(true), now: self.at(20))
    #expect(rung.nextDeadline == nil)
    #expect(rung.received(.deadlineReached, now: self.at(80)) == [])

    rung = self.released(at: 10)
    _ = rung.received(.deadlineReached, now: self.at(80))
    _ = rung.received(.needed(true), now: self.at(81))
    #expect(rung.received(.probed(isOpen: false), now: self.at(82)) == [])
  }
}
