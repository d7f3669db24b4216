import Positioning
import TestSupport
import Testing

@testable import Broker

/// The searches of a durable registration over kills of the daemon: a change is reported once, and each search has one
/// outcome.
@Suite struct KilledSearchTests {
  private static let acquiring = SubscriptionParameters(mode: .significant, acquire: Acquisition())

  private func registered(_ parameters: SubscriptionParameters = Self.acquiring) -> Journey {
    var journey = Journey()
    journey.daemon.call(.subscribe(parameters, durable: .tracker))
    self.keepOn(&journey)
    return journey
  }

  /// Another client keeps the receiver on.
  private func keepOn(_ journey: inout Journey) {
    journey.daemon.connect(9)
    journey.daemon.subscribe(SubscriptionParameters(), client: 9)
  }

  private func kill(_ journey: inout Journey) {
    journey.daemon.restart()
    self.keepOn(&journey)
  }

  private func reasons(_ journey: Journey) -> [DeliveryReason?] {
    (journey.daemon.store.names[.tracker]?.events ?? []).map { event in
      if case .position(let update) = event.content { update.reason } else { nil }
    }
  }

  @Test("A change whose search was cut off by a kill is not reported again, and the search has its outcome")
  func change() {
    var journey = self.registered()
    journey.go(seconds: 1, speed: 0)
    journey.go(seconds: 270, speed: 10, accuracy: 50)
    #expect(self.reasons(journey) == [.acquired, .significantChange])
    self.kill(&journey)
    journey.go(seconds: 600, speed: 0)
    #expect(self.reasons(journey) == [.acquired, .significantChange, .acquired])
  }

  @Test("A search that finds nothing after the kill has failed")
  func failure() {
    var journey = self.registered()
    journey.go(seconds: 1, speed: 0)
    journey.go(seconds: 270, speed: 10, accuracy: 300)
    self.kill(&journey)
    journey.go(seconds: 60, speed: 0, accuracy: 300)
    #expect(self.reasons(journey) == [.acquired, .significantChange, .acquisitionFailed])
  }

  @Test("A change whose search failed is the baseline after a kill too, and is not reported again")
  func failedBefore() {
    var journey = self.registered()
    journey.go(seconds: 1, speed: 0)
    journey.go(seconds: 270, speed: 10, accuracy: 300)
    journey.go(seconds: 30, speed: 0, accuracy: 300)
    #expect(self.reasons(journey) == [.acquired, .significantChange, .acquisitionFailed])
    self.kill(&journey)
    journey.go(seconds: 900, speed: 0)
    #expect(self.reasons(journey) == [.acquired, .significantChange, .acquisitionFailed])
  }

  @Test("The first search continues after a kill, and one that failed is not repeated")
  func first() {
    var journey = self.registered()
    journey.go(seconds: 5, speed: 0, accuracy: 50)
    self.kill(&journey)
    journey.go(seconds: 60, speed: 0, accuracy: 50)
    #expect(self.reasons(journey) == [.acquired])

    var failing = self.registered()
    failing.go(seconds: 60, speed: 0, accuracy: 600)
    self.kill(&failing)
    failing.go(seconds: 60, speed: 0, accuracy: 600)
    #expect(self.reasons(failing) == [.acquisitionFailed])
  }

  @Test(
    "A search that a client asked for continues after a kill",
    arguments: [SubscriptionParameters.Mode.significant, .deferred])
  func commanded(mode: SubscriptionParameters.Mode) {
    var journey = self.registered(
      SubscriptionParameters(
        mode: mode, accuracy: .level(.room), deferredTimeout: mode == .deferred ? .seconds(1e6) : nil))
    journey.go(seconds: 5, speed: 0, accuracy: 40)
    let before = self.reasons(journey)
    journey.daemon.call(.commandDurable(name: "tracker", .acquire))
    self.kill(&journey)
    journey.go(seconds: 60, speed: 0, accuracy: 4)
    #expect(self.reasons(journey) == before + [.acquired])
  }

  @Test("A search that a pause cut off has failed, once, also after a kill")
  func paused() {
    var journey = self.registered()
    journey.go(seconds: 5, speed: 0, accuracy: 50)
    journey.daemon.call(.commandDurable(name: "tracker", .pause))
    self.kill(&journey)
    journey.go(seconds: 60, speed: 0)
    #expect(self.reasons(journey) == [.acquisitionFailed])
  }
}
