import Positioning
import ReceiverPorts
import TestSupport
import Testing

@testable import Broker

/// The headings that a subscription gets, and when.
@Suite struct HeadingSubscriptionTests {
  /// The deliveries of a subscription for a sensor's reports, one each second.
  private func delivered(_ directions: [Double], minChange: Double, minInterval: Double = 0) -> [Double?] {
    var daemon = VirtualDaemon()
    daemon.subscribeHeading(minChange: minChange, minInterval: minInterval)
    return directions.reduce(into: [Action]()) { actions, direction in
      actions += daemon.advance(by: 1) + daemon.point(direction)
    }.headings().directions
  }

  @Test("Only a turn of minChange is delivered, around the circle, from the last delivered heading")
  func minChange() {
    #expect(self.delivered([359, 1, 0.5, 359, 358], minChange: 2) == [359, 1, 359])
    #expect(self.delivered([359, 0.9, 1], minChange: 2) == [359, 1])
    #expect(self.delivered([0, 1, 2, 3, 4, 5, 6], minChange: 3) == [0, 3, 6])
    #expect(self.delivered([10, 190, 10.5, 190.5], minChange: 180) == [10, 190])
  }

  @Test("Exact north is delivered, also as the first heading")
  func north() {
    #expect(self.delivered([0, 0, 360, 1, 0], minChange: 1) == [0, 1, 0])
  }

  @Test("With a change of 0 every heading is delivered, equal ones too")
  func all() {
    #expect(self.delivered([5, 5, 5, 6], minChange: 0) == [5, 5, 5, 6])
  }

  @Test("minInterval applies in addition to minChange, with a tenth of tolerance")
  func minInterval() {
    let directions = (0..<30).map { Double($0 * 2) }
    #expect(self.delivered(directions, minChange: 1, minInterval: 10) == [0, 18, 36, 54])
    #expect(self.delivered(directions, minChange: 30, minInterval: 10) == [0, 30])
    #expect(self.delivered(directions, minChange: 0, minInterval: 0).count == 30)
  }

  @Test("A heading that is not stale is delivered first, after the answer")
  func first() {
    var daemon = VirtualDaemon()
    daemon.subscribe(SubscriptionParameters())
    daemon.advance(by: 1)
    daemon.point(77)
    let actions = daemon.subscribeHeading()
    guard case .answer(_, .subscription(.begun(let info))) = actions.first else {
      Issue.record("the answer did not come first")
      return
    }
    #expect(info.state == .delivering)
    #expect(actions.headings(of: 2).directions == [77])
    #expect(!actions.headings(of: 2)[0].isRepeat)
    daemon.advance(by: 4)
    let late = daemon.subscribeHeading()
    guard case .answer(_, .subscription(.begun(let later))) = late.first else {
      Issue.record("the answer did not come first")
      return
    }
    #expect(later.state == .acquiring)
    #expect(late.headings(of: 3).isEmpty)
  }

  @Test("It needs the receiver, and releases it at its end")
  func need() {
    var settings = BrokerSettings.open
    settings.power.linger = .zero
    var daemon = VirtualDaemon(settings: settings)
    #expect(daemon.subscribeHeading(minInterval: 2).receiverOrders == [true])
    #expect(daemon.status.demand?.clients.map(\.what) == ["heading.subscribe"])
    #expect(daemon.status.demand?.merged.interval == .seconds(2))
    #expect(daemon.call(.cancelSubscription(number: 1)).actions.receiverOrders == [false])
    #expect(daemon.deadline == nil)
  }

  @Test("A sensor that falls silent is reported at once, without any other event")
  func silence() {
    var daemon = VirtualDaemon()
    daemon.subscribeHeading()
    daemon.advance(by: 1)
    daemon.point(20)
    let silence = daemon.advance(by: 2.9)
    #expect(silence.headings().isEmpty)
    #expect(daemon.advance(by: 0.1).headings().map(\.state) == [.invalid])
    #expect(daemon.advance(by: 100).headings().isEmpty)
    let back = daemon.point(20).headings()
    #expect(back.map(\.state) == [.valid])
    #expect(back.directions == [20])
  }

