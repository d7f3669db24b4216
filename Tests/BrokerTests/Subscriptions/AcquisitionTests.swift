import Positioning
import Testing

@testable import Broker

/// Acquisition: a significant change, or a client's command, leads to a search for one good fix within a budget.
@Suite struct AcquisitionTests {
  private static let parameters = SubscriptionParameters(
    mode: .significant, acquire: Acquisition(), replay: .none)

  /// Subscribed, with the first fix acquired, which is the baseline of changes.
  private func waiting() -> Journey {
    var journey = Journey()
    journey.daemon.subscribe(Self.parameters)
    let actions = journey.go(seconds: 1, speed: 0)
    #expect(actions.reasons() == [.available, .acquired])
    #expect(actions.updates().last?.state == .waiting)
    // Another client keeps the receiver on.
    journey.daemon.connect(2)
    journey.daemon.subscribe(SubscriptionParameters(), client: 2)
    return journey
  }

  /// Up to the next change, in the last second.
  private func acquiring(accuracy: Double = 50) -> Journey {
    var journey = self.waiting()
    #expect(journey.go(seconds: 270, speed: 10, accuracy: accuracy).reasons() == [.significantChange])
    return journey
  }

  @Test("A fix from before the search does not end it, and the next one does")
  func newer() {
    var search = FixAcquisition(Acquisition(), limit: nil, activity: .other, now: at(10))
    #expect(search.fixed(fix(10, 0, accuracy95: 4), now: at(10)) == nil)
    let next = fix(10.1, 0, accuracy95: 4)
    #expect(search.fixed(next, now: at(10.1)) == .acquired(next))
  }

  @Test("It begins by acquiring")
  func beginning() {
    var daemon = VirtualDaemon()
    let call = daemon.call(.subscribe(Self.parameters))
    guard case .subscription(.begun(let info))? = call.actions.answers(to: call.id).first else {
      Issue.record("not subscribed")
      return
    }
    #expect(info.state == .acquiring)
    #expect(daemon.isReceiverOn)
  }

