import Positioning
import TestSupport
import Testing

@testable import Broker

/// The effects of a changed authorization on clients' requests.
@Suite struct WithdrawalTests {
  private static func deny(_ policy: inout AccessPolicy) { policy.rules[0].grant = .deny }
  private static func allow(_ policy: inout AccessPolicy) { policy.rules[0].grant = .always }
  private static func reduce(_ policy: inout AccessPolicy) { policy.rules[0].precision = .reduced }

  @Test("The change is sent before its consequences, and the server's limit is set before that")
  func order() throws {
    var daemon = VirtualDaemon.granting(.always)
    daemon.subscribe(SubscriptionParameters())
    daemon.call(.getFix(FixRequest()))
    let actions = daemon.change(Self.deny)
    let relevant = actions.compactMap { action -> String? in
      switch action {
      case .clear(_, let limit): limit.precision == nil ? "clear" : nil
      case .notify(_, .authorization(let new, let old)): "\(old.state) to \(new.state)"
      case .notify(_, .position(_, let update)): "\(update.state)"
      case .answer(_, .failed(.restricted(_, let rule, _))): "answer \(rule ?? "")"
      default: nil
      }
    }
    #expect(relevant == ["clear", "always to restricted", "answer user1001s", "suspended"])
  }

  @Test("A subscription is notified of a change in precision before it gets anything else, also while it is paused")
  func reduction() {
    var daemon = VirtualDaemon.granting(.always)
    for _ in 0..<2 { daemon.subscribe(SubscriptionParameters()) }
    daemon.call(.commandSubscription(number: 2, .pause))
    daemon.stream(seconds: 3)
    let reduced = daemon.change(Self.reduce)
    #expect(reduced.updates(of: 1).first?.reason == .changed)
    #expect(reduced.updates(of: 1).first?.availability == .accuracyLimited)
    #expect(reduced.updates(of: 2).map(\.reason) == [.changed])
    #expect(reduced.fixes(of: 1).map(\.isReduced) == [true] && daemon.stream(seconds: 3).fixes().isEmpty)
    let precise = daemon.change { $0.rules[0].precision = .precise }
    #expect(precise.updates(of: 1).first?.availability == .available)
    #expect(precise.updates(of: 2).map(\.state) == [.paused])
    // Only how often it gets a fix changes.
    #expect(daemon.change { $0.rules[0].minInterval = .seconds(5) }.reasons().isEmpty)
  }

  @Test("A suspended subscription does not need the receiver, and resumes by itself")
  func suspended() throws {
    var daemon = VirtualDaemon.granting(.always)
    daemon.subscribe(SubscriptionParameters())
    #expect(daemon.stream(seconds: 3).fixes().count == 3)
    daemon.change(Self.deny)
    #expect(daemon.stream(seconds: 3).updates().isEmpty)
    #expect(daemon.advance(by: 60).receiverOrders == [false])
    let infos = try daemon.answer(.listSubscriptions()).subscriptions()
    #expect(infos.map(\.state) == [.suspended])
    #expect(infos.map(\.availability) == [.denied])
    let resumed = daemon.change(Self.allow)
    #expect(resumed.reasons().first == .resumed)
    #expect(resumed.receiverOrders == [true])
    #expect(daemon.stream(seconds: 3).fixes().count == 3)
  }

  @Test("A paused subscription stays paused, and one that is cancelled while suspended is gone")
  func commands() {
    var daemon = VirtualDaemon.granting(.always)
    daemon.subscribe(SubscriptionParameters())
    daemon.subscribe(SubscriptionParameters())
    daemon.call(.commandSubscription(number: 1, .pause))
    daemon.change(Self.deny)
    daemon.call(.cancelSubscription(number: 2))
    daemon.answer(.commandSubscription(number: 1, .acquire)).expect(.restricted)
    daemon.change(Self.allow)
    #expect(daemon.stream(seconds: 3).updates().isEmpty)
    daemon.call(.commandSubscription(number: 1, .resume))
    #expect(daemon.stream(seconds: 3).fixes().count == 3)
  }

  @Test("A suspended subscription ends at its time")
  func expiry() {
    var daemon = VirtualDaemon.granting(.always)
    daemon.subscribe(SubscriptionParameters(duration: .seconds(100)))
    daemon.change(Self.deny)
    #expect(daemon.advance(by: 101).endings() == [.expired])
  }

  @Test("A batch that was being collected is never delivered")
  func batch() {
    var daemon = VirtualDaemon.granting(.always)
    daemon.subscribe(SubscriptionParameters(mode: .deferred, deferredTimeout: .seconds(100)))
    daemon.stream(seconds: 10)
    #expect(daemon.change(Self.deny).updates().flatMap(\.fixes) == [])
    #expect(daemon.call(.commandSubscription(number: 1, .flush)).actions.updates().isEmpty)
    daemon.change(Self.allow)
    daemon.stream(seconds: 3)
    let flushed = daemon.call(.commandSubscription(number: 1, .flush)).actions.updates()
    #expect(flushed.map(\.fixes.count) == [3])
  }

