import Positioning
import ReceiverPorts
import TestSupport
import Testing

@testable import Broker

/// One-shot requests and their answers.
@Suite struct RequestTests {
  /// A daemon that received a fix so many seconds ago and released its receiver.
  private func daemon(fixAge: Double, accuracy: Double? = 4) -> VirtualDaemon {
    var settings = BrokerSettings.open
    settings.power.linger = .zero
    var daemon = VirtualDaemon(settings: settings)
    let need = daemon.call(.getFix(FixRequest(accuracy: .meters(0.001), timeout: .seconds(1))))
    daemon.fix(accuracy: accuracy)
    #expect(daemon.advance(by: 1).outcome(of: need.id) != nil)
    daemon.advance(by: fixAge - 1)
    return daemon
  }

  @Test("A satisfying cached fix answers at once, and the receiver is not turned on")
  func cached() throws {
    var daemon = self.daemon(fixAge: 50)
    let (call, actions) = daemon.call(.getFix(FixRequest(accuracy: .level(.block))))
    let outcome = try #require(actions.outcome(of: call))
    #expect(outcome.status == .success)
    #expect(outcome.isSatisfied && outcome.isFromCache)
    #expect(outcome.achievedAccuracy == .block)
    #expect(outcome.elapsed == .zero)
    #expect(actions.receiverOrders.isEmpty)
    daemon.advance(by: 10)
    #expect(daemon.deadline == nil)
  }

  @Test(
    "A cached fix that is too old, inaccurate or of unknown accuracy does not answer, and the receiver is needed",
    arguments: [(60.1, 4), (10, 101), (10, nil), (10, 0), (10, 1899.81)] as [(Double, Double?)])
  func notCached(age: Double, accuracy: Double?) {
    var daemon = self.daemon(fixAge: age, accuracy: accuracy)
    let (call, actions) = daemon.call(.getFix(FixRequest(accuracy: .level(.block))))
    #expect(actions.outcome(of: call) == nil)
    #expect(actions.receiverOrders == [true])
  }

  @Test(
    "The greatest age of a cached fix is the level's unless the client sets it",
    arguments: [(19.9, true), (20.1, false)])
  func maximumAge(age: Double, isAnswered: Bool) {
    var daemon = self.daemon(fixAge: age)
    let request = FixRequest(accuracy: .level(.city), maximumAge: .seconds(20))
    let (call, actions) = daemon.call(.getFix(request))
    #expect((actions.outcome(of: call) != nil) == isAnswered)
  }

  @Test(
    "A cached fix that is not accurate enough is the best so far, and one that is too old is not",
    arguments: [true, false])
  func cachedCandidate(isYoung: Bool) throws {
    var daemon = self.daemon(fixAge: 10, accuracy: 40)
    let request = FixRequest(
      accuracy: .level(.room), maximumAge: .seconds(isYoung ? 20 : 12), timeout: .seconds(5))
    let call = daemon.call(.getFix(request)).id
    let outcome = try #require(daemon.advance(by: 5).outcome(of: call))
    #expect(outcome.status == .timedOut)
    #expect(outcome.fix?.horizontalAccuracy == (isYoung ? 40 : nil))
    #expect(outcome.isFromCache == isYoung)
  }

  @Test("The first fix that meets the demand ends the request, and releases the receiver after the linger")
  func satisfied() throws {
    var daemon = VirtualDaemon()
    let call = daemon.call(.getFix(FixRequest(accuracy: .level(.house)))).id
    #expect(daemon.isReceiverOn)
    daemon.advance(by: 2)
    #expect(daemon.fix(accuracy: 40).outcome(of: call) == nil)
    daemon.advance(by: 1)
    let outcome = try #require(daemon.fix(accuracy: 15).outcome(of: call))
    #expect(outcome.status == .success && outcome.isSatisfied && !outcome.isFromCache)
    #expect(outcome.elapsed == .seconds(3))
    #expect(outcome.achievedAccuracy == .house)
    #expect(outcome.diagnostics.availability == .available)
    #expect(daemon.advance(by: 59.9).receiverOrders.isEmpty)
    #expect(daemon.advance(by: 0.1).receiverOrders == [false])
  }

  @Test("A later report that makes the epoch's fix good enough ends the request in the same epoch")
  func improved() throws {
    var daemon = VirtualDaemon()
    let call = daemon.call(.getFix(FixRequest(accuracy: .level(.house)))).id
    daemon.advance(by: 1)
    #expect(daemon.fix(accuracy: 40, time: 1).outcome(of: call) == nil)
    daemon.advance(by: 0.05)
    #expect(daemon.fix(accuracy: 9, time: 1).outcome(of: call)?.isSatisfied == true)
  }

  @Test(
    "The acceptable accuracy may not be finer than the desired one of a request",
    arguments: [
      (AccuracyDemand.level(.house), AccuracyDemand.level(.room), false), (.meters(10), .meters(9.9), false),
      (nil, .meters(50), false), (.level(.house), .meters(15), true), (nil, .level(.block), true),
    ] as [(AccuracyDemand?, AccuracyDemand, Bool)])
  func acceptableFiner(accuracy: AccuracyDemand?, acceptable: AccuracyDemand, isTaken: Bool) {
    var daemon = VirtualDaemon()
    let answer = daemon.answer(.getFix(FixRequest(accuracy: accuracy, acceptableAccuracy: acceptable)))
    let refusal = Answer.failed(.invalid(parameter: "acceptableAccuracy", expected: "no finer than accuracy"))
    #expect(answer == (isTaken ? nil : refusal))
    #expect(daemon.isReceiverOn == isTaken)
  }

