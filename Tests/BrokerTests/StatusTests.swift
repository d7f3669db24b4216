import Positioning
import ReceiverPorts
import Testing

@testable import Broker

/// The daemon's status, and who is notified of its changes.
@Suite struct StatusTests {
  @Test("A status subscription receives everything once, after its answer, and turns nothing on")
  func first() {
    var daemon = VirtualDaemon()
    let (id, actions) = daemon.call(.subscribeStatus())
    #expect(actions.statusParts == [DaemonStatus.Part.allCases])
    if case .answer(id, .subscription(.begun)) = actions[0] {} else { Issue.record("the reply did not come first") }
    #expect(actions.receiverOrders.isEmpty)
  }

  @Test("Each change is sent once, as the parts that changed")
  func parts() {
    var daemon = VirtualDaemon()
    daemon.sourceFollows = false
    daemon.call(.subscribeStatus())
    daemon.connect(2)
    // Changes in close succession are sent together, so each gets its own moment.
    func parts(_ actions: [Action]) -> [[DaemonStatus.Part]] {
      actions.statusParts + daemon.advance(by: 0.3).statusParts
    }
    daemon.advance(by: 0.3)
    #expect(
      parts(daemon.call(.subscribe(SubscriptionParameters()), client: 2).actions) == [[.receiver, .demand, .clients]])
    #expect(parts(daemon.send(.receiver(.source(.streaming)))) == [[.gpsd]])
    #expect(parts(daemon.send(.receiver(.source(.streaming)))) == [])
    #expect(parts(daemon.fix()) == [[.receiver, .inUse]])
    #expect(parts(daemon.stream(seconds: 20)) == [])
    let power = PowerState(state: .on, verifiedBy: "its reports", since: daemon.now)
    #expect(parts(daemon.send(.receiver(.power(power)))) == [[.power]])
    #expect(parts(daemon.send(.receiver(.power(power)))) == [])
    #expect(parts(daemon.send(.receiver(.gpsdVersion("3.22")))) == [[.gpsd]])
    #expect(
      parts(daemon.send(.receiver(.source(.gpsdDown(.closed("EOF")))))) == [[.receiver, .gpsd, .lastError]])
    // No user was in use for a while.
    #expect(daemon.advance(by: 600).statusParts == [[.inUse]])
  }

  @Test("Counters show what became of the reports")
  func counters() {
    var daemon = VirtualDaemon()
    daemon.subscribe(SubscriptionParameters())
    daemon.stream(seconds: 5)
    daemon.noFixReport()
    daemon.advance(by: 1)
    daemon.fix(latitude: 200)
    let status = daemon.status
    #expect(status.reports.received == 7)
    #expect(status.reports.fixes == 5)
    #expect(status.reports.rejected == ["noFix": 1, "noPosition": 1])
    #expect(status.lastFix?.arrival == daemon.now - .seconds(1))
    #expect(status.lastFix?.level == .room)
    #expect(status.lastFix?.accuracySource == .receiver)
    #expect(status.clients == 1 && status.requests == 0 && status.subscriptions == 1)
  }

  @Test("The time for which the receiver was on is reported for the last hour and the last day")
  func onTime() {
    var daemon = VirtualDaemon(at: 0)
    daemon.subscribe(SubscriptionParameters(duration: .seconds(300)))
    daemon.advance(by: 3600)
    #expect(daemon.status.power.onTime == .seconds(360))
    #expect(daemon.status.power.dutyCycle.hour == 0.1)
    daemon.advance(by: 3600)
    #expect(daemon.status.power.dutyCycle.hour == 0)
    #expect(abs(daemon.status.power.dutyCycle.day - 0.05) < 1e-9)
    #expect(daemon.status.power.starts.total == 1)
  }

  @Test("A receiver that is unplugged while somebody needs it is not on")
  func unplugged() {
    var daemon = VirtualDaemon(at: 0)
    daemon.subscribe(SubscriptionParameters())
    func power(_ state: PowerState.State) {
      daemon.send(.receiver(.power(PowerState(state: state, since: daemon.now))))
    }
    power(.turningOn)
    power(.on)
    daemon.advance(by: 120)
    power(.unknown)
    daemon.advance(by: 480)
    #expect(daemon.status.power.onTime == .seconds(120) && daemon.status.power.dutyCycle.hour == 0.2)
    power(.on)
    daemon.advance(by: 60)
    #expect(daemon.status.power.onTime == .seconds(180) && daemon.status.power.periods.count == 2)
    #expect(daemon.status.power.starts.total == 1)
  }

  @Test("A client's own name appears beside its needs")
  func principal() {
    var daemon = VirtualDaemon()
    daemon.subscribe(SubscriptionParameters())
    daemon.send(.clientIntroduced(ClientID(1), name: "Map", purpose: "Shows where you are"))
    #expect(daemon.status.demand?.clients.first?.principal.name == "Map")
    #expect(daemon.status.demand?.clients.first?.what == "position.subscribe")
  }
}
