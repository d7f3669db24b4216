import Positioning
import ReceiverPorts
import TestSupport
import Testing

@testable import Broker

/// The whole broker with a receiver whose rung is verified to turn it off.
@Suite struct SleepingReceiverTests {
  private func daemon() -> VirtualDaemon {
    var daemon = VirtualDaemon()
    daemon.send(.receiver(.power(PowerState(state: .off, rung: .ublox, since: daemon.now))))
    return daemon
  }

  /// A daemon with a subscription of ten minutes that had its first fix, and whose receiver sleeps.
  private func sleeping() -> VirtualDaemon {
    var daemon = self.daemon()
    daemon.subscribe(SubscriptionParameters(minInterval: .seconds(600)))
    daemon.advance(by: 40)
    daemon.fix()
    daemon.advance(by: 60)
    return daemon
  }

  @Test("Between the fixes of a subscription the receiver sleeps, and its client is not notified of that")
  func sleeps() {
    var daemon = self.sleeping()
    #expect(!daemon.isReceiverOn)
    #expect(daemon.status.power.nextStart?.reason == .due)
    #expect(daemon.status.power.nextStart?.what == "position.subscribe")
    var actions = daemon.advance(by: 529)
    #expect(!daemon.isReceiverOn)
    actions += daemon.advance(by: 2)
    #expect(daemon.isReceiverOn)
    actions += daemon.fix()
    #expect(!daemon.isReceiverOn)
    #expect(actions.fixes().count == 1)
    #expect(actions.reasons().isEmpty)
    #expect(daemon.status.power.periods.count == 2)
    #expect(daemon.status.demand?.merged.interval == .seconds(600))
  }

  @Test("A fix that is early does not move the next one")
  func beat() {
    var daemon = self.sleeping()
    var starts: [Double] = []
    // For less than two hours, so that all starts are hot.
    for _ in 0..<10 {
      while !daemon.isReceiverOn { daemon.advance(by: 1) }
      starts.append(daemon.now.sinceBoot.seconds)
      daemon.advance(by: 2)
      daemon.fix()
    }
    let periods = zip(starts, starts.dropFirst()).map { $1 - $0 }
    #expect(periods.allSatisfy { abs($0 - 600) < 1 }, "\(periods)")
  }

  @Test("A client is notified if the fix does not come, and again when there is one")
  func missed() {
    var daemon = self.sleeping()
    #expect(daemon.advance(by: 540).reasons().isEmpty)
    #expect(daemon.isReceiverOn)
    #expect(daemon.advance(by: 40).reasons() == [.lost])
    #expect(daemon.fix().reasons() == [.restored])
  }

  @Test("Nothing is due before the next fix of its feed can come")
  func delayed() {
    var needs = Needs()
    needs.add(.from(at(60)))
    #expect(needs.delayed(until: nil) == needs)
    #expect(needs.delayed(until: at(50)).nextDue == at(60))
    #expect(needs.delayed(until: at(600)).nextDue == at(600))
    needs.add(.now)
    #expect(!needs.delayed(until: at(600)).isNeeded && needs.delayed(until: at(600)).nextDue == at(600))
  }

  @Test("Where the release is not verified, a subscription of a minute keeps the receiver on")
  func unverified() {
    var daemon = VirtualDaemon()
    daemon.subscribe(SubscriptionParameters(minInterval: .seconds(60)))
    for _ in 0..<100 {
      daemon.advance(by: 30)
      daemon.fix()
    }
    #expect(daemon.isReceiverOn && daemon.status.power.starts.total == 1)
  }

  @Test("A cold start under a sky that takes four minutes succeeds")
  func slowColdStart() {
    var daemon = self.daemon()
    daemon.subscribe(SubscriptionParameters())
    for _ in 0..<240 {
      daemon.advance(by: 1)
      daemon.noFixReport()
    }
    daemon.advance(by: 1)
    #expect(daemon.fix().fixes().count == 1)
    #expect(daemon.status.power.starts.total == 1)
  }

  @Test("An hour without sky: the searches, and the pauses between them")
  func noSky() {
    var daemon = self.daemon()
    let began = daemon.now
    var switches: [Double] = []
    if daemon.subscribe(SubscriptionParameters()).receiverOrders == [true] { switches.append(0) }
    for second in stride(from: 1.0, through: 3600, by: 1) {
      let orders = daemon.advance(to: began + .seconds(second)).receiverOrders
      switches += orders.map { _ in second }
      if daemon.isReceiverOn { daemon.noFixReport() }
    }
    #expect(switches == [0, 900, 960, 1020, 1140, 1200, 1440, 1500, 1980, 2040, 3000, 3060])
    // Somebody new asks: at once.
    #expect(daemon.call(.getFix(FixRequest())).actions.receiverOrders == [true])
  }

  @Test("What the cache answers does not end a pause")
  func cached() {
    var daemon = self.daemon()
    daemon.subscribe(SubscriptionParameters())
    daemon.fix()
    daemon.advance(by: 330)
    #expect(!daemon.isReceiverOn)
    let answered = daemon.call(.getFix(FixRequest(maximumAge: .seconds(900)))).actions
    #expect(answered.receiverOrders.isEmpty)
  }

  @Test("What was learned outlives the daemon")
  func memory() {
    var daemon = self.sleeping()
    for _ in 0..<3 {
      while !daemon.isReceiverOn { daemon.advance(by: 1) }
      daemon.advance(by: 2)
      daemon.fix()
    }
    let memory = daemon.machine.planner.memory
    #expect(memory.starts.starts(after: .hot) == 3)
    #expect(daemon.store.receiver.starts == memory.starts)
    daemon.restart()
    #expect(daemon.machine.planner.memory.starts == memory.starts)
    #expect(daemon.machine.planner.memory.collected == memory.collected)
  }
}