  @Test("An acceptable fix waits for a better one until the timeout, then is a success that does not satisfy")
  func acceptable() throws {
    var daemon = VirtualDaemon()
    let request = FixRequest(accuracy: .level(.room), acceptableAccuracy: .level(.block), maximumAge: .seconds(60))
    let call = daemon.call(.getFix(request)).id
    #expect(daemon.stream(seconds: 29, accuracy: 50).outcome(of: call) == nil)
    let outcome = try #require(daemon.advance(by: 1).outcome(of: call))
    #expect(outcome.status == .success && !outcome.isSatisfied && !outcome.isFromCache)
    #expect(outcome.fix?.horizontalAccuracy == 50)
    #expect(outcome.elapsed == .seconds(30))
  }

  @Test("Without an acceptable fix the timeout returns the best one, and its level")
  func timedOutWithBest() throws {
    var daemon = VirtualDaemon()
    let call = daemon.call(.getFix(FixRequest(accuracy: .level(.room), maximumAge: .seconds(60)))).id
    daemon.stream(seconds: 29, accuracy: 400)
    let outcome = try #require(daemon.advance(by: 1).outcome(of: call))
    #expect(outcome.status == .timedOut && !outcome.isSatisfied)
    #expect(outcome.fix?.horizontalAccuracy == 400)
    #expect(outcome.achievedAccuracy == .neighborhood)
  }

  @Test("A fix that arrived after the request is not too old at the timeout")
  func timedOutWithOld() throws {
    var daemon = VirtualDaemon()
    let call = daemon.call(.getFix(FixRequest(accuracy: .level(.room)))).id
    daemon.stream(seconds: 20, accuracy: 40)
    let outcome = try #require(daemon.advance(by: 10).outcome(of: call))
    #expect(outcome.status == .timedOut)
    #expect(outcome.fix?.horizontalAccuracy == 40 && outcome.achievedAccuracy == .block)
    #expect(outcome.diagnostics.availability == .lost)
  }

  @Test("A timeout occurs without any fix, and with gpsd absent")
  func noFixAtAll() throws {
    var daemon = VirtualDaemon()
    daemon.sourceFollows = false
    let call = daemon.call(.getFix(FixRequest(timeout: .seconds(5)))).id
    daemon.send(.receiver(.source(.gpsdDown(.unreachable("Connection refused")))))
    let outcome = try #require(daemon.advance(by: 5).outcome(of: call))
    #expect(outcome.status == .timedOut && outcome.fix == nil)
    #expect(outcome.diagnostics.availability == .gpsdDown)
    #expect(outcome.diagnostics.detail?.contains("Connection refused") == true)
  }

  @Test("An unknown accuracy satisfies no demand, but is returned at the timeout")
  func unknownAccuracy() throws {
    var daemon = VirtualDaemon()
    let call = daemon.call(.getFix(FixRequest(accuracy: .meters(1e9), timeout: .seconds(10)))).id
    #expect(daemon.stream(seconds: 9, accuracy: nil).outcome(of: call) == nil)
    let outcome = try #require(daemon.advance(by: 1).outcome(of: call))
    #expect(outcome.status == .timedOut)
    #expect(outcome.fix != nil && outcome.achievedAccuracy == nil)
  }

  @Test("No failure ends a request before its timeout")
  func transientFaults() throws {
    var daemon = VirtualDaemon()
    daemon.sourceFollows = false
    let call = daemon.call(.getFix(FixRequest(accuracy: .level(.house)))).id
    let states: [SourceState] = [
      .opening, .streaming, .receiverMissing(.unplugged("a")), .gpsdDown(.closed("EOF")), .gpsdFull, .opening,
      .receiverMissing(.silent(nil)), .streaming,
    ]
    for state in states {
      #expect(daemon.send(.receiver(.source(state))).outcome(of: call) == nil)
      #expect(daemon.advance(by: 2).outcome(of: call) == nil)
      #expect(daemon.noFixReport().outcome(of: call) == nil)
    }
    #expect(daemon.fix().outcome(of: call)?.isSatisfied == true)
  }

  @Test(
    "A timeout of zero has only the daemon's limit, to which longer ones are reduced", arguments: [0, 7200, 3601])
  func bounded(timeout: Int) {
    var daemon = VirtualDaemon()
    let call = daemon.call(.getFix(FixRequest(timeout: .seconds(timeout)))).id
    #expect(daemon.advance(by: 3599.9).outcome(of: call) == nil)
    #expect(daemon.advance(by: 0.1).outcome(of: call)?.status == .timedOut)
  }

  @Test("A client that accepts no cached fix gets the next one, even if that was held for its accuracy")
  func noCache() {
    var daemon = VirtualDaemon()
    daemon.subscribe(SubscriptionParameters())
    daemon.stream(seconds: 5)
    daemon.advance(by: 0.5)
    let call = daemon.call(.getFix(FixRequest(accuracy: .level(.city), maximumAge: .zero))).id
    daemon.advance(by: 1)
    #expect(daemon.fix(accuracy: nil, time: 9000).outcome(of: call) == nil)
    daemon.advance(by: 0.1)
    #expect(daemon.fix(accuracy: 4, time: 9000).outcome(of: call)?.isSatisfied == true)
  }

  @Test("Requests of other clients end each by its own demand")
  func others() {
    var daemon = VirtualDaemon()
    daemon.connect(2)
    let coarse = daemon.call(.getFix(FixRequest(accuracy: .level(.city)))).id
    let fine = daemon.call(.getFix(FixRequest(accuracy: .level(.room))), client: 2).id
    daemon.advance(by: 1)
    let actions = daemon.fix(accuracy: 900.1 / 2)
    #expect(actions.outcome(of: coarse)?.isSatisfied == true)
    #expect(actions.outcome(of: fine) == nil)
    #expect(daemon.isReceiverOn)
  }
}
