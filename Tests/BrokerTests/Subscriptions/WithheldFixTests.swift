import Positioning
import TestSupport
import Testing

@testable import Broker

/// Fixes that are not delivered: because they are not good enough, or because nothing can be delivered yet.
@Suite struct WithheldFixTests {
  private static func journey(linger: Duration = .zero) -> Journey {
    var settings = BrokerSettings.open
    settings.power.linger = linger
    settings.power.isVerified = true
    return Journey(VirtualDaemon(settings: settings))
  }

  /// How many of the seconds the receiver is on, while a device rests.
  private static func onTime(_ journey: inout Journey, seconds: Int, accuracy: Double?) -> (on: Int, actions: [Action])
  {
    var (on, actions) = (0, [Action]())
    for _ in 0..<seconds {
      actions += journey.go(seconds: 1, speed: 0, accuracy: accuracy)
      if journey.daemon.isReceiverOn { on += 1 }
    }
    return (on, actions)
  }

  @Test func `where no fix is good enough each interval has one bounded search, and the state says so once`() {
    var journey = Self.journey()
    journey.daemon.subscribe(
      SubscriptionParameters(minInterval: .seconds(60), onlyBetterThan: 5, replay: .none))
    let (on, actions) = Self.onTime(&journey, seconds: 3600, accuracy: 8)
    #expect(on < 3600 / 2, "\(on) of 3600 s")
    #expect(actions.receiverOrders.count { $0 } >= 55, "each interval has its search")
    let updates = actions.updates()
    #expect(updates.allSatisfy { $0.fix == nil })
    #expect(updates.count { $0.state == .acquiring && $0.reason == .changed } == 1, "\(updates)")
    // At another place there is a better one, which is delivered in the interval in which it comes.
    let better = journey.go(seconds: 120, speed: 0, accuracy: 4)
    #expect((1...3).contains(better.fixes().count))
    #expect(better.updates().last { $0.fix != nil }?.state == .delivering)
  }

  @Test func `a client whose interval is short waits for a better fix, and its state says so`() {
    var journey = Self.journey()
    journey.daemon.subscribe(SubscriptionParameters(onlyBetterThan: 5, replay: .none))
    let (on, actions) = Self.onTime(&journey, seconds: 100, accuracy: 8)
    #expect(on >= 99)
    #expect(actions.updates().last?.state == .acquiring)
    let better = journey.go(seconds: 3, speed: 0, accuracy: 4)
    #expect(better.fixes().count == 3 && better.updates().last?.state == .delivering)
  }

  @Test func `fixes that are not good enough and come before one is due postpone nothing`() {
    var journey = Self.journey()
    journey.daemon.subscribe(SubscriptionParameters(minInterval: .seconds(600), onlyBetterThan: 5, replay: .none))
    #expect(journey.go(seconds: 5, speed: 0).fixes().count == 1)
    // Another client keeps the receiver on.
    journey.daemon.connect(2)
    journey.daemon.subscribe(SubscriptionParameters(duration: .seconds(60)), client: 2)
    let early = journey.go(seconds: 200, speed: 0, accuracy: 8)
    #expect(early.fixes(of: 1, client: 2).count >= 50)
    #expect(early.updates().isEmpty, "its fix is not due: \(early.updates())")
    #expect(journey.go(seconds: 430, speed: 0).fixes().count == 1)
  }

  @Test func `a significant change that is not good enough is no news`() {
    var journey = Self.journey()
    journey.daemon.subscribe(SubscriptionParameters(mode: .significant, onlyBetterThan: 5, replay: .none))
    let (on, actions) = Self.onTime(&journey, seconds: 3600, accuracy: 8)
    #expect(on < 3600)
    // It waits, and says so once.
    #expect(actions.updates().allSatisfy { $0.reason == .available && $0.state == .waiting }, "\(actions.updates())")
  }