  @Test("A change of the source is delivered whatever the angle")
  func source() {
    var daemon = VirtualDaemon()
    daemon.subscribeHeading(minChange: 90)
    var actions: [Action] = []
    for _ in 1...3 { actions += daemon.advance(by: 1) + daemon.move(course: 40) }
    for _ in 1...3 { actions += daemon.advance(by: 1) + daemon.point(41) + daemon.move(course: 40) }
    for _ in 1...5 { actions += daemon.advance(by: 1) + daemon.move(course: 40) }
    #expect(actions.headings().map { $0.heading?.source } == [.course, .sensor, .course])
    #expect(actions.headings().allSatisfy { $0.state == .valid })
  }

  @Test("The epoch of a course is delivered once, however often it is improved")
  func improved() {
    var daemon = VirtualDaemon()
    daemon.subscribeHeading(minChange: 0)
    daemon.advance(by: 1)
    var actions = daemon.move(course: 40)
    daemon.advance(by: 0.1)
    var better = position(1001.1, time: 1001, accuracy: 2)
    (better.track, better.speed, better.epd) = (50, 5, 3)
    actions += daemon.send(.receiver(.position(better)))
    #expect(actions.headings().directions == [40])
  }

  @Test("A heartbeat that is due when the heading ends is left out, because the change is delivered")
  func heartbeatAtTheEnd() {
    let parameters = HeadingParameters(minChange: 3, minInterval: .seconds(1), maxInterval: .seconds(5))
    let id = SubscriptionID(client: ClientID(1), number: 1)
    var subscription = HeadingSubscription(id: id, parameters: parameters, state: .valid, now: at(0))
    #expect(subscription.heartbeat(nil, now: at(5)) == nil)
    #expect(subscription.received(nil, .invalid, now: at(5))?.state == .invalid)
    #expect(subscription.heartbeat(nil, now: at(10))?.isRepeat == true)
  }

  @Test("The heartbeat delivers the newest heading again, marked, or that there is none, and moves no baseline")
  func heartbeat() {
    var daemon = VirtualDaemon()
    daemon.subscribeHeading(minChange: 10, maxInterval: 5)
    var actions: [Action] = []
    for second in 0..<12 { actions += daemon.advance(by: 1) + daemon.point(100 + Double(second)) }
    // At 1006 and 1011 the newest heading is delivered again; the ten degrees still count from 1001.
    #expect(actions.headings().directions == [100, 104, 109, 110])
    #expect(actions.headings().map(\.isRepeat) == [false, true, true, false])
    let silent = daemon.advance(by: 13).headings()
    #expect(silent.map(\.isRepeat) == [false, true, true])
    #expect(silent.allSatisfy { $0.state == .invalid && $0.heading == nil })
  }

  @Test("The list has the parameters, the state and the number of deliveries")
  func list() {
    var daemon = VirtualDaemon()
    daemon.subscribeHeading(minChange: 3, minInterval: 1, maxInterval: 60)
    daemon.advance(by: 1)
    daemon.point(1)
    let (id, actions) = daemon.call(.listSubscriptions())
    let parameters = HeadingParameters(minChange: 3, minInterval: .seconds(1), maxInterval: .seconds(60))
    let info = SubscriptionInfo(
      number: 1, kind: .heading(parameters), state: .delivering,
      availability: .searching, updates: 1)
    #expect(actions.answers(to: id) == [.subscriptions([info])])
    let (change, refusal) = daemon.call(.updateSubscription(number: 1, SubscriptionChange()))
    #expect(refusal.answers(to: change) == [.failed(.wrongKind(number: 1, .heading(parameters)))])
  }

  @Test("A client that leaves takes its headings with it, and another's stay")
  func leaving() {
    var daemon = VirtualDaemon()
    daemon.connect(2)
    daemon.subscribeHeading(maxInterval: 7)
    daemon.call(.getHeading(HeadingRequest()))
    daemon.subscribeHeading(client: 2)
    daemon.send(.clientDisconnected(ClientID(1)))
    #expect(daemon.status.subscriptions == 1 && daemon.status.requests == 0)
    let actions = daemon.advance(by: 1) + daemon.point(3)
    #expect(actions.headings().isEmpty)
    #expect(actions.headings(client: 2).directions == [3])
  }
}
