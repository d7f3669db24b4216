import Positioning
import TestSupport
import Testing

@testable import Broker

/// Clients with a rate limit or reduced precision.
@Suite struct ViewTests {
  private func rated(_ seconds: Double) -> VirtualDaemon {
    var settings = BrokerSettings.open
    settings.access.rules = [.granting(.always, user: "user1001", minInterval: seconds)]
    return VirtualDaemon(settings: settings)
  }

  @Test("A rate applies to all connections of a user's clients together")
  func rate() {
    var daemon = self.rated(10)
    daemon.connect(2)
    daemon.connect(3, uid: 1001)
    for client: UInt64 in 1...3 { daemon.subscribe(SubscriptionParameters(minInterval: .zero), client: client) }
    var received: [UInt64: Set<Instant>] = [:]
    for second in 0..<100 {
      daemon.advance(by: 1)
      let actions = daemon.fix()
      for client: UInt64 in 1...3 {
        for fix in actions.fixes(client: client) { received[client, default: []].insert(fix.arrival) }
      }
      // A client that reconnects and requests again and again learns no more.
      let poll = 100 + UInt64(second)
      daemon.connect(poll, uid: 1001)
      if case .lastFix(let last)? = daemon.answer(.lastFix(), client: poll), let fix = last.fix {
        received[4, default: []].insert(fix.arrival)
      }
      daemon.send(.clientDisconnected(ClientID(poll)))
    }
    #expect(received[1]?.count == 10)
    #expect(received[2]?.count == 100)
    #expect(received[3] == received[1] && received[4] == received[1])
  }

  @Test("A client with a rate does not keep the receiver on between its fixes")
  func sleep() {
    var daemon = self.rated(3600)
    daemon.subscribe(SubscriptionParameters())
    #expect(daemon.isReceiverOn)
    daemon.stream(seconds: 3)
    #expect(daemon.advance(by: 90).receiverOrders == [false])
    #expect(daemon.advance(by: 3400).receiverOrders.isEmpty)
    #expect(daemon.advance(by: 120).receiverOrders == [true])
    daemon.advance(by: 5)
    #expect(daemon.fix().fixes().count == 1)
  }

  @Test("When no client waits for the next fix of a rate, no timer is armed for it")
  func nobodyWaits() {
    var daemon = self.rated(3600)
    daemon.subscribe(SubscriptionParameters())
    daemon.stream(seconds: 3)
    daemon.advance(by: 90)
    #expect(daemon.deadline != nil && !daemon.isReceiverOn)
    daemon.send(.clientDisconnected(ClientID(1)))
    #expect(daemon.deadline == nil)
  }

  @Test("A reduced client receives a point of the grid, and nothing else of a fix")
  func reduced() throws {
    var daemon = VirtualDaemon.granting(.always, .reduced)
    #expect(daemon.subscribe(SubscriptionParameters()).updates().isEmpty)
    daemon.advance(by: 1)
    let fix = try #require(daemon.fix(accuracy: 4, latitude: 50.001, longitude: 8.001, speed: 30).fixes().first)
    #expect(fix.isReduced && fix.horizontalAccuracy == LocationFuzzer.accuracy)
    #expect(fix.latitude != 50.001 && fix.longitude != 8.001)
    #expect(fix.speed == nil && fix.course == nil && fix.altitude == nil && fix.device == nil)
    #expect(daemon.stream(seconds: 500).fixes().isEmpty)
    #expect(daemon.stream(seconds: 200).fixes().count == 1)
  }

