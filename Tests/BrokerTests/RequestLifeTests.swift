import Positioning
import TestSupport
import Testing

@testable import Broker

/// Other ends of requests than by a fix, and their owners.
@Suite struct RequestLifeTests {
  @Test("Completing a request answers it like its timeout, before the answer to the completion")
  func complete() throws {
    var daemon = VirtualDaemon()
    let call = daemon.call(.getFix(FixRequest(accuracy: .level(.room), maximumAge: .seconds(60)))).id
    daemon.stream(seconds: 3, accuracy: 80)
    let (complete, actions) = daemon.call(.completeRequest(call))
    let outcome = try #require(actions.outcome(of: call))
    #expect(outcome.status == .timedOut)
    #expect(outcome.fix?.horizontalAccuracy == 80)
    #expect(actions.answers(to: complete) == [.request(.completed)])
    #expect(daemon.advance(by: 60).answers(to: call).isEmpty)
  }

  @Test("Completing a request with an acceptable fix succeeds")
  func completeAcceptable() {
    var daemon = VirtualDaemon()
    let request = FixRequest(accuracy: .level(.room), acceptableAccuracy: .level(.block), maximumAge: .seconds(60))
    let call = daemon.call(.getFix(request)).id
    daemon.stream(seconds: 3, accuracy: 80)
    #expect(daemon.call(.completeRequest(call)).actions.outcome(of: call)?.status == .success)
  }

  @Test("Cancelling a request ends it with that error, and nothing more is sent for it")
  func cancel() {
    var daemon = VirtualDaemon()
    let call = daemon.call(.getFix(FixRequest())).id
    let (cancel, actions) = daemon.call(.cancelRequest(call))
    #expect(actions.answers(to: call) == [.failed(.cancelled)])
    #expect(actions.answers(to: cancel) == [.request(.cancelled)])
    var later = daemon.stream(seconds: 5)
    later += daemon.advance(by: 60)
    #expect(later.answers(to: call).isEmpty)
    #expect(!daemon.isReceiverOn)
  }

  @Test("An unknown or answered request is reported as unknown, without other effects")
  func unknown() {
    var daemon = VirtualDaemon()
    let answered = daemon.call(.getFix(FixRequest())).id
    daemon.advance(by: 1)
    daemon.fix()
    for target in [answered, CallID(client: ClientID(1), serial: 999)] {
      for call in [Call.completeRequest(target), .cancelRequest(target)] {
        let (id, actions) = daemon.call(call)
        #expect(actions == [.answer(id, .request(.unknown))])
      }
    }
  }

  @Test("Another client's request cannot be seen, completed or cancelled")
  func foreign() {
    var daemon = VirtualDaemon()
    daemon.connect(2)
    let call = daemon.call(.getFix(FixRequest())).id
    for what in [Call.completeRequest(call), .cancelRequest(call)] {
      let (id, actions) = daemon.call(what, client: 2)
      #expect(actions == [.answer(id, .request(.unknown))])
    }
    let (list, actions) = daemon.call(.listRequests(), client: 2)
    #expect(actions == [.answer(list, .requests([]))])
    daemon.advance(by: 1)
    #expect(daemon.fix().outcome(of: call)?.isSatisfied == true)
  }

  @Test("The list has a client's own pending requests, and their waiting times")
  func list() {
    var daemon = VirtualDaemon()
    let request = FixRequest(accuracy: .level(.block), timeout: .seconds(20))
    let call = daemon.call(.getFix(FixRequest(timeout: .seconds(20)))).id
    daemon.advance(by: 5)
    let (list, actions) = daemon.call(.listRequests())
    let info = OpenCall(
      call: call,
      info: RequestInfo(asked: .fix(request.complete), elapsed: .seconds(5), remaining: .seconds(15)))
    #expect(actions.answers(to: list) == [.requests([info])])
  }

  @Test("A client that leaves ends its needs in the same turn")
  func disconnect() {
    var settings = BrokerSettings.open
    settings.power.linger = .zero
    var daemon = VirtualDaemon(settings: settings)
    daemon.call(.getFix(FixRequest()))
    daemon.subscribe(SubscriptionParameters(maxInterval: .seconds(10), duration: .seconds(50)))
    daemon.call(.subscribeSky(minInterval: .seconds(1)))
    #expect(daemon.isReceiverOn)
    let actions = daemon.send(.clientDisconnected(ClientID(1)))
    #expect(actions.receiverOrders == [false])
    #expect(daemon.deadline == nil)
    #expect(daemon.status.requests == 0)
    #expect(daemon.status.subscriptions == 0)
    let later = daemon.advance(by: 1000)
    #expect(later.isEmpty)
  }

