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

  @Test("A board returns the changes since a moment, and nothing without a change")
  func board() {
    var board = StatusBoard()
    var state = StatusFingerprint(
      receiver: nil, availability: .poweredDown, power: PowerState(state: .unknown, since: at(0)), source: .idle,
      gpsdVersion: nil, reconnects: 0, demands: 0, lastError: nil, clients: 0, requests: 0, subscriptions: 0, inUse: 0)
    board.update(to: state)
    let first = board.revision
    board.update(to: state)
    #expect(
      board.revision == first && board.parts(since: first).isEmpty
        && board.parts(since: nil) == DaemonStatus.Part.allCases)
    state.demands = 7
    board.update(to: state)
    state.clients = 1
    board.update(to: state)
    #expect(board.parts(since: first) == [.demand, .clients] && board.parts(since: first + 1) == [.clients])
  }
}

/// The demands on the receiver, updated as they change.
@Suite struct DemandLedgerTests {
  @Test("It agrees with merging all demands again each time", arguments: 1...20 as ClosedRange<UInt64>)
  func naive(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    var ledger = DemandLedger<Int>()
    var naive: [(key: Int, entry: DemandLedger<Int>.Entry)] = []
    let empty = ledger.fingerprint
    for _ in 0..<300 {
      let key = Int.random(in: 0..<30, using: &random)
      let entry = DemandLedger<Int>.Entry(
        holder: .client(ClientID(1)), user: UInt32.random(in: 1...3, using: &random), what: "position.get",
        demand: Demand(
          accuracy: Double(Int.random(in: 1...5, using: &random)),
          interval: .seconds(Int.random(in: 1...5, using: &random)),
          activity: random.oneIn(4) ? .fitness : .automotive))
      let place = naive.firstIndex { $0.key == key }
      if random.oneIn(2) {
        ledger.set(nil, for: key)
        if let place { naive.remove(at: place) }
      } else {
        ledger.set(entry, for: key)
        if let place { naive[place].entry = entry } else { naive.append((key, entry)) }
      }
      #expect(ledger.merged == Demand.merged(naive.map(\.entry.demand)), "seed \(seed)")
      #expect(ledger.count == naive.count)
      for user in [1, 2, nil] as [UInt32?] {
        var seen = 0
        ledger.visit(user) { _ in
          seen += 1
          return false
        }
        #expect(seen == naive.count { user == nil || $0.entry.user == user }, "seed \(seed)")
      }
      var other = DemandLedger<Int>()
      for (key, entry) in naive.reversed() { other.set(entry, for: key + 100) }
      #expect(other.fingerprint == ledger.fingerprint, "seed \(seed)")
    }
    for (key, _) in naive { ledger.set(nil, for: key) }
    #expect(ledger.merged == nil && ledger.fingerprint == empty)
  }

  @Test("A subscriber that has the newest status is sent nothing")
  func enough() {
    var ledger = DemandLedger<Int>()
    for key in 0..<1000 {
      ledger.set(
        DemandLedger.Entry(
          holder: .client(ClientID(1)), user: 1, what: "",
          demand: Demand(accuracy: 1, interval: .zero, activity: .other)),
        for: key)
    }
    for user in [1, nil] as [UInt32?] {
      var seen = 0
      ledger.visit(user) { _ in
        seen += 1
        return seen == 64
      }
      #expect(seen == 64)
    }
  }
}
