import Positioning
import TestSupport
import Testing

@testable import Broker

/// How subscriptions begin, change and end.
@Suite struct SubscriptionLifeTests {
  @Test("Numbers count from 1 for each client, and the answer precedes its consequences")
  func numbers() throws {
    var daemon = VirtualDaemon()
    daemon.connect(2)
    daemon.sourceFollows = false
    for client in [1, 2] as [UInt64] {
      for number in 1...3 {
        let (id, actions) = daemon.call(.subscribe(SubscriptionParameters()), client: client)
        guard case .answer(id, .subscription(.begun(let info))) = try #require(actions.first) else {
          Issue.record("the first action is no answer: \(actions)")
          continue
        }
        #expect(info.number == number)
        #expect(info.state == .acquiring)
        #expect(info.availability == .searching)
      }
    }
  }

  @Test("replay: fresh delivers a cached fix that is good enough for the level, marked, after the answer")
  func replayFresh() throws {
    var daemon = VirtualDaemon()
    daemon.subscribe(SubscriptionParameters())
    daemon.stream(seconds: 3)
    daemon.advance(by: 0.5)
    let (id, actions) = daemon.call(.subscribe(SubscriptionParameters(accuracy: .level(.room))))
    let update = try #require(actions.updates(of: 2).first)
    #expect(update.isReplay && !update.isRepeat)
    #expect(update.fix?.arrival == at(1003))
    #expect(update.achievedAccuracy == .room)
    #expect(actions.updates(of: 1).isEmpty)
    if case .answer(id, .subscription(.begun)) = actions[0] {
    } else {
      Issue.record("the replay came before the answer")
    }
  }

  @Test(
    "Which cached fix is replayed",
    arguments: [
      (.fresh, 6, 4, false), (.fresh, 4, 40, false), (.fresh, 4, nil, false), (.any, 4000, 40, true),
      (.any, 4000, nil, true), (.none, 1, 4, false),
    ] as [(SubscriptionParameters.Replay, Double, Double?, Bool)])
  func replay(replay: SubscriptionParameters.Replay, age: Double, accuracy: Double?, isReplayed: Bool) {
    var daemon = VirtualDaemon()
    daemon.call(.getFix(FixRequest(accuracy: .meters(0.001), timeout: .seconds(1))))
    daemon.fix(accuracy: accuracy)
    daemon.advance(by: age)
    let actions = daemon.subscribe(SubscriptionParameters(accuracy: .level(.room), replay: replay))
    #expect(actions.updates().contains { $0.isReplay } == isReplayed)
  }

  @Test("A replay obeys onlyBetterThan, and is a delivery: it moves the baseline and is not repeated")
  func replayIsDelivery() {
    var daemon = VirtualDaemon()
    daemon.subscribe(SubscriptionParameters())
    daemon.stream(seconds: 3, accuracy: 12)
    let strict = SubscriptionParameters(minInterval: .seconds(10), onlyBetterThan: 10, replay: .any)
    #expect(daemon.subscribe(strict).updates(of: 2).isEmpty)
    let loose = SubscriptionParameters(minInterval: .seconds(10), replay: .any)
    #expect(daemon.subscribe(loose).fixes(of: 3).count == 1)
    #expect(daemon.fix(accuracy: 3).fixes(of: 3).isEmpty)
    let later = daemon.stream(seconds: 9, accuracy: 12)
    #expect(later.fixes(of: 3).map(\.arrival) == [at(1012)])
  }

  @Test("maxUpdates counts the heartbeats with a fix")
  func heartbeats() {
    var daemon = VirtualDaemon()
    let parameters = SubscriptionParameters(
      minInterval: .seconds(100), maxInterval: .seconds(5), maxUpdates: 3, replay: .none)
    daemon.subscribe(parameters)
    let actions = daemon.stream(seconds: 30)
    #expect(actions.updates().filter { $0.fix != nil }.map(\.isRepeat) == [false, true, true])
  }

  @Test("maxUpdates ends a subscription after this many deliveries, replays counted, with expired")
  func maxUpdates() {
    var daemon = VirtualDaemon()
    daemon.subscribe(SubscriptionParameters())
    daemon.stream(seconds: 2)
    var actions = daemon.subscribe(SubscriptionParameters(maxUpdates: 3))
    actions += daemon.stream(seconds: 10)
    #expect(actions.fixes(of: 2).count == 3)
    #expect(actions.endings(of: 2) == [.expired])
    #expect(actions.endings(of: 1).isEmpty)
    #expect(daemon.status.subscriptions == 1)
  }

  @Test("duration ends a subscription at that moment, with expired, and ends its need")
  func duration() {
    var daemon = VirtualDaemon()
    daemon.subscribe(SubscriptionParameters(duration: .seconds(20)))
    var actions = daemon.stream(seconds: 19)
    #expect(actions.endings().isEmpty)
    actions = daemon.advance(by: 1)
    #expect(actions.endings() == [.expired])
    #expect(daemon.stream(seconds: 5).updates().isEmpty)
    #expect(daemon.advance(by: 60).receiverOrders == [false])
    #expect(daemon.deadline == nil)
  }

  @Test("maxInterval is a heartbeat: the newest fix again, marked, after this time without a delivery")
  func heartbeat() throws {
    var daemon = VirtualDaemon()
    daemon.subscribe(SubscriptionParameters(minDistance: 100, maxInterval: .seconds(10)))
    let updates = daemon.stream(seconds: 35).updates().filter { $0.fix != nil }
    #expect(updates.map(\.isRepeat) == [false, true, true, true])
    for update in updates.dropFirst() {
      let fix = try #require(update.fix)
      #expect(!update.isReplay && update.reason == nil)
      #expect(update.achievedAccuracy == .room)
      #expect(fix.coordinate == Coordinate(latitude: 50, longitude: 8))
    }
  }

  @Test("A heartbeat moves no baseline")
  func heartbeatBaseline() {
    var daemon = VirtualDaemon()
    daemon.subscribe(SubscriptionParameters(minDistance: 50, maxInterval: .seconds(5)))
    var delivered: [Int] = []
    for second in 0..<120 {
      daemon.advance(by: 1)
      if !daemon.fix(latitude: 50 + Double(second) / 111_229).fixes().isEmpty { delivered.append(second) }
    }
    #expect(delivered.count == 3)
  }

  @Test("After a loss the heartbeat goes on, without the stale fix")
  func heartbeatAfterLoss() {
    var daemon = VirtualDaemon()
    daemon.subscribe(SubscriptionParameters(maxInterval: .seconds(10)))
    daemon.stream(seconds: 5)
    let updates = daemon.advance(by: 60).updates()
    #expect(updates.allSatisfy { $0.fix == nil })
    #expect(updates.count { $0.isRepeat } >= 5)
    #expect(updates.filter { $0.isRepeat }.allSatisfy { $0.availability == .lost })
  }

  @Test("The rate of a heartbeat is limited, to protect other clients", arguments: [Duration.zero, .nanoseconds(1)])
  func fastHeartbeat(interval: Duration) {
    var daemon = VirtualDaemon()
    daemon.subscribe(SubscriptionParameters(mode: .passive, maxInterval: interval))
    #expect(daemon.advance(by: 10).updates().count <= 101)
  }

  @Test("A passive subscription gets fixes that others need and never turns the receiver on")
  func passive() {
    var daemon = VirtualDaemon()
    let actions = daemon.subscribe(SubscriptionParameters(mode: .passive))
    #expect(actions.receiverOrders.isEmpty)
    #expect(daemon.deadline == nil)
    daemon.call(.getFix(FixRequest(accuracy: .level(.room), timeout: .seconds(10))))
    #expect(daemon.isReceiverOn)
    var later = daemon.stream(seconds: 5, accuracy: 30)
    #expect(later.fixes().count == 5)
    later = daemon.advance(by: 70)
    #expect(later.receiverOrders == [false])
    #expect(later.updates().last?.availability == .poweredDown)
    #expect(later.updates().last?.state == .waiting)
  }

  @Test("An update changes a subscription in place: number, baseline and count stay")
  func update() throws {
    var daemon = VirtualDaemon()
    daemon.subscribe(SubscriptionParameters())
    daemon.stream(seconds: 5)
    var change = SubscriptionChange()
    change.minInterval = .seconds(5)
    let (id, actions) = daemon.call(.updateSubscription(number: 1, change))
    #expect(actions.updates().isEmpty)
    guard case .subscription(.changed(let info)) = try #require(actions.answers(to: id).first) else {
      Issue.record("not answered with the subscription")
      return
    }
    #expect(info.updates == 5)
    #expect(info.kind == .position(SubscriptionParameters(minInterval: .seconds(5))))
    #expect(daemon.stream(seconds: 10).fixes().map(\.arrival) == [at(1010), at(1015)])
  }

  @Test("An update to passive releases the receiver; back to continuous needs it again")
  func updateMode() {
    var settings = BrokerSettings.open
    settings.power.linger = .zero
    var daemon = VirtualDaemon(settings: settings)
    daemon.subscribe(SubscriptionParameters())
    var change = SubscriptionChange()
    change.mode = .passive
    #expect(daemon.call(.updateSubscription(number: 1, change)).actions.receiverOrders == [false])
    change.mode = .continuous
    #expect(daemon.call(.updateSubscription(number: 1, change)).actions.receiverOrders == [true])
  }

  @Test("An update may end it: with fewer updates than were delivered, or a duration that is over")
  func updateEnds() {
    var daemon = VirtualDaemon()
    for number in 1...2 {
      daemon.subscribe(SubscriptionParameters())
      daemon.stream(seconds: 3)
      var change = SubscriptionChange()
      if number == 1 { change.maxUpdates = 2 } else { change.duration = .zero }
      let actions = daemon.call(.updateSubscription(number: number, change)).actions
      #expect(actions.endings(of: number) == [.expired])
    }
  }

  @Test("A cancelled subscription receives nothing more; an unknown or foreign one is an error")
  func cancel() {
    var daemon = VirtualDaemon()
    daemon.connect(2)
    daemon.subscribe(SubscriptionParameters(maxInterval: .seconds(5), duration: .seconds(100)))
    daemon.stream(seconds: 3)
    let foreign = daemon.call(.cancelSubscription(number: 1), client: 2)
    #expect(foreign.actions == [.answer(foreign.id, .failed(.noSubscription(number: 1)))])
    let cancel = daemon.call(.cancelSubscription(number: 1))
    guard case .subscription(.changed(let info)) = cancel.actions.answers(to: cancel.id).first else {
      Issue.record("not answered with the subscription")
      return
    }
    #expect(info.state == .ended)
    #expect(info.updates == 3)
    var later = daemon.stream(seconds: 10)
    later += daemon.advance(by: 200)
    #expect(later.updates().isEmpty && later.endings().isEmpty)
    let again = daemon.call(.updateSubscription(number: 1, SubscriptionChange()))
    #expect(again.actions == [.answer(again.id, .failed(.noSubscription(number: 1)))])
  }

  @Test("The list has a client's own subscriptions, of all kinds, in order")
  func list() throws {
    var daemon = VirtualDaemon()
    daemon.connect(2)
    daemon.subscribe(SubscriptionParameters(), client: 2)
    daemon.call(.subscribeStatus())
    daemon.subscribe(SubscriptionParameters())
    daemon.call(.subscribeSky(minInterval: .seconds(2)))
    let (id, actions) = daemon.call(.listSubscriptions())
    guard case .subscriptions(let all) = try #require(actions.answers(to: id).first) else {
      Issue.record("no list")
      return
    }
    #expect(all.map(\.number) == [1, 2, 3])
    #expect(all.map(\.kind) == [.status, .position(SubscriptionParameters()), .sky(minInterval: .seconds(2))])
  }

  @Test("A change that needs the receiver is answered with the resulting availability")
  func updateHasWhatFollows() throws {
    var daemon = VirtualDaemon()
    daemon.sourceFollows = false
    daemon.call(.subscribe(SubscriptionParameters(mode: .passive)))
    var change = SubscriptionChange()
    change.mode = .continuous
    let (id, actions) = daemon.call(.updateSubscription(number: 1, change))
    guard case .answer(id, .subscription(.changed(let info))) = try #require(actions.first) else {
      Issue.record("the first action is no answer: \(actions)")
      return
    }
    #expect(info.availability == .searching)
    #expect(info.state == .acquiring)
  }
}
