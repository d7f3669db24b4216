import Gpsd
import Positioning
import Receiver
import ReceiverPorts
import Testing

@Suite struct WatchRungTests {
  private func at(_ seconds: Int) -> Instant { Instant(sinceBoot: .seconds(1000 + seconds)) }

  private func power(_ state: PowerState.State, verifiedBy: String? = nil, since: Int) -> WatchRung.Action {
    .report(PowerState(state: state, verifiedBy: verifiedBy, since: self.at(since)))
  }

  private func released(at seconds: Int) -> WatchRung {
    var rung = WatchRung(now: self.at(0))
    _ = rung.turned(on: true, now: self.at(0))
    _ = rung.sourceChanged(to: .streaming, now: self.at(6))
    _ = rung.turned(on: false, now: self.at(seconds))
    return rung
  }

  @Test func `turning on begins a session and is turning on until reports arrive`() {
    var rung = WatchRung(now: self.at(0))
    #expect(
      rung.turned(on: true, now: self.at(1)) == [.setDeadline(nil), .startSession, self.power(.turningOn, since: 1)])
    #expect(rung.turned(on: true, now: self.at(2)) == [])
    #expect(rung.sourceChanged(to: .opening, now: self.at(3)) == [])
    #expect(
      rung.sourceChanged(to: .streaming, now: self.at(7)) == [self.power(.on, verifiedBy: "its reports", since: 7)])
  }

  @Test(
    "a broken path leaves the receiver's power unknown",
    arguments: [
      SourceState.gpsdFull, .gpsdDown(.mute), .receiverMissing(.noDevice),
    ])
  func brokenPath(source: SourceState) {
    var rung = WatchRung(now: self.at(0))
    _ = rung.turned(on: true, now: self.at(0))
    _ = rung.sourceChanged(to: .streaming, now: self.at(1))
    #expect(rung.sourceChanged(to: source, now: self.at(2)) == [self.power(.unknown, since: 2)])
    #expect(
      rung.sourceChanged(to: .streaming, now: self.at(3)) == [self.power(.on, verifiedBy: "its reports", since: 3)])
  }

  @Test func `a release is reported as released, and probed once after gpsd's minute`() {
    var rung = WatchRung(now: self.at(0))
    _ = rung.turned(on: true, now: self.at(0))
    #expect(
      rung.turned(on: false, now: self.at(10)) == [
        .stopSession, .setDeadline(self.at(80)), self.power(.released, since: 10),
      ])
    #expect(rung.sourceChanged(to: .idle, now: self.at(10)) == [])
    #expect(rung.deadlineReached(now: self.at(79)) == [])
    #expect(rung.deadlineReached(now: self.at(80)) == [.setDeadline(nil), .probe])
    #expect(rung.deadlineReached(now: self.at(90)) == [])
  }

  @Test func `off is reported only if the probe found it`() {
    var rung = self.released(at: 10)
    _ = rung.deadlineReached(now: self.at(80))
    let actions = rung.probed(isOpen: false, now: self.at(81))
    guard case .report(let power) = actions.first, actions.count == 1 else {
      Issue.record("\(actions)")
      return
    }
    #expect(power.state == .off && power.since == self.at(81) && power.verifiedBy != nil)
  }

  @Test func `a receiver that gpsd keeps open stays released, with the reason`() {
    var rung = self.released(at: 10)
    _ = rung.deadlineReached(now: self.at(80))
    let actions = rung.probed(isOpen: true, now: self.at(81))
    guard case .report(let power) = actions.first, actions.count == 1 else {
      Issue.record("\(actions)")
      return
    }
    #expect(power.state == .released && power.since == self.at(10) && power.verifiedBy?.contains("-n") == true)
  }

  @Test func `a probe without a result reports nothing`() {
    var rung = self.released(at: 10)
    _ = rung.deadlineReached(now: self.at(80))
    #expect(rung.probed(isOpen: nil, now: self.at(81)) == [])
  }

  @Test func `a new need before or during the probe ends it`() {
    var rung = self.released(at: 10)
    #expect(rung.turned(on: true, now: self.at(20)).first == .setDeadline(nil))
    #expect(rung.deadlineReached(now: self.at(80)) == [])

    rung = self.released(at: 10)
    _ = rung.deadlineReached(now: self.at(80))
    _ = rung.turned(on: true, now: self.at(81))
    #expect(rung.probed(isOpen: false, now: self.at(82)) == [])
  }
}
