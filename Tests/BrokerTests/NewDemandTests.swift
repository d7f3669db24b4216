import Positioning
import Testing

@testable import Broker

/// What ends the pause after a search without a fix: somebody who asks something new of the receiver.
@Suite struct NewDemandTests {
  /// One whose search was given up.
  private static func paused() -> VirtualDaemon {
    var daemon = VirtualDaemon()
    daemon.call(.subscribe(SubscriptionParameters(mode: .significant), durable: .tracker))
    daemon.subscribe(SubscriptionParameters())
    #expect(daemon.isReceiverOn)
    daemon.advance(by: 960)
    return daemon
  }

  @Test(
    "A request, a subscription and a change of one begin a new search",
    arguments: [
      Call.getFix(FixRequest()), .subscribe(SubscriptionParameters()),
      .updateSubscription(number: 1, SubscriptionChange()), .getHeading(HeadingRequest()),
      .commandDurable(name: "tracker", .acquire),
    ])
  func new(call: Call) {
    var daemon = Self.paused()
    #expect(!daemon.isReceiverOn)
    daemon.call(call)
    #expect(daemon.isReceiverOn, "\(call)")
  }

  @Test(
    "Who lists, acknowledges or cancels begins none, whether the answer comes at once or once it is stored",
    arguments: [
      Call.listSubscriptions(), .lastFix(), .status(), .acknowledgeDurable(name: "tracker", event: 0),
      .removeDurable(name: "tracker"), .setEnabled(true),
    ])
  func nothingNew(call: Call) {
    var daemon = Self.paused()
    daemon.connect(2, uid: 0)
    daemon.call(call, client: call == .setEnabled(true) ? 2 : 1)
    #expect(!daemon.isReceiverOn, "\(call)")
  }
}
