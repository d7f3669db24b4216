import Positioning
import TestSupport
import Testing

@testable import Broker

/// A request for one heading.
@Suite struct HeadingRequestTests {
  private func outcome(_ actions: [Action], of call: CallID) -> HeadingResult? {
    for case .heading(let outcome) in actions.answers(to: call) { return outcome }
    return nil
  }

  @Test("A heading that is young enough answers at once, and the receiver is not turned on", arguments: [4.9, 5.0])
  func cached(age: Double) throws {
    var settings = BrokerSettings.open
    settings.power.linger = .zero
    var daemon = VirtualDaemon(settings: settings)
    let first = daemon.call(.getHeading(HeadingRequest())).id
    daemon.advance(by: 1)
    #expect(self.outcome(daemon.point(0), of: first)?.heading?.trueHeading == 0)
    daemon.advance(by: age)
    #expect(!daemon.isReceiverOn)
    let (id, actions) = daemon.call(.getHeading(HeadingRequest()))
    #expect(try #require(self.outcome(actions, of: id)).heading?.trueHeading == 0)
    #expect(actions.receiverOrders.isEmpty)
  }

  @Test("An older heading does not answer: the receiver is needed, and the next heading is the answer")
  func waits() throws {
    var daemon = VirtualDaemon()
    daemon.call(.getHeading(HeadingRequest()))
    daemon.advance(by: 1)
    daemon.point(10)
    daemon.advance(by: 5.1)
    let (id, actions) = daemon.call(.getHeading(HeadingRequest()))
    #expect(actions.answers(to: id).isEmpty)
    #expect(daemon.isReceiverOn)
    #expect(daemon.status.demand?.clients.map(\.what) == ["heading.get"])
    daemon.advance(by: 1)
    #expect(try #require(self.outcome(daemon.move(course: 20), of: id)).heading?.source == .course)
    #expect(daemon.status.requests == 0)
  }

  @Test("With maxAge 0 only a new heading answers")
  func onlyNew() {
    var daemon = VirtualDaemon()
    daemon.subscribeHeading()
    daemon.advance(by: 1)
    daemon.point(10)
    daemon.advance(by: 0.1)
    let (id, actions) = daemon.call(.getHeading(HeadingRequest(maximumAge: .zero)))
    #expect(actions.answers(to: id).isEmpty)
    daemon.advance(by: 0.1)
    #expect(self.outcome(daemon.point(11), of: id)?.heading?.trueHeading == 11)
  }

  @Test("At its timeout it is answered once, without a heading", arguments: [(30.0, 30.0), (7, 7), (0, 60), (600, 60)])
  func timeout(timeout: Double, ends: Double) {
    var settings = BrokerSettings.open
    settings.maxRequestTime = .seconds(60)
    var daemon = VirtualDaemon(settings: settings)
    let id = daemon.call(.getHeading(HeadingRequest(timeout: .seconds(timeout)))).id
    #expect(daemon.advance(by: ends - 0.1).answers(to: id).isEmpty)
    #expect(daemon.advance(by: 0.1).answers(to: id) == [.heading(HeadingResult())])
    #expect(daemon.point(1).answers(to: id).isEmpty)
  }

  @Test("It is listed beside requests for fixes, and completed and cancelled in the same way")
  func others() {
    var daemon = VirtualDaemon()
    let request = HeadingRequest(maximumAge: .seconds(1), timeout: .seconds(20))
    let first = daemon.call(.getHeading(request)).id
    let fix = daemon.call(.getFix(FixRequest())).id
    let second = daemon.call(.getHeading(request)).id
    daemon.advance(by: 5)
    let (list, listed) = daemon.call(.listRequests())
    let asked: [(CallID, RequestInfo.Asked, Double)] = [
      (first, .heading(request), 15), (fix, .fix(FixRequest(accuracy: .level(.block)).complete), 25),
      (second, .heading(request), 15),
    ]
    #expect(
      listed.answers(to: list) == [
        .requests(
          asked.map {
            OpenCall(call: $0.0, info: RequestInfo(asked: $0.1, elapsed: .seconds(5), remaining: .seconds($0.2)))
          })
      ])
    let (complete, completed) = daemon.call(.completeRequest(first))
    #expect(
      completed.prefix(2) == [
        .answer(first, .heading(HeadingResult())), .answer(complete, .request(.completed)),
      ])
    let (cancel, cancelled) = daemon.call(.cancelRequest(second))
    #expect(cancelled.prefix(2) == [.answer(second, .failed(.cancelled)), .answer(cancel, .request(.cancelled))])
    let (again, unknown) = daemon.call(.cancelRequest(second))
    #expect(unknown == [.answer(again, .request(.unknown))])
    #expect(daemon.status.requests == 1)
    let later = daemon.advance(by: 1) + daemon.point(3)
    #expect(later.answers(to: first).isEmpty && later.answers(to: second).isEmpty)
  }

  @Test("It counts among the client's requests")
  func limit() {
    var settings = BrokerSettings.open
    settings.maxRequestsPerClient = 2
    var daemon = VirtualDaemon(settings: settings)
    daemon.call(.getHeading(HeadingRequest()))
    daemon.call(.getFix(FixRequest()))
    for what in [Call.getHeading(HeadingRequest()), .getFix(FixRequest())] {
      let (id, actions) = daemon.call(what)
      #expect(actions == [.answer(id, .failed(.limitExceeded(name: "max-requests-per-client", value: 2)))])
    }
  }

  @Test("It is answered when the daemon stops")
  func stopping() {
    var daemon = VirtualDaemon()
    let id = daemon.call(.getHeading(HeadingRequest())).id
    daemon.subscribeHeading(maxInterval: 3)
    #expect(daemon.send(.stopping).answers(to: id) == [.failed(.shuttingDown)])
    #expect(daemon.deadline == nil)
  }
}
