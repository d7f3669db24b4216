import Positioning
import Testing

@testable import Broker

/// Pauses by the client and by rest.
@Suite struct PauseTests {
  @Test("A paused subscription gets nothing and needs nothing; resumed, it continues")
  func pause() {
    var journey = Journey()
    journey.daemon.subscribe(SubscriptionParameters(maxInterval: .seconds(20)))
    journey.go(seconds: 3, speed: 1)
    let paused = journey.daemon.call(.commandSubscription(number: 1, .pause)).actions
    #expect(paused.reasons() == [.paused])
    #expect(paused.updates().last?.state == .paused)
    #expect(journey.go(seconds: 100, speed: 1).updates().isEmpty)
    #expect(!journey.daemon.isReceiverOn)
    let resumed = journey.daemon.call(.commandSubscription(number: 1, .resume)).actions
    #expect(resumed.reasons().first == .resumed)
    #expect(journey.daemon.isReceiverOn)
    #expect(journey.go(seconds: 5, speed: 1).fixes().count == 5)
  }

  @Test("The answer precedes its consequences")
  func order() throws {
    var daemon = VirtualDaemon()
    daemon.subscribe(SubscriptionParameters())
    let call = daemon.call(.commandSubscription(number: 1, .pause))
    let answer = try #require(call.actions.firstIndex { if case .answer = $0 { true } else { false } })
    let update = try #require(call.actions.firstIndex { if case .notify = $0 { true } else { false } })
    #expect(answer < update)
  }

  @Test("A second pause and a second resume deliver nothing")
  func twice() {
    var daemon = VirtualDaemon()
    daemon.subscribe(SubscriptionParameters())
    daemon.call(.commandSubscription(number: 1, .pause))
    #expect(daemon.call(.commandSubscription(number: 1, .pause)).actions.updates().isEmpty)
    daemon.call(.commandSubscription(number: 1, .resume))
    #expect(daemon.call(.commandSubscription(number: 1, .resume)).actions.updates().isEmpty)
  }

  @Test("A loss during the pause is delivered on resuming, once, and its end as well")
  func lossMeanwhile() {
    var daemon = VirtualDaemon()
    daemon.connect(2)
    daemon.subscribe(SubscriptionParameters(), client: 2)
    daemon.subscribe(SubscriptionParameters())
    daemon.stream(seconds: 3)
    daemon.call(.commandSubscription(number: 1, .pause))
    #expect(daemon.advance(by: 20).reasons().isEmpty)
    #expect(daemon.call(.commandSubscription(number: 1, .resume)).actions.reasons() == [.resumed, .lost])
    daemon.call(.commandSubscription(number: 1, .pause))
    daemon.stream(seconds: 3)
    #expect(daemon.call(.commandSubscription(number: 1, .resume)).actions.reasons() == [.resumed, .restored])
  }

  @Test("autoPause pauses delivery at rest and lets the receiver sleep", arguments: Activity.allCases)
  func rest(activity: Activity) {
    var journey = Journey()
    journey.daemon.subscribe(SubscriptionParameters(activity: activity, autoPause: true))
    journey.go(seconds: 60, speed: 10)
    let time = Int(activity.restTime.seconds)
    #expect(journey.go(seconds: time - 30, speed: 0).reasons().isEmpty)
    let paused = journey.go(seconds: 60, speed: 0)
    #expect(paused.reasons() == [.paused])
    #expect(paused.updates().last?.state == .paused)
    var off = 0
    for _ in 0..<7200 {
      #expect(journey.go(seconds: 1, speed: 0).updates().isEmpty)
      if !journey.daemon.isReceiverOn { off += 1 }
    }
    #expect(off > 5000)
  }

  @Test("A resting subscription continues when autoPause is removed from it")
  func noLongerAutomatic() {
    var journey = Journey()
    journey.daemon.subscribe(SubscriptionParameters(autoPause: true))
    #expect(journey.go(seconds: 400, speed: 0).reasons().contains(.paused))
    var change = SubscriptionChange()
    change.autoPause = false
    #expect(journey.daemon.call(.updateSubscription(number: 1, change)).actions.reasons().first == .resumed)
    #expect(journey.go(seconds: 5, speed: 0).fixes().count == 5)
  }

  @Test("A resting subscription continues in another mode, and reports that it does")
  func anotherMode() {
    var journey = Journey()
    journey.daemon.subscribe(SubscriptionParameters(autoPause: true))
    #expect(journey.go(seconds: 400, speed: 0).reasons().last == .paused)
    var change = SubscriptionChange()
    change.mode = .significant
    let actions = journey.daemon.call(.updateSubscription(number: 1, change)).actions
    #expect(actions.reasons() == [.resumed])
    #expect(actions.updates().last?.state == .waiting)
  }

