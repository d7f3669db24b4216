import Positioning
import ReceiverPorts
import TestSupport
import Testing

@testable import Broker

/// The receiver is on exactly while it is needed, and for the linger.
@Suite struct PlannerTests {
  private func daemon(linger: Double) -> VirtualDaemon {
    var settings = BrokerSettings.open
    settings.power.linger = .seconds(linger)
    return VirtualDaemon(settings: settings)
  }

  @Test("One-shots in a row do not cycle the receiver")
  func linger() {
    var daemon = self.daemon(linger: 60)
    var orders: [Bool] = []
    for _ in 0..<20 {
      daemon.advance(by: 50)
      orders += daemon.call(.getFix(FixRequest(maximumAge: .seconds(5)))).actions.receiverOrders
      orders += daemon.fix().receiverOrders
    }
    #expect(orders == [true])
    #expect(daemon.advance(by: 60).receiverOrders == [false])
    #expect(daemon.status.power.starts.total == 1)
  }

  @Test("Without a linger the receiver is released in the turn in which the last need ends")
  func noLinger() {
    var daemon = self.daemon(linger: 0)
    daemon.call(.getFix(FixRequest()))
    daemon.advance(by: 1)
    #expect(daemon.fix().receiverOrders == [false])
    // Only the end of the in-use state.
    #expect(daemon.deadline == daemon.now + PositionUsage.grace)
    daemon.advance(by: 10)
    #expect(daemon.deadline == nil)
  }

  @Test("With no need and after the linger nothing is armed, and a late report arms nothing")
  func idle() {
    var daemon = self.daemon(linger: 60)
    daemon.sourceFollows = false
    daemon.call(.getFix(FixRequest()))
    daemon.send(.receiver(.source(.streaming)))
    daemon.stream(seconds: 3)
    daemon.advance(by: 60)
    #expect(!daemon.isReceiverOn)
    #expect(daemon.deadline == nil)
    daemon.fix()
    daemon.fix(accuracy: nil, time: 5000)
    #expect(daemon.deadline == nil)
    #expect(daemon.status.receiver.availability == .poweredDown)
    daemon.subscribe(SubscriptionParameters())
    #expect(daemon.status.receiver.availability == .searching)
  }

  @Test("A client that begins and ends its need a thousand times leaves nothing behind")
  func churn() {
    var daemon = self.daemon(linger: 5)
    for number in 1...1000 {
      daemon.subscribe(SubscriptionParameters())
      daemon.call(.cancelSubscription(number: number))
    }
    #expect(daemon.status.power.starts.total == 1)
    daemon.advance(by: 5)
    #expect(!daemon.isReceiverOn && daemon.deadline == nil)
  }

  @Test("Satellites are a need; the status and passive subscriptions are not")
  func needs() {
    var daemon = self.daemon(linger: 0)
    daemon.call(.subscribeStatus())
    daemon.subscribe(SubscriptionParameters(mode: .passive))
    daemon.call(.sky())
    daemon.call(.status())
    #expect(!daemon.isReceiverOn)
    #expect(daemon.call(.subscribeSky(minInterval: .seconds(1))).actions.receiverOrders == [true])
    #expect(daemon.call(.cancelSubscription(number: 3)).actions.receiverOrders == [false])
  }

  @Test("A linger that is changed to zero ends the running one")
  func lingerChanged() {
    var daemon = self.daemon(linger: 600)
    daemon.call(.getFix(FixRequest()))
    daemon.fix()
    #expect(daemon.isReceiverOn)
    var settings = BrokerSettings.open
    settings.power.linger = .zero
    #expect(daemon.send(.settingsChanged(settings)).receiverOrders == [false])
  }

  @Test("Needs merge to the finest accuracy, the shortest interval and the common activity")
  func merged() {
    let demands = [
      Demand(accuracy: 100, interval: .seconds(1), activity: .fitness),
      Demand(accuracy: 5, interval: .seconds(60), activity: .fitness),
    ]
    #expect(Demand.merged(demands) == Demand(accuracy: 5, interval: .seconds(1), activity: .fitness))
    let conflicting = demands + [Demand(accuracy: 900, interval: .seconds(9), activity: .airborne)] + demands
    #expect(Demand.merged(conflicting)?.activity == .other)
    #expect(Demand.merged([]) == nil)
  }