  @Test("A significant change is delivered with its fix, then the acquired fix, newer than the change")
  func change() throws {
    var journey = self.waiting()
    let actions = journey.go(seconds: 300, speed: 10, accuracy: 4)
    #expect(actions.reasons() == [.significantChange, .acquired])
    let updates = actions.updates()
    #expect(updates.map(\.state) == [.acquiring, .waiting])
    let (change, acquired) = (try #require(updates[0].fix), try #require(updates[1].fix))
    #expect(acquired.arrival > change.arrival)
  }

  @Test("The desired accuracy ends it at once, a worse fix does not")
  func desired() {
    var journey = self.waiting()
    journey.go(seconds: 271, speed: 10, accuracy: 50)
    #expect(journey.go(seconds: 5, speed: 10, accuracy: 50).fixes().isEmpty)
    #expect(journey.go(seconds: 1, speed: 10, accuracy: 9).reasons() == [.acquired])
  }

  @Test("At the end of the budget the best acceptable fix is delivered")
  func acceptable() throws {
    var journey = self.waiting()
    journey.go(seconds: 269, speed: 10, accuracy: 300)
    var received: [Action] = journey.go(seconds: 1, speed: 10, accuracy: 300)
    received += journey.go(seconds: 5, speed: 0, accuracy: 80)
    received += journey.go(seconds: 20, speed: 0, accuracy: 90)
    let last = try #require(received.updates().last { $0.reason == .acquired })
    #expect(try #require(last.fix?.horizontalAccuracy) <= 90)
  }

  @Test("Without an acceptable fix the failure is delivered, and the next change is waited for")
  func failed() {
    var journey = self.acquiring(accuracy: 300)
    let received = journey.go(seconds: 20, speed: 0, accuracy: 300)
    #expect(received.reasons() == [.acquisitionFailed])
    #expect(received.updates().last?.state == .waiting)
    #expect(journey.go(seconds: 200, speed: 0, accuracy: 4).reasons().isEmpty)
    #expect(journey.go(seconds: 200, speed: 10, accuracy: 4).reasons() == [.significantChange, .acquired])
  }

  @Test("The budget starts at the receiver's first fix, so a cold receiver can succeed")
  func coldStart() {
    var journey = Journey()
    journey.daemon.subscribe(Self.parameters)
    #expect(journey.go(seconds: 300, speed: 0, hasSky: false).reasons().isEmpty)
    #expect(journey.go(seconds: 10, speed: 0, accuracy: 60).reasons() == [.available])
    #expect(journey.go(seconds: 10, speed: 0, accuracy: 60).reasons() == [.acquired])
  }

  @Test("Without any sky it ends after a quarter of an hour, and releases the receiver")
  func noSky() {
    var journey = Journey()
    journey.daemon.subscribe(Self.parameters)
    #expect(journey.go(seconds: 905, speed: 0, hasSky: false).reasons() == [.acquisitionFailed])
    journey.go(seconds: 70, speed: 0, hasSky: false)
    #expect(!journey.daemon.isReceiverOn || journey.daemon.deadline != nil)
  }

  @Test("A pause drops the candidate, and resuming acquires again")
  func pauseDropsCandidate() throws {
    var journey = self.acquiring(accuracy: 50)
    journey.go(seconds: 3, speed: 0, accuracy: 20)
    journey.daemon.call(.commandSubscription(number: 1, .pause))
    #expect(journey.go(seconds: 60, speed: 0, accuracy: 3).updates().isEmpty)
    let resumed = journey.daemon.call(.commandSubscription(number: 1, .resume)).actions
    #expect(resumed.reasons() == [.resumed])
    #expect(resumed.updates().last?.state == .acquiring)
    let received = journey.go(seconds: 20, speed: 0, accuracy: 70)
    let fix = try #require(received.updates().last { $0.reason == .acquired }?.fix)
    #expect(fix.horizontalAccuracy == 70)
  }

  @Test("A failed acquisition leaves no candidate for the next one")
  func noOldCandidate() {
    var journey = self.acquiring(accuracy: 300)
    journey.go(seconds: 20, speed: 0, accuracy: 300)
    let received = journey.go(seconds: 320, speed: 10, accuracy: 250)
    #expect(received.reasons().contains(.significantChange))
    #expect(!received.reasons().contains(.acquired))
  }

  @Test(
    "A forced acquisition is reported, then its fix",
    arguments: [SubscriptionParameters.Mode.significant, .passive])
  func forced(mode: SubscriptionParameters.Mode) {
    var journey = Journey()
    var parameters = Self.parameters
    parameters.mode = mode
    if mode == .passive { parameters.acquire = nil }
    journey.daemon.subscribe(parameters)
    if mode == .significant { journey.go(seconds: 2, speed: 0) }
    let call = journey.daemon.call(.commandSubscription(number: 1, .acquire))
    #expect(call.actions.reasons().contains(.acquiring))
    #expect(journey.daemon.isReceiverOn)
    #expect(journey.go(seconds: 2, speed: 0).reasons().contains(.acquired))
    journey.go(seconds: 70, speed: 0)
    #expect(mode != .passive || !journey.daemon.isReceiverOn)
  }

  @Test("A fix that onlyBetterThan withholds is not acquired either", arguments: SubscriptionParameters.Mode.allCases)
  func withheld(mode: SubscriptionParameters.Mode) {
    var journey = Journey()
    var parameters = SubscriptionParameters(
      mode: mode, onlyBetterThan: 20, deferredDistance: mode == .deferred ? 1e6 : nil, replay: .none)
    if mode == .significant { parameters.acquire = Acquisition(desiredAccuracy: 30) }
    journey.daemon.subscribe(parameters)
    if mode == .significant { journey.go(seconds: 2, speed: 0) }
    journey.daemon.call(.commandSubscription(number: 1, .acquire))
    #expect(journey.go(seconds: 10, speed: 0, accuracy: 25).fixes().isEmpty)
    #expect(journey.go(seconds: 10, speed: 0, accuracy: nil).reasons().allSatisfy { $0 == .acquisitionFailed })
    journey.daemon.call(.commandSubscription(number: 1, .acquire))
    let received = journey.go(seconds: 1, speed: 0, accuracy: 20)
    #expect(received.reasons() == [.acquired] && received.fixes().first?.horizontalAccuracy == 20)
  }

  @Test("The acceptable accuracy may not be finer than the desired one")
  func acceptableFiner() {
    var daemon = VirtualDaemon()
    var parameters = Self.parameters
    parameters.acquire = Acquisition(desiredAccuracy: 20, acceptableAccuracy: 19)
    #expect(
      daemon.answer(.subscribe(parameters))
        == .failed(
          .invalid(parameter: "acquire.acceptableAccuracy", expected: "no finer than acquire.desiredAccuracy")))
    parameters.acquire?.acceptableAccuracy = 20
    #expect(daemon.isReceiverOn == false)
    daemon.subscribe(parameters)
    #expect(daemon.isReceiverOn)
  }