  @Test("A request that a reduced position cannot satisfy is denied at once, and the default can be satisfied")
  func limits() throws {
    var daemon = VirtualDaemon.granting(.always, .reduced)
    let small = Region(id: "a", shape: .circle(center: Coordinate(latitude: 50, longitude: 8), radius: 3999))
    let refused: [Call] = [
      .getFix(FixRequest(accuracy: .level(.block))), .getFix(FixRequest(accuracy: .meters(1999))), .sky(),
      .subscribeSky(minInterval: .zero), .getHeading(HeadingRequest()), .subscribeHeading(HeadingParameters()),
      .subscribeVisits(), .addRegion(small),
    ]
    for call in refused { daemon.answer(call).expect(.accuracyLimited) }
    let call = daemon.call(.getFix(FixRequest())).id
    daemon.advance(by: 1)
    let outcome = try #require(daemon.fix().outcome(of: call))
    #expect(outcome.isSatisfied && outcome.achievedAccuracy == .city && outcome.fix?.isReduced == true)
    #expect(
      outcome.diagnostics
        == Diagnostics(
          availability: .accuracyLimited, lastFixAge: .zero, power: outcome.diagnostics.power))
    let status = try daemon.answer(.status()).status()
    #expect(status.lastFix == nil)
  }

  @Test("A waiting request whose client gets reduced precision is answered like a new one, from the cached fix")
  func moved() throws {
    var settings = BrokerSettings()
    settings.access.rules = [.granting(.always, user: "user1001"), .granting(.always, .reduced, user: "user1002")]
    var daemon = VirtualDaemon(settings: settings)
    daemon.connect(2)
    daemon.subscribe(SubscriptionParameters(), client: 2)
    let before = daemon.call(.getFix(FixRequest(timeout: .seconds(300)))).id
    daemon.stream(seconds: 60, accuracy: 150)
    let after = daemon.call(.getFix(FixRequest(timeout: .seconds(300)))).id
    daemon.stream(seconds: 60, accuracy: 150)
    let actions = daemon.change { $0.rules[0].precision = .reduced }
    let new = daemon.call(.getFix(FixRequest(timeout: .seconds(300))))
    let expected = try #require(new.actions.outcome(of: new.id))
    #expect(expected.isSatisfied && expected.fix?.isReduced == true)
    for call in [before, after] {
      let outcome = try #require(actions.outcome(of: call))
      #expect(outcome.isSatisfied && outcome.fix == expected.fix && outcome.status == .success)
    }
    // The fix came after the first request and before the second.
    #expect(actions.outcome(of: before)?.isFromCache == false && actions.outcome(of: after)?.isFromCache == true)
  }

  @Test("A waiting request whose client gets a rate keeps the feed's newest fix as a candidate")
  func movedToRate() throws {
    var daemon = VirtualDaemon.granting(.always)
    let request = FixRequest(
      accuracy: .level(.room), acceptableAccuracy: .level(.block), maximumAge: .seconds(60), timeout: .seconds(30))
    let call = daemon.call(.getFix(request)).id
    daemon.stream(seconds: 5, accuracy: 40)
    #expect(daemon.change { $0.rules[0].minInterval = .seconds(3600) }.outcome(of: call) == nil)
    let outcome = try #require(daemon.stream(seconds: 30, accuracy: 40).outcome(of: call))
    #expect(outcome.status == .success && outcome.fix?.arrival == at(1005))
  }

  @Test("The point is the same over connections, users and restarts")
  func equal() throws {
    var settings = BrokerSettings()
    settings.access.fallback = .reduced
    var daemon = VirtualDaemon(settings: settings)
    daemon.subscribe(SubscriptionParameters())
    daemon.advance(by: 1)
    let first = try #require(daemon.fix().fixes().first)
    for client: UInt64 in 2...12 {
      daemon.advance(by: 10)
      daemon.fix(latitude: 50 + Double(client))
      daemon.connect(client)
      let last = try daemon.answer(.lastFix(), client: client).lastFix()
      #expect(last.fix == first)
    }
    daemon.restart()
    daemon.subscribe(SubscriptionParameters(replay: .any))
    let last = try daemon.answer(.lastFix()).lastFix()
    #expect(last.fix == first)
  }

  @Test("Regions of a reduced client are decided by the reduced position alone")
  func regions() {
    var daemon = VirtualDaemon.granting(.always, .reduced)
    let region = Region(
      id: "a", shape: .circle(center: Coordinate(latitude: 50, longitude: 8), radius: 10_000), initial: .always)
    daemon.call(.addRegion(region))
    daemon.advance(by: 1)
    let events = daemon.stream(seconds: 700).regionEvents
    #expect(events.count == 1)
    #expect(events.allSatisfy { $0.isReduced && $0.fix?.isReduced == true })
  }

  @Test("After a change to reduced no baseline, cached fix or batch from before is used")
  func reduction() throws {
    var daemon = VirtualDaemon.granting(.always)
    daemon.subscribe(SubscriptionParameters(mode: .significant))
    daemon.subscribe(SubscriptionParameters(mode: .deferred, deferredTimeout: .seconds(30)))
    let waiting = daemon.call(.getFix(FixRequest(accuracy: .level(.room), acceptableAccuracy: .level(.room)))).id
    daemon.stream(seconds: 5, accuracy: 8)
    let home = Region(id: "home", shape: .circle(center: Coordinate(latitude: 50, longitude: 8), radius: 200))
    daemon.call(.addRegion(home))
    let actions = daemon.change { $0.rules[0].precision = .reduced }
    #expect(actions.authorizations() == [.always])
    actions.answers(to: waiting).first.expect(.accuracyLimited)
    #expect(actions.updates(of: 2).flatMap(\.fixes) == [])
    let listed = try daemon.answer(.listRegions()).regions().page
    #expect(listed.map(\.state) == [.unknown])
    let after = actions + daemon.stream(seconds: 700)
    #expect(after.fixes().filter { !$0.isReduced } == [])
    #expect(after.updates(of: 2).flatMap(\.fixes).filter { !$0.isReduced } == [])
    #expect(!after.fixes().isEmpty && !after.updates(of: 2).flatMap(\.fixes).isEmpty)
  }

  @Test("The in-use state lasts from the first position to a while after the last, and its log has no positions")
  func inUse() {
    var daemon = VirtualDaemon(settings: .open)
    daemon.subscribe(SubscriptionParameters())
    daemon.advance(by: 1)
    let first = daemon.fix()
    #expect(first.inUse.map { $0.map(\.uid) } == [[1001]])
    #expect(first.logged == ["user user1001 is being given the position"])
    #expect(daemon.stream(seconds: 60).inUse.isEmpty)
    daemon.call(.cancelSubscription(number: 1))
    #expect(daemon.advance(by: 9).inUse.isEmpty)
    let last = daemon.advance(by: 1)
    #expect(last.inUse == [[]])
    #expect(last.logged == [])
    let revealing = (first + last).logged.filter { $0.contains("50") }
    #expect(revealing.isEmpty)
  }

  @Test("The status lists up to 64 users in use")
  func manyInUse() {
    var daemon = VirtualDaemon(settings: .open)
    for client in 1...70 as ClosedRange<UInt64> {
      if client > 1 { daemon.connect(client) }
      daemon.subscribe(SubscriptionParameters(), client: client)
    }
    daemon.advance(by: 1)
    daemon.fix()
    #expect(daemon.status.inUse.count == 64)
  }
}

extension [Action] {
  fileprivate var inUse: [[DaemonStatus.InUse]] {
    self.compactMap { if case .inUse(let inUse) = $0 { inUse } else { nil } }
  }

  fileprivate var logged: [String] {
    self.compactMap { action in
      if case .log(_, let message) = action, message.text.contains("position") { message.text } else { nil }
    }
  }
}