  @Test("Requests end with the reason, and a heading request too")
  func headings() throws {
    var daemon = VirtualDaemon.granting(.always)
    let waiting = daemon.call(.getHeading(HeadingRequest())).id
    daemon.call(.subscribeSky(minInterval: .zero))
    daemon.call(.subscribeVisits())
    let actions = daemon.change(Self.reduce)
    actions.answers(to: waiting).first.expect(.accuracyLimited)
    #expect(daemon.fix().skies.isEmpty)
    let infos = try daemon.answer(.listSubscriptions()).subscriptions()
    #expect(infos.map(\.state) == [.suspended, .suspended])
    #expect(daemon.advance(by: 60).receiverOrders == [false])
  }

  @Test("Regions send no events and have an unknown state, and are decided again afterwards")
  func regions() throws {
    var daemon = VirtualDaemon.granting(.always)
    let home = Region(id: "home", shape: .circle(center: Coordinate(latitude: 50, longitude: 8), radius: 200))
    daemon.call(.addRegion(home))
    daemon.stream(seconds: 3)
    #expect(daemon.answer(.regionState(id: "home")) == .region(.inside, warning: nil))
    daemon.change(Self.deny)
    let listed = try daemon.answer(.listRegions()).regions().page
    #expect(listed.map(\.state) == [.unknown])
    for _ in 0..<30 {
      daemon.advance(by: 1)
      #expect(daemon.fix(latitude: 51).regionEvents.isEmpty)
    }
    daemon.change(Self.allow)
    daemon.advance(by: 1)
    #expect(daemon.fix(latitude: 51).regionEvents.isEmpty)
    #expect(daemon.answer(.regionState(id: "home")) == .region(.outside, warning: nil))
  }

  @Test("Waiting events are removed with the permission, and not delivered after a new one, nor after a restart")
  func inbox() throws {
    var daemon = VirtualDaemon.granting(.always)
    let durable = DurableRequest(name: "log")
    daemon.call(
      .subscribe(SubscriptionParameters(mode: .deferred, deferredTimeout: .seconds(5)), durable: durable))
    daemon.stream(seconds: 20)
    let before = try daemon.answer(.listDurables()).durables()
    #expect(before.map(\.waiting) != [0])
    daemon.change(Self.deny)
    let after = try daemon.answer(.listDurables()).durables()
    #expect(after.map(\.waiting) == [0])
    daemon.answer(.attachDurable(name: "log")).expect(.restricted)
    daemon.change(Self.allow)
    let (call, actions) = daemon.call(.attachDurable(name: "log"))
    #expect(actions.answers(to: call).count == 1)
    #expect(actions.durableEvents().isEmpty)
    daemon.stream(seconds: 20)
    daemon.send(.clientDisconnected(ClientID(1)))
    daemon.stream(seconds: 20)
    daemon.restart()
    #expect(daemon.call(.attachDurable(name: "log")).actions.durableEvents().isEmpty == false)
  }

  @Test("A client with whileConnected only is detached from durable names, which lose no event by that")
  func detached() {
    var settings = BrokerSettings()
    settings.access.rules = [.granting(.always, user: "user1001")]
    settings.access.rules[0].unit = "tracker.service"
    settings.access.rules.append(.granting(.always, user: "user1001"))
    var daemon = VirtualDaemon(settings: settings)
    let tracker = Principal(uid: 1001, gid: 100, pid: 2, user: "user1001", unit: .named("tracker.service"))
    daemon.send(.clientConnected(ClientID(2), tracker))
    daemon.call(
      .subscribe(
        SubscriptionParameters(mode: .deferred, deferredTimeout: .seconds(5)), durable: DurableRequest(name: "log")),
      client: 2)
    daemon.call(.attachDurable(name: "log"), client: 2)
    #expect(daemon.stream(seconds: 6).durableEvents(client: 2).count == 1)
    daemon.change { $0.rules[0].grant = .whenInUse }
    #expect(daemon.stream(seconds: 6).durableEvents(client: 2).isEmpty)
    daemon.change { $0.rules[0].grant = .always }
    #expect(daemon.call(.attachDurable(name: "log"), client: 2).actions.durableEvents(client: 2).count >= 2)
  }