  @Test("acquire has no effect on a subscription that is paused or acquires already")
  func forcedElsewhere() {
    var journey = self.acquiring()
    #expect(journey.daemon.call(.commandSubscription(number: 1, .acquire)).actions.updates().isEmpty)
    journey.daemon.call(.commandSubscription(number: 1, .pause))
    #expect(journey.daemon.call(.commandSubscription(number: 1, .acquire)).actions.updates().isEmpty)
  }

  @Test("A fast traveller's change that comes too early is delivered as soon as the interval allows")
  func fastTraveller() {
    var journey = self.waiting()
    #expect(journey.go(seconds: 200, speed: 100).reasons().isEmpty)
    #expect(journey.go(seconds: 100, speed: 0).reasons() == [.significantChange, .acquired])
  }

  @Test("maxUpdates counts every update with a fix, a significant change and its acquired fix too", arguments: 1...5)
  func maxUpdates(count: Int) {
    var journey = Journey()
    journey.daemon.connect(2)
    journey.daemon.subscribe(SubscriptionParameters(), client: 2)
    var parameters = Self.parameters
    parameters.maxUpdates = count
    var actions = journey.daemon.subscribe(parameters)
    actions += journey.go(seconds: 1500, speed: 10)
    #expect(actions.fixes().count == count)
    #expect(actions.endings() == [.expired])
    let reasons = actions.reasons().filter { $0 != .available }
    #expect(reasons == Array([.acquired, .significantChange, .acquired, .significantChange, .acquired].prefix(count)))
  }

  /// A subscription of each mode that searches because its client asked for it.
  private func commanded(_ mode: SubscriptionParameters.Mode) -> VirtualDaemon {
    var daemon = VirtualDaemon()
    daemon.subscribe(
      SubscriptionParameters(mode: mode, deferredTimeout: mode == .deferred ? .seconds(1e6) : nil, replay: .none))
    #expect(daemon.call(.commandSubscription(number: 1, .acquire)).actions.reasons().contains(.acquiring))
    return daemon
  }

  @Test(
    "A search that a pause ends has failed, and the client is notified", arguments: SubscriptionParameters.Mode.allCases
  )
  func cutOffByPause(mode: SubscriptionParameters.Mode) {
    var daemon = self.commanded(mode)
    #expect(
      daemon.call(.commandSubscription(number: 1, .pause)).actions.reasons() == [.acquisitionFailed, .paused])
    #expect(daemon.call(.commandSubscription(number: 1, .resume)).actions.reasons().first == .resumed)
    #expect(!daemon.stream(seconds: 60).reasons().contains(.acquired))
  }

  @Test("A search after a change that a pause ends has failed, too")
  func changeCutOffByPause() {
    var journey = self.acquiring()
    #expect(
      journey.daemon.call(.commandSubscription(number: 1, .pause)).actions.reasons() == [.acquisitionFailed, .paused])
  }

  @Test(
    "A search that another mode ends has failed, and the client is notified",
    arguments: SubscriptionParameters.Mode.allCases)
  func cutOffByMode(mode: SubscriptionParameters.Mode) {
    for other in SubscriptionParameters.Mode.allCases where other != mode {
      var daemon = self.commanded(mode)
      var change = SubscriptionChange()
      change.mode = other
      if other == .deferred { change.deferredTimeout = .seconds(1e6) }
      let reasons = daemon.call(.updateSubscription(number: 1, change)).actions.reasons()
      #expect(reasons == [.acquisitionFailed], "from \(mode) to \(other)")
      #expect(!daemon.stream(seconds: 30).reasons().contains(.acquired))
    }
  }

  @Test("A search goes on when permission is withdrawn and granted again, and with reduced fixes")
  func permission() {
    for change in [{ $0.rules[0].grant = .deny }, { $0.rules[0].precision = .reduced }]
      as [(inout AccessPolicy) -> Void]
    {
      var daemon = VirtualDaemon.granting(.always)
      daemon.subscribe(SubscriptionParameters(mode: .passive, replay: .none))
      daemon.call(.commandSubscription(number: 1, .acquire))
      var reasons = daemon.change(change).reasons()
      reasons += daemon.change { $0.rules[0].grant = .always }.reasons()
      reasons += daemon.stream(seconds: 5).reasons()
      #expect(reasons.last == .acquired && !reasons.contains(.acquisitionFailed))
    }
  }

  @Test("acquire is a parameter of the mode significant alone")
  func mode() {
    var daemon = VirtualDaemon()
    var parameters = Self.parameters
    parameters.mode = .continuous
    let call = daemon.call(.subscribe(parameters))
    #expect(
      call.actions.answers(to: call.id) == [
        .failed(.invalid(parameter: "acquire", expected: "mode significant with it"))
      ])
  }
}