  @Test("A client that leaves changes nothing for another")
  func disconnectOther() {
    var daemon = VirtualDaemon()
    daemon.connect(2)
    let call = daemon.call(.getFix(FixRequest())).id
    daemon.call(.getFix(FixRequest()), client: 2)
    daemon.send(.clientDisconnected(ClientID(2)))
    daemon.advance(by: 1)
    let actions = daemon.fix()
    #expect(actions.outcome(of: call)?.isSatisfied == true)
    #expect(!actions.contains { if case .answer(let id, _) = $0 { id.client == ClientID(2) } else { false } })
  }

  @Test("A call that arrives after its client left has no effect")
  func afterDisconnect() {
    var daemon = VirtualDaemon()
    daemon.send(.clientDisconnected(ClientID(1)))
    #expect(daemon.call(.getFix(FixRequest())).actions.isEmpty)
    #expect(daemon.subscribe(SubscriptionParameters()).isEmpty)
    #expect(!daemon.isReceiverOn)
  }

  @Test("The 257th pending request is refused, another client's is not, and one that ends makes room")
  func limit() {
    var daemon = VirtualDaemon()
    daemon.connect(2)
    let calls = (0..<256).map { _ in daemon.call(.getFix(FixRequest(accuracy: .meters(1)))) }
    #expect(calls.allSatisfy { call in call.actions.answers(to: call.id).isEmpty })
    let (id, actions) = daemon.call(.getFix(FixRequest(accuracy: .meters(1))))
    #expect(actions.answers(to: id) == [.failed(.limitExceeded(name: "max-requests-per-client", value: 256))])
    let other = daemon.call(.getFix(FixRequest(accuracy: .meters(1))), client: 2)
    #expect(other.actions.answers(to: other.id).isEmpty)
    daemon.call(.cancelRequest(calls[0].id))
    let again = daemon.call(.getFix(FixRequest(accuracy: .meters(1))))
    #expect(again.actions.answers(to: again.id).isEmpty)
  }

  @Test("The 257th subscription is refused, of whatever kind, and a cancelled one makes room")
  func subscriptionLimit() {
    var daemon = VirtualDaemon()
    for _ in 0..<256 { daemon.subscribe(SubscriptionParameters(mode: .passive)) }
    for call in [
      Call.subscribe(SubscriptionParameters()), .subscribeSky(minInterval: .zero), .subscribeStatus(),
      .subscribeHeading(HeadingParameters()),
    ] {
      let (id, actions) = daemon.call(call)
      #expect(actions == [.answer(id, .failed(.limitExceeded(name: "max-subscriptions-per-client", value: 256)))])
    }
    #expect(!daemon.isReceiverOn)
    daemon.call(.cancelSubscription(number: 3))
    let (id, actions) = daemon.call(.subscribe(SubscriptionParameters()))
    #expect(actions.answers(to: id).count == 1)
    #expect(actions.updates(of: 3).isEmpty)
    #expect(daemon.isReceiverOn)
  }

  @Test("Stopping answers all pending calls, releases the receiver, and leaves no timer")
  func stopping() {
    var daemon = VirtualDaemon()
    daemon.connect(2)
    let calls = (1...2).map { daemon.call(.getFix(FixRequest()), client: $0).id }
    daemon.subscribe(SubscriptionParameters(maxInterval: .seconds(5)))
    let actions = daemon.send(.stopping)
    for call in calls { #expect(actions.answers(to: call) == [.failed(.shuttingDown)]) }
    #expect(actions.receiverOrders == [false])
    #expect(daemon.deadline == nil)
    #expect(daemon.advance(by: 1000).isEmpty)
  }

  @Test("While the daemon stops, calls are answered with that error, and turn nothing on")
  func afterStopping() {
    var daemon = VirtualDaemon()
    daemon.send(.stopping)
    for call in [
      Call.getFix(FixRequest()), .subscribe(SubscriptionParameters()), .subscribeSky(minInterval: .zero),
      .getHeading(HeadingRequest()), .subscribeHeading(HeadingParameters()),
    ] {
      let (id, actions) = daemon.call(call)
      #expect(actions == [.answer(id, .failed(.shuttingDown))])
    }
    #expect(!daemon.isReceiverOn)
  }
}