  @Test("Movement always resumes it", arguments: [0.3, 1.4, 30])
  func movement(speed: Double) {
    var journey = Journey()
    journey.daemon.subscribe(SubscriptionParameters(autoPause: true))
    for _ in 1...3 {
      #expect(journey.go(seconds: 1200, speed: 0).reasons().contains(.paused))
      let moving = journey.go(seconds: 1800, speed: speed)
      #expect(moving.reasons().first == .resumed)
      #expect(moving.fixes().count > 300)
    }
  }

  @Test(
    "A drive that is longer than the probe interval is delivered, however long the device rested before",
    arguments: [600, 3600, 10 * 3600], 0...9)
  func drive(rest: Int, offset: Int) {
    var journey = Journey()
    journey.daemon.subscribe(SubscriptionParameters(autoPause: true))
    journey.go(seconds: rest + 97 * offset, speed: 0)
    // 4.5 km out and back again, in 10 minutes.
    let received = journey.go(seconds: 300, speed: 15) + journey.go(seconds: 300, speed: -15)
    #expect(received.reasons().first == .resumed)
    #expect(received.fixes().count >= 230)
    #expect(journey.go(seconds: 1200, speed: 0).reasons().contains(.paused))
  }

  @Test("Movement resumes it however inaccurate the fixes are", arguments: [55.0, 120, 880])
  func vagueMovement(accuracy: Double) {
    var journey = Journey()
    journey.daemon.subscribe(SubscriptionParameters(autoPause: true))
    #expect(journey.go(seconds: 1200, speed: 0).reasons().contains(.paused))
    let received = journey.go(seconds: 1200, speed: 80, accuracy: accuracy)
    #expect(received.reasons().first == .resumed)
    #expect(received.fixes().count > 700)
  }

  @Test("Inaccurate fixes at rest do not resume it, and fixes of unknown accuracy are ignored")
  func vagueRest() {
    var daemon = VirtualDaemon()
    daemon.connect(2)
    daemon.subscribe(SubscriptionParameters(autoPause: true))
    daemon.subscribe(SubscriptionParameters(), client: 2)
    #expect(daemon.stream(seconds: 400).reasons().contains(.paused))
    for beside in [0, 50, 130, -130, 90] as [Double] {
      daemon.advance(by: 1)
      let vague = daemon.fix(accuracy: 70, latitude: 50 + beside / Journey.metersPerDegree)
      #expect(vague.reasons().isEmpty, "\(beside) m")
      daemon.advance(by: 1)
      #expect(daemon.fix(accuracy: nil, latitude: 50 + beside / Journey.metersPerDegree).reasons().isEmpty)
    }
  }

  @Test("Slow movement resumes it once it has added up")
  func creeping() {
    var journey = Journey()
    journey.daemon.subscribe(SubscriptionParameters(autoPause: true))
    journey.go(seconds: 400, speed: 0)
    #expect(journey.go(seconds: 3 * 3600, speed: 0.01).reasons().contains(.resumed))
  }

  @Test("The noise of a resting receiver does not resume it")
  func noise() {
    var daemon = VirtualDaemon()
    var random = SeededRandom(seed: 3)
    daemon.subscribe(SubscriptionParameters(autoPause: true))
    daemon.connect(2)
    daemon.subscribe(SubscriptionParameters(), client: 2)
    var reasons: [DeliveryReason] = []
    for _ in 0..<3600 {
      reasons += daemon.advance(by: 1).reasons()
      let north = 50 + Double.random(in: -10...10, using: &random) / Journey.metersPerDegree
      reasons += daemon.fix(accuracy: 8, latitude: north).reasons()
    }
    #expect(reasons == [.available, .paused] || reasons == [.paused])
  }

  @Test("A command to another kind of subscription is an error")
  func wrongKind() {
    var daemon = VirtualDaemon()
    daemon.call(.subscribeSky(minInterval: .seconds(1)))
    let sky = daemon.call(.commandSubscription(number: 1, .pause))
    #expect(
      sky.actions.answers(to: sky.id) == [.failed(.wrongKind(number: 1, .sky(minInterval: .seconds(1))))])
    let none = daemon.call(.commandSubscription(number: 9, .pause))
    #expect(none.actions.answers(to: none.id) == [.failed(.noSubscription(number: 9))])
  }
}