  @Test func `a reduced client does not keep a receiver on whose fixes can never be reduced`() {
    var journey = Self.journey()
    journey.daemon.change { $0.fallback = .reduced }
    journey.daemon.subscribe(SubscriptionParameters(accuracy: .level(.city), replay: .none))
    let (on, actions) = Self.onTime(&journey, seconds: 3600, accuracy: nil)
    #expect(on < 300, "\(on) of 3600 s")
    #expect(actions.fixes().isEmpty)
    #expect(!actions.updates().contains { $0.state == .delivering }, "\(actions.updates())")
    let known = journey.go(seconds: 601, speed: 0, accuracy: 8)
    #expect(known.fixes().count >= 1)
    #expect(known.updates().last { $0.fix != nil }?.state == .delivering)
  }

  @Test func `what cannot be reduced before a reduced fix is due postpones nothing`() {
    var journey = Self.journey()
    journey.daemon.change { $0.fallback = .reduced }
    journey.daemon.subscribe(SubscriptionParameters(accuracy: .level(.city), replay: .none))
    #expect(journey.go(seconds: 5, speed: 0).fixes().count == 1)
    // Another client has the receiver until shortly before.
    journey.daemon.change { $0.rules = [.granting(.always, user: "user1002")] }
    journey.daemon.connect(2)
    journey.daemon.subscribe(SubscriptionParameters(duration: .seconds(590)), client: 2)
    #expect(journey.go(seconds: 560, speed: 0).fixes().isEmpty)
    #expect(journey.go(seconds: 32, speed: 0, accuracy: nil).fixes().isEmpty)
    #expect(journey.go(seconds: 30, speed: 0).fixes().count == 1)
  }

  @Test(arguments: [AccessPolicy.Fallback.allow, .reduced])
  func `such a search gets the time in which nothing ran`(fallback: AccessPolicy.Fallback) {
    var journey = Self.journey()
    journey.daemon.change { $0.fallback = fallback }
    journey.daemon.subscribe(
      SubscriptionParameters(
        accuracy: .level(.city), minInterval: .seconds(60), onlyBetterThan: 5000, replay: .none))
    _ = journey.go(seconds: 5, speed: 0, accuracy: nil)
    journey.daemon.skip(seconds: 60)
    _ = journey.go(seconds: 5, speed: 0, accuracy: nil)
    #expect(journey.daemon.isReceiverOn)
    _ = journey.go(seconds: 10, speed: 0, accuracy: nil)
    #expect(!journey.daemon.isReceiverOn)
  }

