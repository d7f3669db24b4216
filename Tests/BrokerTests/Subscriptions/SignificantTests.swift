import Positioning
import Testing

@testable import Broker

/// The mode `significant`: far enough and long enough after the last delivery, at little cost.
@Suite struct SignificantTests {
  private static let significant = SubscriptionParameters(mode: .significant, replay: .none)

  /// Subscribed, with the first fix delivered.
  private func journey(_ parameters: SubscriptionParameters = Self.significant) -> Journey {
    var journey = Journey()
    journey.daemon.subscribe(parameters)
    journey.go(seconds: 1, speed: 0)
    return journey
  }

  @Test("The first fix is delivered, and then only fixes 500 m and 300 s away from the last")
  func bounds() {
    var journey = Journey()
    journey.daemon.subscribe(Self.significant)
    #expect(journey.go(seconds: 1, speed: 0).fixes().count == 1)
    // Another client keeps the receiver on: every fix is judged without a probe.
    journey.daemon.connect(2)
    journey.daemon.subscribe(SubscriptionParameters(), client: 2)
    let fixes = journey.go(seconds: 2000, speed: 10).fixes()
    #expect(fixes.count == 7)
    for (earlier, later) in zip(fixes, fixes.dropFirst()) {
      #expect((later.arrival - earlier.arrival).seconds >= 270)
      #expect(Journey.meters(later) - Journey.meters(earlier) >= 500)
    }
    let slow = journey.go(seconds: 2000, speed: 1).fixes()
    #expect(slow.count == 3 || slow.count == 4)
  }

  @Test("A fix whose receiver reports an unknown error is no change, at any distance")
  func vague() {
    var journey = self.journey()
    journey.daemon.connect(2)
    journey.daemon.subscribe(SubscriptionParameters(), client: 2)
    #expect(journey.go(seconds: 400, speed: 0).fixes().isEmpty)
    // At rest, HDOP 99.99 and 800 m of error; the jump guard believes three in a row.
    var actions: [Action] = []
    for _ in 0..<5 {
      actions += journey.daemon.advance(by: 1)
      actions += journey.daemon.fix(accuracy: 1899.81, latitude: 50.0072)
    }
    #expect(actions.fixes(of: 1, client: 2).contains { $0.isVague })
    #expect(actions.fixes().isEmpty)
    #expect(journey.go(seconds: 400, speed: 0).fixes().isEmpty)
  }

  @Test("A cached fix that is not fresh is no look: the first look says at once that the device is elsewhere")
  func oldReplay() {
    var journey = Journey()
    journey.daemon.call(.getFix(FixRequest()))
    journey.daemon.fix()
    journey.daemon.advance(by: 69)
    let replayed = journey.daemon.subscribe(SubscriptionParameters(mode: .significant, replay: .any))
    #expect(replayed.updates().map(\.isReplay) == [true])
    #expect(journey.daemon.isReceiverOn)
    journey.daemon.advance(by: 1)
    #expect(journey.daemon.fix(latitude: 50.05).fixes().count == 1)
    // From then on the interval counts.
    journey.daemon.advance(by: 100)
    #expect(journey.daemon.fix(latitude: 50.1).fixes().isEmpty)
  }

  @Test("The search of `acquire` is not skipped for a cached fix that is not fresh, and is for a fresh one")
  func oldReplayBeforeSearch() {
    for (age, state) in [(69.0, SubscriptionState.acquiring), (2, .waiting)] {
      var daemon = VirtualDaemon()
      daemon.call(.getFix(FixRequest()))
      daemon.fix()
      daemon.advance(by: age)
      daemon.subscribe(SubscriptionParameters(mode: .significant, acquire: Acquisition(), replay: .any))
      guard case .subscriptions(let all)? = daemon.answer(.listSubscriptions()) else {
        Issue.record("no answer")
        return
      }
      #expect(all.map(\.state) == [state], "\(age) s")
    }
  }

  @Test("It does not get the stream of another client")
  func noFlood() {
    var journey = self.journey()
    journey.daemon.connect(2)
    journey.daemon.subscribe(SubscriptionParameters(), client: 2)
    #expect(journey.go(seconds: 600, speed: 0.2).fixes().isEmpty)
  }

  @Test("Alone, it lets the receiver sleep, and probes every 5 to 15 minutes")
  func probes() {
    var journey = self.journey()
    var on = 0
    var probes = 0
    var wasOn = true
    for _ in 0..<(6 * 3600) {
      journey.go(seconds: 1, speed: 0)
      if journey.daemon.isReceiverOn { on += 1 }
      if journey.daemon.isReceiverOn && !wasOn { probes += 1 }
      wasOn = journey.daemon.isReceiverOn
    }
    #expect((22...30).contains(probes))
    // Each probe costs its linger and no more.
    #expect(on < probes * 70 + 400)
    #expect(journey.go(seconds: 1200, speed: 20).fixes().count >= 1)
  }

