import Positioning
import ReceiverPorts
import Testing

@testable import Broker

/// Mistakes of other location libraries with several subscriptions.
@Suite struct SubscriptionLessonTests {
  @Test("A new subscription, a request and one that ends cause no repeated delivery to others")
  func newcomers() {
    var daemon = VirtualDaemon()
    daemon.connect(2)
    for mode in [SubscriptionParameters.Mode.continuous, .passive, .significant] {
      daemon.subscribe(SubscriptionParameters(mode: mode, replay: .any))
    }
    daemon.stream(seconds: 5)
    var actions = daemon.subscribe(SubscriptionParameters(replay: .any), client: 2)
    actions += daemon.call(.getFix(FixRequest()), client: 2).actions
    actions += daemon.call(.subscribeVisits(), client: 2).actions
    actions += daemon.subscribeHeading(client: 2)
    actions += daemon.subscribe(SubscriptionParameters(accuracy: .level(.city), replay: .any))
    #expect(actions.fixes(client: 2).count == 1 && actions.fixes(of: 4).count == 1)
    actions += daemon.call(.cancelSubscription(number: 4)).actions
    actions += daemon.send(.clientDisconnected(ClientID(2)))
    for number in 1...3 { #expect(actions.updates(of: number).isEmpty) }
  }

  @Test("Subscriptions that end with a fix, or are made after it, take it from no other")
  func endingTogether() {
    var daemon = VirtualDaemon()
    daemon.connect(2)
    for client in [1, 2] as [UInt64] {
      for count in [1, 100, 2, 100, 1] { daemon.subscribe(SubscriptionParameters(maxUpdates: count), client: client) }
    }
    let actions = daemon.stream(seconds: 4)
    for client in [1, 2] as [UInt64] {
      #expect((1...5).map { actions.fixes(of: $0, client: client).count } == [1, 4, 2, 4, 1])
      #expect((1...5).map { actions.endings(of: $0, client: client).count } == [1, 0, 1, 0, 1])
    }
  }

  @Test("A subscription that begins after an outage is not notified of it")
  func afterTheOutage() {
    var daemon = VirtualDaemon()
    daemon.connect(2)
    daemon.subscribe(SubscriptionParameters())
    daemon.stream(seconds: 3)
    daemon.sourceFollows = false
    daemon.send(.receiver(.source(.gpsdDown(.closed("EOF")))))
    daemon.advance(by: 30)
    daemon.send(.receiver(.source(.streaming)))
    #expect(daemon.stream(seconds: 3).reasons() == [.restored])
    let actions = daemon.subscribe(SubscriptionParameters(), client: 2) + daemon.stream(seconds: 5)
    #expect(actions.fixes(client: 2).count == 6)
    #expect(actions.updates(client: 2).allSatisfy { $0.availability == .available })
    #expect(actions.reasons(client: 2).allSatisfy { $0 == .available })
    #expect(actions.endings(client: 2).isEmpty)
  }

  @Test("A filter that one subscription has does not apply to another without it")
  func noSentinel() {
    for isReversed in [false, true] {
      var daemon = VirtualDaemon()
      let filters = [
        SubscriptionParameters(), SubscriptionParameters(minDistance: 50), SubscriptionParameters(onlyBetterThan: 3),
        SubscriptionParameters(minInterval: .seconds(10)),
      ]
      for filter in isReversed ? filters.reversed() : filters { daemon.subscribe(filter) }
      let actions = daemon.stream(seconds: 20)
      let counts = (1...4).map { actions.fixes(of: $0).count }
      #expect((isReversed ? counts.reversed() : counts) == [20, 1, 0, 3])
    }
  }

  @Test("Merged demands are computed again when one of them changes, pauses or ends")
  func merging() {
    var daemon = VirtualDaemon()
    let walk = SubscriptionParameters(accuracy: .level(.city), minInterval: .seconds(60), activity: .fitness)
    daemon.subscribe(walk)
    let alone = Demand(accuracy: 5000, interval: .seconds(60), activity: .fitness)
    #expect(daemon.status.demand?.merged == alone)
    let drive = SubscriptionParameters(accuracy: .level(.house), minInterval: .seconds(2), activity: .automotive)
    daemon.subscribe(drive)
    #expect(daemon.status.demand?.merged == Demand(accuracy: 15, interval: .seconds(2), activity: .other))
    var change = SubscriptionChange()
    change.activity = .fitness
    change.accuracy = .level(.block)
    daemon.call(.updateSubscription(number: 2, change))
    #expect(daemon.status.demand?.merged == Demand(accuracy: 100, interval: .seconds(2), activity: .fitness))
    daemon.call(.commandSubscription(number: 2, .pause))
    #expect(daemon.status.demand?.merged == alone)
    daemon.call(.commandSubscription(number: 2, .resume))
    #expect(daemon.status.demand?.merged != alone)
    daemon.call(.cancelSubscription(number: 2))
    #expect(daemon.status.demand?.merged == alone)
    daemon.call(.cancelSubscription(number: 1))
    #expect(daemon.status.demand?.merged == nil)
  }
}
