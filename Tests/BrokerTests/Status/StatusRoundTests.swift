import Positioning
import ReceiverPorts
import TestSupport
import Testing

@testable import Broker

/// The cost of notifying many status subscribers.
@Suite struct StatusRoundTests {
  private static func daemon(watchers: Int) -> VirtualDaemon {
    var settings = BrokerSettings.open
    settings.maxStatusPerUser = watchers
    settings.maxSubscriptionsPerClient = watchers + 1
    settings.maxSubscriptionsPerUser = watchers + 1
    var daemon = VirtualDaemon(settings: settings)
    for _ in 0..<watchers { daemon.call(.subscribeStatus()) }
    daemon.advance(by: 1)
    return daemon
  }

  @Test("A change is sent to all subscribers, once each, and to few of them in one turn", arguments: [10, 100, 1000])
  func slices(watchers: Int) {
    var daemon = Self.daemon(watchers: watchers)
    daemon.connect(2)
    var notified = daemon.advance(by: 0.3)
    let turns = (daemon.send(.receiver(.gpsdVersion("3.25"))), daemon.advance(by: 0.3))
    notified = turns.0 + turns.1
    #expect(turns.0.statusParts.count <= StatusRounds.slice)
    #expect(notified.statusParts.count == watchers && notified.statusParts.allSatisfy { $0 == [.gpsd] })
    var ids: Set<SubscriptionID> = []
    for case .notify(_, .status(let id, _, _)) in notified { ids.insert(id) }
    #expect(ids.count == watchers)
    #expect(daemon.advance(by: 10).statusParts.isEmpty)
  }

  @Test("Without a change no subscriber is visited")
  func unchanged() {
    var daemon = Self.daemon(watchers: 50)
    daemon.subscribe(SubscriptionParameters(accuracy: .level(.room)))
    daemon.send(.receiver(.gpsdVersion("3.25")))
    daemon.advance(by: 1)
    let revision = daemon.machine.statusReporter.revision
    for _ in 0..<20 {
      daemon.advance(by: 1)
      // Checked now, and not again for a while.
      daemon.send(.receiver(.gpsdVersion("3.25")))
      // The request begins and ends: at the next check all is as before.
      let call = daemon.call(.getFix(FixRequest(accuracy: .level(.room)))).id
      daemon.call(.cancelRequest(call))
    }
    #expect(daemon.machine.statusReporter.revision == revision && daemon.machine.statusReporter.isOver)
  }

  @Test("Changes during a round are sent in the next one, to all")
  func changesMeanwhile() {
    var daemon = Self.daemon(watchers: 40)
    daemon.send(.receiver(.gpsdVersion("3.25")))
    daemon.send(.receiver(.gpsdVersion("3.26")))
    var newest: [SubscriptionID: String?] = [:]
    for case .notify(_, .status(let id, let status, _)) in daemon.advance(by: 1) { newest[id] = status.gpsd.version }
    #expect(newest.count >= 24 && newest.values.allSatisfy { $0 == "3.26" })
    #expect(daemon.machine.statuses.allSatisfy { $0.seen == daemon.machine.statusReporter.revision })
  }

  @Test("The revisions give the changes since a moment, and nothing without a change")
  func revisions() {
    var revisions = StatusRevisions()
    var state = StatusFingerprint(
      receiver: nil, availability: .poweredDown, power: PowerState(state: .unknown, since: at(0)), source: .idle,
      gpsdVersion: nil, reconnects: 0, demands: 0, lastError: nil, clock: nil, clients: 0, requests: 0,
      subscriptions: 0,
      inUse: 0)
    revisions.update(to: state)
    let first = revisions.revision
    revisions.update(to: state)
    #expect(
      revisions.revision == first && revisions.parts(since: first).isEmpty
        && revisions.parts(since: nil) == DaemonStatus.Part.allCases)
    state.demands = 7
    revisions.update(to: state)
    state.clients = 1
    revisions.update(to: state)
    #expect(revisions.parts(since: first) == [.demand, .clients] && revisions.parts(since: first + 1) == [.clients])
  }
}