  @Test("The status shows each need, and which one decides the rate")
  func blame() {
    var settings = BrokerSettings.open
    settings.access.rules = [.administering(user: "user1001")]
    var daemon = VirtualDaemon(settings: settings)
    daemon.connect(2)
    daemon.subscribe(SubscriptionParameters(accuracy: .level(.city), minInterval: .seconds(60)))
    daemon.subscribe(SubscriptionParameters(mode: .passive))
    daemon.subscribe(SubscriptionParameters(accuracy: .level(.house), minInterval: .seconds(5)), client: 2)
    #expect(daemon.status.demand?.merged == Demand(accuracy: 15, interval: .seconds(5), activity: .other))
    #expect(daemon.status.demand?.clients.map(\.principal.uid) == [1002, 1001])
    #expect(daemon.status.demand?.clients.map(\.isDecisive) == [true, false])
    daemon.send(.clientDisconnected(ClientID(2)))
    #expect(daemon.status.demand?.merged == Demand(accuracy: 5000, interval: .seconds(60), activity: .other))
  }
}

@Suite struct DutyCycleTrackerTests {
  @Test("The duty cycle is the share of the window, or of the time since the start, in which the receiver was on")
  func dutyCycle() {
    var dutyCycle = DutyCycleTracker(began: at(0))
    #expect(dutyCycle.dutyCycle(over: .seconds(3600), now: at(0)) == 0)
    dutyCycle.receiverTurned(on: true, now: at(100))
    #expect(dutyCycle.dutyCycle(over: .seconds(3600), now: at(200)) == 0.5)
    dutyCycle.receiverTurned(on: false, now: at(200))
    dutyCycle.receiverTurned(on: true, now: at(5000))
    dutyCycle.receiverTurned(on: true, now: at(5100))
    dutyCycle.receiverTurned(on: false, now: at(5900))
    dutyCycle.receiverTurned(on: false, now: at(5950))
    #expect(dutyCycle.onTime(now: at(6000)) == .seconds(1000))
    #expect(dutyCycle.dutyCycle(over: .seconds(3600), now: at(6000)) == 0.25)
    #expect(dutyCycle.dutyCycle(over: .seconds(3600), now: at(9050)) == 450.0 / 3600)
    #expect(dutyCycle.dutyCycle(over: .seconds(3600), now: at(9500)) == 0)
    #expect(dutyCycle.starts == 2)
  }

  @Test("What is not known to be on is not on-time, and each time in which it is known is a period")
  func unknown() {
    var dutyCycle = DutyCycleTracker(began: at(0))
    dutyCycle.powerChanged(isUnknown: true, now: at(0))
    dutyCycle.receiverTurned(on: true, now: at(0))
    dutyCycle.powerChanged(isUnknown: false, now: at(7))
    dutyCycle.powerChanged(isUnknown: true, now: at(100))
    dutyCycle.powerChanged(isUnknown: true, now: at(500))
    #expect(dutyCycle.onTime(now: at(940)) == .seconds(100))
    #expect(dutyCycle.dutyCycle(over: .seconds(3600), now: at(1000)) == 0.1)
    #expect(dutyCycle.last(32) == [DaemonStatus.OnPeriod(from: at(0), until: at(100))])
    dutyCycle.powerChanged(isUnknown: false, now: at(940))
    dutyCycle.receiverTurned(on: false, now: at(950))
    dutyCycle.powerChanged(isUnknown: true, now: at(960))
    dutyCycle.powerChanged(isUnknown: false, now: at(970))
    #expect(dutyCycle.onTime(now: at(2000)) == .seconds(110) && dutyCycle.starts == 1)
    #expect(dutyCycle.last(32).map(\.from) == [at(0), at(940)])
  }

  @Test("It agrees with a model that remembers every second", arguments: 1...20 as ClosedRange<UInt64>)
  func naive(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    var dutyCycle = DutyCycleTracker(began: at(0))
    var seconds: [Bool] = []
    var isOn = false
    for _ in 0..<300 {
      isOn.toggle()
      dutyCycle.receiverTurned(on: isOn, now: at(Double(seconds.count)))
      seconds += Array(repeating: isOn, count: Int.random(in: 1...900, using: &random))
      let now = at(Double(seconds.count))
      #expect(dutyCycle.onTime(now: now) == .seconds(seconds.count { $0 }), "seed \(seed)")
      for window in [3600, 86400] where random.oneIn(20) {
        let recent = seconds.suffix(window)
        let share = Double(recent.count { $0 }) / Double(recent.count)
        #expect(abs(dutyCycle.dutyCycle(over: .seconds(window), now: now) - share) < 1e-9, "seed \(seed)")
      }
    }
  }
}