  @Test("A permission that was removed while the daemon was not running removes the inbox")
  func whileDown() throws {
    var daemon = VirtualDaemon.granting(.always)
    let home = Region(
      id: "home", shape: .circle(center: Coordinate(latitude: 50, longitude: 8), radius: 200), initial: .always)
    daemon.call(.addRegion(home, durable: DurableRequest(name: "log")))
    daemon.stream(seconds: 20)
    daemon.change(Self.deny)
    daemon.change(Self.allow)
    daemon.stream(seconds: 20)
    daemon.restart(changing: Self.reduce)
    let infos = try daemon.answer(.listDurables()).durables()
    #expect(infos.map(\.waiting) == [0])
    #expect(infos.flatMap(\.regions).map(\.state) == [.unknown])
  }

  @Test("The states of thousands of regions are removed by one change of the store, and their ends stay")
  func manyRegions() {
    var daemon = VirtualDaemon.granting(.always)
    for number in 0..<400 {
      let region = circle("\(number)") { $0.expiresIn = .seconds(5000) }
      daemon.call(.addRegion(region, durable: DurableRequest(name: "log")))
    }
    daemon.fix()
    daemon.advance(by: 1)
    let before = daemon.storeChanges.count
    let known = daemon.store.names.values.flatMap { $0.regions.map(\.snapshot) }
    #expect(known.count == 400 && known.allSatisfy { $0.state == .inside && $0.expiry != nil })
    daemon.change(Self.deny)
    #expect(daemon.storeChanges.count - before < 10)
    let forgotten = daemon.store.names.values.flatMap { $0.regions.map(\.snapshot) }
    #expect(forgotten == known.map { RegionSnapshot(expiry: $0.expiry) })
    #expect(daemon.machine.differences(from: daemon.store).isEmpty)
    daemon.advance(by: 1)
    #expect(daemon.machine.differences(from: daemon.store).isEmpty)
  }

  @Test("The master switch applies to everybody, root too, and is stored")
  func masterSwitch() {
    var settings = BrokerSettings.open
    settings.access.rules = [.administering(user: "user1001")]
    var daemon = VirtualDaemon(settings: settings)
    daemon.connect(2, uid: 0)
    daemon.subscribe(SubscriptionParameters(), client: 2)
    let off = daemon.call(.setEnabled(false)).actions
    #expect(off.authorizations(of: 2) == [.disabled])
    daemon.answer(.getFix(FixRequest()), client: 2).expect(.switchedOff)
    daemon.restart()
    daemon.answer(.getFix(FixRequest())).expect(.switchedOff)
    #expect(daemon.call(.setEnabled(true)).actions.authorizations() == [.always])
    daemon.change { $0.isEnabled = false }
    daemon.answer(.setEnabled(true)).expect(.restricted)
  }

  @Test(
    "A client that is no administrator learns nothing of others and changes nothing",
    arguments: [
      Call.listClients(), .listGrants(), .grant(uid: 1, user: "daemon", .always, .precise), .revoke(uid: 1),
      .setEnabled(false),
    ])
  func administrators(_ call: Call) {
    var daemon = VirtualDaemon.granting(.always)
    daemon.answer(call).expect(.restricted)
  }

  @Test(
    "A client that has left is sent no more than it may know, and its requests are gone at once")
  func left() {
    var daemon = VirtualDaemon.granting(.always)
    daemon.subscribe(SubscriptionParameters())
    daemon.send(.clientLeft(ClientID(1)))
    #expect(daemon.status.clients == 0 && !daemon.machine.needs(now: daemon.now).isNeeded)
    func limits(_ actions: [Action]) -> [Precision?] {
      actions.compactMap { action -> Precision?? in
        if case .clear(ClientID(1), let limit) = action { .some(limit.precision) } else { nil }
      }
    }
    #expect(limits(daemon.change(Self.reduce)) == [.reduced])
    #expect(limits(daemon.change(Self.deny)) == [nil])
    daemon.send(.clientDisconnected(ClientID(1)))
    #expect(limits(daemon.change(Self.allow)).isEmpty)
  }

  @Test("A person's answer for one connection is also withdrawn from a connection that has left")
  func leftAfterOnce() throws {
    var settings = BrokerSettings()
    settings.access.rules = [.administering(user: "user1007"), .granting(nil, user: "user1009", agent: .all)]
    var daemon = VirtualDaemon(settings: settings)
    daemon.connect(7)
    daemon.connect(9)
    daemon.call(.registerAgent(), client: 9)
    let asked = daemon.call(.getFix(FixRequest())).actions
    let prompt = try #require(asked.prompts(to: 9).first)
    daemon.send(.promptAnswered(prompt.id, by: ClientID(9), PromptAnswer(isAllowed: true, isRemembered: false)))
    daemon.send(.clientLeft(ClientID(1)))
    let denied = daemon.call(.grant(uid: 1001, user: "user1001", nil, .precise), client: 7).actions
    #expect(denied.contains { if case .clear(ClientID(1), let limit) = $0 { limit.precision == nil } else { false } })
  }
}
