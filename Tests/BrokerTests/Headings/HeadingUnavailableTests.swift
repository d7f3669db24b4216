import Positioning
import ReceiverPorts
import Testing

@testable import Broker

/// "No heading now" and "no heading ever" are distinguished.
@Suite struct HeadingUnavailableTests {
  /// The feed after fixes each second from the first second on.
  private func feed(seconds: Int, course: Double?, speed: Double?) -> HeadingView {
    var feed = HeadingView.empty()
    for second in 1...seconds { feed.follow(moving(Double(second), course: course, speed: speed)) }
    return feed
  }

  @Test(
    "A receiver that has reported neither a course nor a sensor's heading for 30 s of fixes has none",
    arguments: [nil, 5] as [Double?])
  func unavailable(speed: Double?) {
    #expect(self.feed(seconds: 30, course: nil, speed: speed).state(now: at(30)) == .invalid)
    #expect(self.feed(seconds: 31, course: nil, speed: speed).state(now: at(31)) == .unavailable)
  }

  @Test(
    "A receiver at rest, with a course or without, has no heading only for now", arguments: [nil, 0, 271] as [Double?])
  func resting(course: Double?) {
    #expect(self.feed(seconds: 600, course: course, speed: 0.3).state(now: at(600)) == .invalid)
  }

  @Test("One course, or one sensor's report, proves that there can be a heading", arguments: [true, false])
  func everSeen(isCourse: Bool) {
    var feed = HeadingView.empty()
    // Even an unusable one, because the next one may be usable.
    if isCourse { feed.follow(moving(1, course: 90, speed: 0)) } else { feed.hear(attitude(1, 14223)) }
    for second in 2...600 { feed.follow(moving(Double(second), course: nil)) }
    #expect(feed.state(now: at(600)) == .invalid)
  }

  @Test("Searching for a fix proves nothing, nor do fixes with gaps between them")
  func gaps() {
    var feed = HeadingView.empty()
    for burst in 0..<20 {
      for second in 0..<20 { feed.follow(moving(Double(burst * 60 + second), course: nil)) }
    }
    #expect(feed.state(now: at(1200)) == .invalid)
  }

  @Test("The proof that there can be no heading holds for that session, and until it is disproved")
  func session() {
    for mend in 0..<3 {
      var feed = self.feed(seconds: 40, course: nil, speed: nil)
      #expect(feed.isUnavailable)
      switch mend {
      case 0: feed.sessionEnded()
      case 1: feed.hear(attitude(41, 90))
      default: feed.follow(moving(41, course: 90))
      }
      #expect(!feed.isUnavailable)
    }
  }

  @Test("A subscription receives the state, then its end, and needs the receiver no longer")
  func subscription() {
    var daemon = VirtualDaemon()
    daemon.subscribeHeading()
    var actions: [Action] = []
    for _ in 1...31 { actions += daemon.advance(by: 1) + daemon.move(course: nil, speed: nil) }
    let received = actions.compactMap { action -> Notification? in
      if case .notify(_, let notification) = action { notification } else { nil }
    }
    let id = SubscriptionID(client: ClientID(1), number: 1)
    #expect(
      received == [
        .heading(id, HeadingUpdate(state: .unavailable)),
        .ended(id, .unavailable),
      ])
    #expect(daemon.status.subscriptions == 0)
    #expect(daemon.advance(by: 61).receiverOrders == [false])
    #expect(daemon.deadline == nil)
  }

  @Test("Waiting and later requests get the error, until a new session")
  func errors() {
    var daemon = VirtualDaemon()
    daemon.subscribe(SubscriptionParameters())
    let waiting = daemon.call(.getHeading(HeadingRequest(timeout: .seconds(600)))).id
    var actions: [Action] = []
    for _ in 1...31 { actions += daemon.advance(by: 1) + daemon.move(course: nil, speed: nil) }
    #expect(actions.answers(to: waiting) == [.failed(.noHeading)])
    for what in [Call.getHeading(HeadingRequest()), .subscribeHeading(HeadingParameters())] {
      let (id, actions) = daemon.call(what)
      #expect(actions.answers(to: id) == [.failed(.noHeading)])
    }
    daemon.send(.receiver(.source(.receiverMissing(.unplugged("a")))))
    daemon.send(.receiver(.source(.streaming)))
    let (id, _) = daemon.call(.getHeading(HeadingRequest()))
    daemon.advance(by: 1)
    #expect(
      daemon.point(12).answers(to: id) == [
        .heading(
          HeadingResult(
            heading: Heading(
              trueHeading: 12,
              magneticHeading: daemon.machine.receiver.newestHeading(now: daemon.now)?.magneticHeading,
              source: .sensor, arrival: daemon.now)))
      ])
  }

  @Test("At rest, without a fix and while searching, a subscription continues, and is notified once")
  func invalid() {
    var daemon = VirtualDaemon()
    daemon.subscribeHeading()
    var actions: [Action] = []
    for _ in 1...100 { actions += daemon.advance(by: 1) + daemon.noFixReport() }
    for _ in 1...100 { actions += daemon.advance(by: 1) + daemon.move(course: nil, speed: 0.1) }
    #expect(actions.headings().isEmpty)
    for second in 1...10 { actions += daemon.advance(by: 1) + daemon.move(course: Double(10 * second)) }
    for _ in 1...100 { actions += daemon.advance(by: 1) + daemon.move(course: 7, speed: 0.1) }
    actions += daemon.advance(by: 1000)
    #expect(actions.headings().map(\.state) == [HeadingState](repeating: .valid, count: 10) + [.invalid])
    #expect(actions.headings().last?.heading == nil)
    #expect(actions.endings().isEmpty)
  }
}
