import Positioning
import ReceiverPorts
import TestSupport
import Testing

@testable import Broker

/// A receiver that reports no accuracy, such as one that sends RMC alone.
@Suite struct UnknownAccuracyTests {
  private func answer(_ daemon: inout VirtualDaemon, accuracy: Double?) throws -> FixResult {
    let call = daemon.call(.getFix(FixRequest(accuracy: .level(.house), timeout: .seconds(10)))).id
    var result: FixResult?
    for _ in 0..<12 { result = result ?? (daemon.advance(by: 1) + daemon.fix(accuracy: accuracy)).outcome(of: call) }
    return try #require(result)
  }

  @Test("The answer to a request and the status name the key that says which accuracy to assume")
  func hint() throws {
    var daemon = VirtualDaemon()
    daemon.subscribe(SubscriptionParameters())
    let result = try self.answer(&daemon, accuracy: nil)
    #expect(result.status == .timedOut && result.fix != nil)
    #expect(result.diagnostics.problem == .noAccuracy)
    #expect(result.diagnostics.detail?.contains("assumed-accuracy=") == true)
    #expect(daemon.status.receiver.problem == .noAccuracy)
  }

  @Test("A receiver that reports one, or for which one is assumed, or that does not know its own, has no such problem")
  func none() throws {
    var daemon = VirtualDaemon()
    daemon.subscribe(SubscriptionParameters())
    daemon.stream(seconds: 10, accuracy: nil)
    daemon.stream(seconds: 2)
    #expect(daemon.status.receiver.problem == nil)
    daemon.stream(seconds: 10, accuracy: 999)
    #expect(daemon.status.receiver.problem == nil)
    var settings = BrokerSettings.open
    settings.fixes.assumedAccuracy = 7
    var assuming = VirtualDaemon(settings: settings)
    assuming.subscribe(SubscriptionParameters())
    assuming.stream(seconds: 10, accuracy: nil)
    #expect(assuming.status.receiver.problem == nil)
  }
}
