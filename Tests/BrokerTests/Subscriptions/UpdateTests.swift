import Positioning
import TestSupport
import Testing

@testable import Broker

/// What `subscription.update` may change, and its consequences.
@Suite struct UpdateTests {
  private static func change(_ make: (inout SubscriptionChange) -> Void) -> SubscriptionChange {
    var change = SubscriptionChange()
    make(&change)
    return change
  }

  /// A subscription is changed; returns its parameters then, or the failure.
  private func changed(
    _ parameters: SubscriptionParameters, _ make: (inout SubscriptionChange) -> Void
  ) -> (SubscriptionParameters?, CallFailure?) {
    var daemon = VirtualDaemon()
    daemon.subscribe(parameters)
    switch daemon.answer(.updateSubscription(number: 1, Self.change(make))) {
    case .subscription(.changed(let info)):
      guard case .position(let parameters) = info.kind else { return (nil, nil) }
      return (parameters, nil)
    case .failed(let failure):
      // A refused change has changed nothing.
      guard case .subscriptions(let all)? = daemon.answer(.listSubscriptions()) else { return (nil, nil) }
      #expect(all.map(\.kind) == [.position(parameters)])
      return (nil, failure)
    default: return (nil, nil)
    }
  }

  private static let acquiring = SubscriptionParameters(
    mode: .significant, significantDistance: 1000, significantInterval: .seconds(60),
    acquire: Acquisition())
  private static let collecting = SubscriptionParameters(
    mode: .deferred, deferredDistance: 100, deferredTimeout: .seconds(60))

  @Test("A parameter of another mode is refused, and does not act later")
  func otherMode() {
    let parameters = SubscriptionParameter.allCases.filter { $0.mode != nil }
    #expect(Set(parameters.map(\.mode)) == [.significant, .deferred])
    for parameter in parameters {
      guard let mode = parameter.mode else { continue }
      let change = Self.change { $0.set(parameter) }
      for other in [SubscriptionParameters(), SubscriptionParameters(mode: .passive), Self.acquiring, Self.collecting] {
        let (_, failure) = self.changed(other) { $0 = change }
        let expected = CallFailure.invalid(parameter: parameter.name, expected: "mode \(mode.rawValue) with it")
        #expect(failure == (other.mode == mode ? nil : expected), "\(parameter.name) with \(other.mode)")
        // The requested mode counts, too.
        let (_, moved) = self.changed(other) {
          $0 = change
          $0.mode = .passive
        }
        #expect(moved == expected)
      }
    }
  }

  @Test("A change of mode removes the old mode's state", arguments: SubscriptionParameters.Mode.allCases)
  func dropped(mode: SubscriptionParameters.Mode) {
    for parameters in [Self.acquiring, Self.collecting] where parameters.mode != mode {
      let (changed, failure) = self.changed(parameters) {
        $0.mode = mode
        if mode == .deferred { $0.deferredDistance = 7 }
      }
      var expected = SubscriptionParameters(mode: mode)
      if mode == .deferred { expected.deferredDistance = 7 }
      #expect(changed == expected && failure == nil)
    }
    let (same, _) = self.changed(Self.acquiring) { $0.mode = .significant }
    #expect(same == Self.acquiring)
  }

  @Test("A parameter that is reset has its default")
  func reset() {
    let named = SubscriptionParameter.allCases.filter { $0.mode != .deferred }
    let all = Self.change { change in for parameter in named { change.set(parameter) } }.parameters
    #expect(all.mode == .significant)
    let (cleared, _) = self.changed(all) { $0.reset = Set(SubscriptionParameter.allCases) }
    #expect(cleared == SubscriptionParameters())
    for parameter in named {
      let (one, _) = self.changed(all) { $0.reset = [parameter] }
      #expect(one != all && one != nil, "\(parameter.name)")
    }
    let (both, _) = self.changed(all) {
      $0.reset = [.minInterval, .acquire]
      $0.minInterval = .seconds(1.5)
    }
    #expect(both?.minInterval == .seconds(1.5) && both?.acquire == nil && both?.minDistance == all.minDistance)
  }

  @Test("A parameter that the mode requires cannot be reset")
  func needed() {
    let (half, _) = self.changed(Self.collecting) { $0.reset = [.deferredDistance] }
    #expect(half?.deferredDistance == nil && half?.deferredTimeout == .seconds(60))
    let (_, failure) = self.changed(Self.collecting) { $0.reset = [.deferredDistance, .deferredTimeout] }
    #expect(
      failure
        == .invalid(
          parameter: "deferredDistance", expected: "deferredDistance or deferredTimeout with mode deferred"))
  }

  @Test("A duration or a number of updates that is reset ends nothing any more")
  func endless() {
    var daemon = VirtualDaemon()
    daemon.subscribe(SubscriptionParameters(maxUpdates: 10, duration: .seconds(20)))
    daemon.stream(seconds: 5)
    daemon.call(.updateSubscription(number: 1, Self.change { $0.reset = [.duration, .maxUpdates] }))
    let later = daemon.stream(seconds: 60)
    #expect(later.fixes().count == 60 && later.endings().isEmpty)
  }

  @Test("An acquiring subscription continues in another mode, and acquires nothing any more")
  func acquiring() {
    var daemon = VirtualDaemon()
    daemon.subscribe(Self.acquiring)
    daemon.call(.updateSubscription(number: 1, Self.change { $0.mode = .continuous }))
    #expect(daemon.stream(seconds: 3, accuracy: 80).fixes().count == 3)
  }
}
