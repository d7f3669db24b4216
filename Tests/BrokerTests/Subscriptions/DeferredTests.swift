import Positioning
import TestSupport
import Testing

@testable import Broker

/// The mode `deferred`: fixes are collected and delivered together.
@Suite struct DeferredTests {
  private static func parameters(distance: Double? = nil, timeout: Double? = nil) -> SubscriptionParameters {
    SubscriptionParameters(
      mode: .deferred, deferredDistance: distance, deferredTimeout: timeout.map { .seconds($0) }, replay: .none)
  }

  private func journey(distance: Double? = nil, timeout: Double? = nil) -> Journey {
    var journey = Journey()
    journey.daemon.subscribe(Self.parameters(distance: distance, timeout: timeout))
    return journey
  }

  private func batches(_ actions: [Action]) -> [PositionUpdate] { actions.updates().filter { !$0.fixes.isEmpty } }

  @Test("A batch is delivered in order at its timeout, and the next begins")
  func timeout() {
    var journey = self.journey(timeout: 60)
    let batches = self.batches(journey.go(seconds: 183, speed: 1))
    #expect(batches.map(\.reason) == [.timeout, .timeout, .timeout])
    #expect(batches.allSatisfy { $0.fix == nil && $0.dropped == 0 })
    let fixes = batches.flatMap(\.fixes)
    #expect(fixes.map(\.arrival) == fixes.map(\.arrival).sorted())
    #expect(fixes.map { ($0.arrival - at(1000)).seconds } == (1...fixes.count).map(Double.init))
  }

  @Test("A batch is delivered when its path is long enough")
  func distance() {
    var journey = self.journey(distance: 100)
    let batches = self.batches(journey.go(seconds: 50, speed: 10))
    #expect(batches.map(\.reason) == [.distance, .distance, .distance])
    #expect(batches.allSatisfy { (11...14).contains($0.fixes.count) })
  }

  @Test("The first bound that is reached delivers it")
  func either() {
    var journey = self.journey(distance: 100, timeout: 5)
    #expect(self.batches(journey.go(seconds: 8, speed: 1)).map(\.reason) == [.timeout])
    #expect(self.batches(journey.go(seconds: 4, speed: 60)).map(\.reason).contains(.distance))
  }

  @Test("A batch and the live streams of others do not affect each other")
  func untouched() {
    var alone = self.journey(timeout: 60)
    let expected = self.batches(alone.go(seconds: 130, speed: 1)).map(\.fixes)
    var journey = self.journey(timeout: 60)
    journey.daemon.connect(2)
    journey.daemon.subscribe(SubscriptionParameters(), client: 2)
    let actions = journey.go(seconds: 130, speed: 1)
    #expect(self.batches(actions).map(\.fixes) == expected)
    #expect(actions.fixes(client: 2).count == 130)
  }

  @Test("A batch has no fix from before the subscription, even if that was improved since")
  func older() {
    var journey = Journey()
    journey.daemon.subscribe(SubscriptionParameters())
    journey.go(seconds: 3, speed: 0)
    let time = journey.daemon.now.sinceBoot.seconds
    journey.daemon.advance(by: 0.1)
    journey.daemon.subscribe(Self.parameters(timeout: 60))
    let request = journey.daemon.call(.getFix(FixRequest(accuracy: .meters(3)))).id
    let better = journey.daemon.fix(accuracy: 2, time: time)
    #expect(better.outcome(of: request)?.fix?.horizontalAccuracy == 2)
    #expect(journey.daemon.call(.commandSubscription(number: 2, .flush)).actions.updates(of: 2).isEmpty)
  }

  @Test("Fixes over the limit are dropped from the front, and counted")
  func overflow() throws {
    var journey = self.journey(timeout: 1000)
    let batch = try #require(self.batches(journey.go(seconds: 1002, speed: 1)).first)
    #expect(batch.fixes.count == FixBatch.limit)
    #expect(batch.dropped == 1001 - FixBatch.limit || batch.dropped == 1000 - FixBatch.limit)
    #expect(try #require(batch.fixes.last).arrival >= at(2000))
    let next = try #require(self.batches(journey.go(seconds: 1002, speed: 1)).first)
    #expect(next.dropped == batch.dropped)
  }

  @Test("flush delivers the collected fixes at once, and nothing if there are none")
  func flush() {
    var journey = self.journey(timeout: 600)
    #expect(journey.daemon.call(.commandSubscription(number: 1, .flush)).actions.updates().isEmpty)
    journey.go(seconds: 7, speed: 1)
    let call = journey.daemon.call(.commandSubscription(number: 1, .flush))
    #expect(self.batches(call.actions).map(\.reason) == [.flush])
    #expect(self.batches(call.actions).first?.fixes.count == 7)
    #expect(call.actions.answers(to: call.id).count == 1)
  }

  @Test("The end delivers the collected fixes: a cancellation, an expiry, a change of mode, a graceful stop")
  func end() {
    func collected(_ duration: Double? = nil) -> Journey {
      var journey = Journey()
      var parameters = Self.parameters(timeout: 600)
      parameters.duration = duration.map { .seconds($0) }
      journey.daemon.subscribe(parameters)
      journey.go(seconds: 9, speed: 1)
      return journey
    }
    var cancelled = collected()
    var change = SubscriptionChange()
    change.mode = .continuous
    var changed = collected()
    var expired = collected(10)
    var stopped = collected()
    let ends = [
      cancelled.daemon.call(.cancelSubscription(number: 1)).actions,
      changed.daemon.call(.updateSubscription(number: 1, change)).actions,
      expired.daemon.advance(by: 2),
      stopped.daemon.send(.stopping),
    ]
    for actions in ends {
      #expect(self.batches(actions).map(\.reason) == [.ended])
      #expect(self.batches(actions).first?.fixes.count == 9)
    }
  }

  @Test("It requires a bound")
  func unbounded() {
    var daemon = VirtualDaemon()
    let call = daemon.call(.subscribe(Self.parameters()))
    guard case .failed(.invalid(let parameter, _))? = call.actions.answers(to: call.id).first else {
      Issue.record("not refused")
      return
    }
    #expect(parameter == "deferredDistance")
  }

  @Test("A user may have 64 of them, and one that ends makes room")
  func limit() {
    var settings = BrokerSettings.open
    settings.maxDeferredPerUser = 2
    var daemon = VirtualDaemon(settings: settings)
    let parameters = Self.parameters(timeout: 60)
    for _ in 1...2 { daemon.subscribe(parameters) }
    let third = daemon.call(.subscribe(parameters))
    #expect(
      third.actions.answers(to: third.id) == [.failed(.limitExceeded(name: "max-deferred-per-user", value: 2))])
    daemon.call(.cancelSubscription(number: 1))
    let fourth = daemon.call(.subscribe(parameters))
    guard case .subscription(.begun)? = fourth.actions.answers(to: fourth.id).first else {
      Issue.record("no room")
      return
    }
    daemon.send(.clientDisconnected(ClientID(1)))
    daemon.connect(1)
    for _ in 1...2 { daemon.subscribe(parameters) }
  }
}