  @Test("A probe without sky ends and is repeated at growing intervals")
  func noSky() {
    var journey = self.journey()
    var on = 0
    for _ in 0..<(24 * 3600) {
      journey.go(seconds: 1, speed: 0, hasSky: false)
      if journey.daemon.isReceiverOn { on += 1 }
    }
    #expect(on < 24 * 3600 / 3)
    #expect(journey.daemon.deadline != nil)
    #expect(journey.go(seconds: 2 * 3600, speed: 1).fixes().count > 2)
  }

  @Test("It is waiting between two changes, and reports that state")
  func state() {
    var daemon = VirtualDaemon()
    let call = daemon.call(.subscribe(Self.significant))
    guard case .subscription(.begun(let info))? = call.actions.answers(to: call.id).first else {
      Issue.record("not subscribed")
      return
    }
    #expect(info.state == .waiting)
    daemon.advance(by: 1)
    #expect(daemon.fix().updates().last?.state == .waiting)
  }

  @Test(
    "A fix that is less accurate than the distance is no change, and prevents no later one", arguments: [600.0, 880])
  func vague(accuracy: Double) {
    var journey = self.journey()
    journey.daemon.connect(2)
    journey.daemon.subscribe(SubscriptionParameters(), client: 2)
    #expect(journey.go(seconds: 400, speed: 10, accuracy: accuracy).fixes().isEmpty)
    #expect(journey.go(seconds: 1, speed: 10).fixes().count == 1)
  }

  @Test(
    "At rest, fixes with errors of 800 m cause no change, whether their accuracy shows it or not",
    arguments: [nil, 1178, 450, 500] as [Double?])
  func erring(accuracy: Double?) {
    var daemon = VirtualDaemon()
    daemon.connect(2)
    daemon.subscribe(SubscriptionParameters(), client: 2)
    var received = daemon.subscribe(Self.significant)
    func beside(_ metres: Double) -> Double { 50 + metres / Journey.metersPerDegree }
    for _ in 1...2 {
      received += daemon.stream(seconds: 1000)
      for _ in 1...3 {
        received += daemon.advance(by: 1)
        received += daemon.fix(accuracy: accuracy, latitude: beside(800))
      }
      received += daemon.stream(seconds: 271)
    }
    #expect(received.fixes().count == 1)
  }

  @Test("If the first fixes are inaccurate or unknown, the first that can decide is delivered, and no more at rest")
  func vagueBeginning() {
    for accuracy in [nil, 1178] as [Double?] {
      var daemon = VirtualDaemon()
      var received = daemon.subscribe(Self.significant)
      for _ in 1...3 {
        received += daemon.advance(by: 1)
        received += daemon.fix(accuracy: accuracy, latitude: 50 + 800 / Journey.metersPerDegree)
      }
      #expect(received.fixes().isEmpty && daemon.isReceiverOn)
      received += daemon.stream(seconds: 600)
      #expect(received.fixes().map(\.horizontalAccuracy) == [4])
    }
  }

  @Test("A probe with only inaccurate fixes continues for two minutes, and is repeated")
  func vagueProbe() {
    var journey = self.journey()
    journey.go(seconds: 3600, speed: 0)
    var on = 0
    for _ in 0..<3600 {
      journey.go(seconds: 1, speed: 5, accuracy: 900)
      if journey.daemon.isReceiverOn { on += 1 }
    }
    #expect((200...1500).contains(on))
    #expect(journey.go(seconds: 3700, speed: 0).fixes().count == 1)
  }

  @Test("A client with reduced precision receives changes between cells that are not neighbours")
  func reduced() {
    var journey = Journey(VirtualDaemon.granting(.always, .reduced))
    journey.daemon.subscribe(Self.significant)
    #expect(journey.go(seconds: 2, speed: 0).fixes().count == 1)
    let fixes = journey.go(seconds: 3600, speed: 10).fixes()
    #expect((3...9).contains(fixes.count))
    for (earlier, later) in zip(fixes, fixes.dropFirst()) {
      #expect(Journey.meters(later) - Journey.meters(earlier) > 3226)
    }
  }

  @Test("Both bounds can be set by the client")
  func settable() {
    var journey = self.journey(
      SubscriptionParameters(
        mode: .significant, significantDistance: 100, significantInterval: .seconds(20), replay: .none))
    journey.daemon.connect(2)
    journey.daemon.subscribe(SubscriptionParameters(), client: 2)
    let fixes = journey.go(seconds: 200, speed: 10).fixes()
    #expect(fixes.count == 11)
  }
}
