import Positioning
import ReceiverPorts
import Testing

@testable import Broker

/// Mistakes of other location libraries with one-shot requests and the fixes that end them.
@Suite struct RequestLessonTests {
  @Test("A request that times out returns the best fix, not the latest")
  func best() throws {
    var daemon = VirtualDaemon()
    let request = FixRequest(accuracy: .level(.room), maximumAge: .seconds(60), timeout: .seconds(10))
    let call = daemon.call(.getFix(request)).id
    for accuracy in [200, 300, 6, 800, 800, 800, 800, 800, 800.0] { daemon.stream(seconds: 1, accuracy: accuracy) }
    let outcome = try #require(daemon.advance(by: 1).outcome(of: call))
    #expect(outcome.status == .timedOut)
    #expect(outcome.fix?.horizontalAccuracy == 6)
    #expect(outcome.achievedAccuracy == .house)
  }

  @Test("A request that was answered does not time out as well", arguments: [false, true])
  func onceOnly(isCached: Bool) {
    var daemon = VirtualDaemon()
    if isCached {
      daemon.subscribe(SubscriptionParameters())
      daemon.stream(seconds: 3)
    }
    let (call, first) = daemon.call(.getFix(FixRequest(timeout: .seconds(5))))
    var actions = first + daemon.stream(seconds: 2)
    #expect(actions.outcome(of: call)?.status == .success)
    actions += daemon.advance(by: 60) + daemon.stream(seconds: 3) + daemon.advance(by: 7200)
    #expect(actions.answers(to: call).count == 1)
  }

  @Test("A request does not wait for a subscription's filter, not even the client's own")
  func noFilter() {
    var daemon = VirtualDaemon()
    daemon.connect(2)
    let strict = SubscriptionParameters(
      minInterval: .seconds(600), minDistance: 1000, onlyBetterThan: 1, activity: .fitness, replay: .none)
    for client in [1, 2] as [UInt64] { daemon.subscribe(strict, client: client) }
    daemon.stream(seconds: 3, accuracy: 12)
    daemon.advance(by: 0.5)
    let call = daemon.call(.getFix(FixRequest(accuracy: .level(.house), maximumAge: .zero, timeout: .seconds(5)))).id
    let actions = daemon.stream(seconds: 1, accuracy: 12)
    #expect(actions.outcome(of: call)?.isSatisfied == true)
    #expect(actions.fixes().isEmpty && actions.fixes(client: 2).isEmpty)
  }

  @Test("A satisfying cached fix is a success, whatever failed since it arrived")
  func noStickyError() {
    var daemon = VirtualDaemon()
    daemon.subscribe(SubscriptionParameters())
    daemon.stream(seconds: 3)
    daemon.send(.receiver(.source(.gpsdDown(.closed("EOF")))))
    let (call, actions) = daemon.call(.getFix(FixRequest()))
    let outcome = actions.outcome(of: call)
    #expect(outcome?.status == .success && outcome?.isSatisfied == true && outcome?.isFromCache == true)
    #expect(outcome?.diagnostics.availability == .gpsdDown)
  }

  @Test("An accuracy of zero or below is never the best", arguments: [-1, 0, -0.0, -.infinity, .nan])
  func noAccuracy(accuracy: Double) {
    var daemon = VirtualDaemon()
    daemon.subscribe(SubscriptionParameters(accuracy: .level(.city)))
    daemon.subscribe(SubscriptionParameters(onlyBetterThan: 1e6))
    let call = daemon.call(.getFix(FixRequest(accuracy: .meters(1e6)))).id
    daemon.advance(by: 1)
    // It is held for a moment, because its accuracy may be late.
    let actions = daemon.fix(accuracy: accuracy) + daemon.advance(by: 0.5)
    #expect(actions.outcome(of: call) == nil)
    #expect(actions.fixes().map(\.horizontalAccuracy) == [nil])
    #expect(actions.updates().allSatisfy { $0.achievedAccuracy == nil })
    #expect(actions.fixes(of: 2).isEmpty)
  }

  @Test("A repeated epoch from before the request is no new fix")
  func notTheOldEpoch() {
    var daemon = VirtualDaemon()
    daemon.subscribe(SubscriptionParameters())
    daemon.stream(seconds: 3)
    daemon.advance(by: 0.3)
    let call = daemon.call(.getFix(FixRequest(accuracy: .level(.city), maximumAge: .zero))).id
    daemon.advance(by: 0.3)
    #expect(daemon.fix(accuracy: 2, time: 1003).outcome(of: call) == nil)
    daemon.advance(by: 0.4)
    #expect(daemon.fix().outcome(of: call)?.fix?.arrival == daemon.now)
  }

  @Test("Of several epochs that arrive together none is dropped")
  func batch() {
    var daemon = VirtualDaemon()
    daemon.subscribe(SubscriptionParameters(minInterval: .zero))
    daemon.subscribe(SubscriptionParameters(mode: .deferred, minInterval: .zero, deferredTimeout: .seconds(60)))
    daemon.stream(seconds: 1)
    daemon.advance(by: 5)
    var actions: [Action] = []
    for second in 1002...1006 { actions += daemon.fix(time: Double(second)) }
    #expect(actions.fixes().map(\.time) == (1002...1006).map { utc(Double($0)) })
    let collected = daemon.advance(by: 60).updates(of: 2).flatMap(\.fixes)
    #expect(collected.map(\.time) == (1001...1006).map { utc(Double($0)) })
  }
}
