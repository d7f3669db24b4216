import Positioning
import ReceiverPorts
import Testing

@testable import Broker

/// The availability, which distinguishes silence from a bad fix.
@Suite struct AvailabilityTests {
  @Test(
    "Of several states, the last in the documented order is reported",
    arguments: [
      (.streaming, true, false, 1, .available), (.streaming, false, false, nil, .searching),
      (.opening, false, false, nil, .searching), (.streaming, true, false, 20, .stale),
      (.streaming, false, false, 20, .stale), (.streaming, false, true, 1, .lost), (.streaming, false, true, 20, .lost),
      (.receiverMissing(.noDevice), false, true, 20, .receiverMissing), (.gpsdFull, false, true, 20, .gpsdFull),
      (.gpsdDown(.mute), false, true, 20, .gpsdDown),
    ] as [(SourceState, Bool, Bool, Double?, Availability)])
  func order(source: SourceState, hasFix: Bool, isLost: Bool, age: Double?, availability: Availability) {
    let facts = AvailabilityFacts(
      isReceiverOn: true, source: source, hasFix: hasFix, isLost: isLost, newestFix: age.map { at(100 - $0) })
    #expect(facts.availability(maximumAge: .seconds(10), now: at(100)) == availability)
  }

  @Test("A receiver that nobody needs is powered down, whatever its state was before", arguments: [true, false])
  func poweredDown(isLost: Bool) {
    let facts = AvailabilityFacts(
      isReceiverOn: false, source: .idle, hasFix: !isLost, isLost: isLost, newestFix: at(99))
    #expect(facts.availability(maximumAge: .seconds(10), now: at(100)) == .poweredDown)
  }

  @Test("The changes of a subscription are delivered in order, each once")
  func life() {
    var daemon = VirtualDaemon()
    daemon.sourceFollows = false
    daemon.subscribe(SubscriptionParameters(mode: .passive))
    var updates = daemon.call(.getFix(FixRequest(accuracy: .meters(0.001), timeout: .seconds(60)))).actions.updates()
    updates += daemon.send(.receiver(.source(.opening))).updates()
    updates += daemon.send(.receiver(.source(.streaming))).updates()
    updates += daemon.stream(seconds: 2).updates().filter { $0.reason != nil }
    updates += daemon.advance(by: 9).updates()
    updates += daemon.send(.receiver(.source(.receiverMissing(.unplugged("a"))))).updates()
    updates += daemon.send(.receiver(.source(.gpsdDown(.closed("EOF"))))).updates()
    updates += daemon.advance(by: 120).updates()
    #expect(
      updates.map(\.availability) == [.searching, .available, .lost, .receiverMissing, .gpsdDown, .poweredDown])
    #expect(
      updates.map(\.state) == [.acquiring, .delivering, .acquiring, .acquiring, .acquiring, .waiting])
  }

  @Test("The last fix is returned at any age, and turns nothing on")
  func lastFix() throws {
    var daemon = VirtualDaemon()
    daemon.call(.getFix(FixRequest()))
    daemon.fix()
    daemon.advance(by: 700)
    let (id, actions) = daemon.call(.lastFix())
    guard case .lastFix(let last) = try #require(actions.answers(to: id).first) else {
      Issue.record("not answered with the last fix")
      return
    }
    #expect(last.fix?.arrival == at(1000))
    #expect(last.achievedAccuracy == nil)
    #expect(last.availability == .poweredDown)
    #expect(actions.receiverOrders.isEmpty)
  }

  @Test("A receiver that is turned on again has no fix until it reports one")
  func turnedOnAgain() {
    var daemon = VirtualDaemon()
    daemon.call(.getFix(FixRequest()))
    daemon.fix()
    daemon.advance(by: 3600)
    #expect(daemon.status.receiver.availability == .poweredDown)
    daemon.subscribe(SubscriptionParameters())
    #expect(daemon.status.receiver.availability == .searching)
    daemon.advance(by: 60)
    #expect(daemon.status.receiver.availability == .searching)
    daemon.fix()
    #expect(daemon.status.receiver.availability == .available)
  }
}