  @Test func `a heartbeat delivers the newest fix while the receiver sleeps between two`() throws {
    var journey = Self.journey()
    journey.daemon.subscribe(
      SubscriptionParameters(minInterval: .seconds(300), maxInterval: .seconds(60), replay: .none))
    let first = journey.go(seconds: 5, speed: 0)
    #expect(first.fixes().count == 1)
    let later = journey.go(seconds: 200, speed: 0)
    #expect(!journey.daemon.isReceiverOn)
    let beats = later.updates().filter(\.isRepeat)
    #expect(beats.count == 3, "\(beats)")
    for beat in beats { #expect(beat.fix != nil && beat.state == .delivering, "\(beat)") }
  }

  @Test func `in a time in which no change can be delivered nobody looks`() {
    var journey = Self.journey()
    journey.daemon.subscribe(
      SubscriptionParameters(
        mode: .significant, significantDistance: 500, significantInterval: .seconds(86_400), replay: .none))
    #expect(journey.go(seconds: 10, speed: 0).fixes().count == 1)
    let quiet = journey.go(seconds: 21 * 3600, speed: 10)
    #expect(!quiet.receiverOrders.contains(true), "\(quiet.receiverOrders.count) orders")
    #expect(journey.go(seconds: 4 * 3600, speed: 10).fixes().count == 1, "then the change is found")
  }

  @Test func `nobody looks either after a restart or a pause, but at once if the interval is made shorter`() {
    var journey = Self.journey()
    let parameters = SubscriptionParameters(
      mode: .significant, significantDistance: 500, significantInterval: .seconds(86_400), replay: .none)
    journey.daemon.call(.subscribe(parameters, durable: .tracker))
    journey.daemon.subscribe(parameters)
    #expect(journey.go(seconds: 10, speed: 0).fixes().count == 1)
    journey.daemon.call(.commandSubscription(number: 1, .pause))
    _ = journey.go(seconds: 3600, speed: 10)
    journey.daemon.call(.commandSubscription(number: 1, .resume))
    #expect(!journey.go(seconds: 3600, speed: 10).receiverOrders.contains(true))
    var change = SubscriptionChange()
    change.significantInterval = .seconds(300)
    let shorter = journey.daemon.call(.updateSubscription(number: 1, change)).actions
    #expect((shorter + journey.go(seconds: 30, speed: 10)).fixes().count == 1)
    // The subscription ends with its connection, and the durable one stays.
    journey.daemon.restart()
    #expect(!journey.daemon.isReceiverOn)
    #expect(!journey.go(seconds: 3600, speed: 10).receiverOrders.contains(true))
  }

  @Test func `a device at rest has no path, whatever the noise of its fixes`() {
    var journey = Self.journey()
    journey.daemon.subscribe(SubscriptionParameters(mode: .deferred, deferredDistance: 500, replay: .none))
    var actions: [Action] = []
    for second in 0..<3600 { actions += journey.go(seconds: 1, speed: second.isMultiple(of: 2) ? 2 : -2) }
    #expect(actions.updates().allSatisfy { $0.fixes.isEmpty })
    // A real path counts, also a slow one.
    let walked = journey.go(seconds: 600, speed: 1)
    #expect(walked.updates().count { $0.reason == .distance } == 1)
  }

  @Test(arguments: [0, 0.3, 2])
  func `a fix that arrives after the request is never too old, at the timeout either`(maximumAge: Double) throws {
    var journey = Self.journey()
    let (call, _) = journey.daemon.call(
      .getFix(
        FixRequest(
          accuracy: .level(.room), acceptableAccuracy: .level(.block), maximumAge: .seconds(maximumAge),
          timeout: .milliseconds(5500))))
    let result = try #require(journey.go(seconds: 7, speed: 0, accuracy: 8).outcome(of: call))
    #expect(result.status == .success && !result.isSatisfied && result.fix != nil, "\(result)")
  }

  @Test func `a request that only the lingering receiver can answer prolongs the linger`() throws {
    var journey = Self.journey(linger: .seconds(6))
    let request = FixRequest(maximumAge: .milliseconds(500), timeout: .seconds(30))
    var starts = 0
    for _ in 0..<10 {
      let (call, first) = journey.daemon.call(.getFix(request))
      let rest = journey.go(seconds: 4, speed: 0)
      #expect((first + rest).outcome(of: call)?.fix != nil)
      starts += (first + rest).receiverOrders.count { $0 }
    }
    #expect(starts == 1)
    // What an older fix answers as well prolongs nothing.
    for _ in 0..<3 {
      _ = journey.daemon.call(.getFix(FixRequest(accuracy: .level(.city))))
      _ = journey.go(seconds: 4, speed: 0)
    }
    #expect(!journey.daemon.isReceiverOn)
  }

  @Test func `so does a request for a heading`() {
    var journey = Self.journey(linger: .seconds(6))
    var starts = 0
    for _ in 0..<10 {
      let (call, first) = journey.daemon.call(.getHeading(HeadingRequest(maximumAge: .milliseconds(500))))
      let rest = (0..<4).flatMap { _ in
        journey.daemon.advance(by: 1) + (journey.daemon.isReceiverOn ? journey.daemon.point(90) : [])
      }
      #expect((first + rest).answers(to: call).count == 1)
      starts += (first + rest).receiverOrders.count { $0 }
    }
    #expect(starts == 1)
  }
}
