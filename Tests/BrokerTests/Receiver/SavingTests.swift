import Positioning
import ReceiverPorts
import TestSupport
import Testing

@testable import Broker

/// What the broker lets a receiver save while it is on.
@Suite struct SavingTests {
  private func daemon(saving: PowerSaving? = .full) -> VirtualDaemon {
    var daemon = VirtualDaemon()
    daemon.send(.receiver(.power(PowerState(state: .off, rung: .ublox, since: daemon.now, saving: saving))))
    return daemon
  }

  private func allowances(_ actions: [Action]) -> [SavingAllowance] {
    actions.compactMap { if case .allowSaving(let allowance) = $0 { allowance } else { nil } }
  }

  private static let ride = SubscriptionParameters(accuracy: .house, minInterval: .seconds(5), activity: .fitness)

  @Test func `the strictest of all demands counts, and no more once it is gone`() {
    var daemon = self.daemon()
    daemon.connect(2)
    #expect(self.allowances(daemon.subscribe(Self.ride)) == [.fine])
    #expect(self.allowances(daemon.stream(seconds: 60)).isEmpty)
    #expect(
      self.allowances(daemon.subscribe(SubscriptionParameters(accuracy: .room), client: 2)) == [SavingAllowance.none])
    #expect(self.allowances(daemon.send(.clientDisconnected(ClientID(2)))) == [.fine])
  }

  @Test func `a waiting request counts until it is answered`() {
    var daemon = self.daemon()
    daemon.subscribe(SubscriptionParameters(accuracy: .city, minInterval: .seconds(5)))
    daemon.stream(seconds: 10)
    daemon.advance(by: 0.5)
    let call = daemon.call(.getFix(FixRequest(accuracy: .room, maximumAge: .zero)))
    #expect(self.allowances(call.actions) == [SavingAllowance.none])
    #expect(self.allowances(daemon.fix()) == [.coarse])
  }

  @Test func `each start is allowed anew, and of a receiver that cannot save nothing is said`() {
    var daemon = self.daemon()
    daemon.subscribe(Self.ride)
    daemon.stream(seconds: 10)
    daemon.send(.clientDisconnected(ClientID(1)))
    daemon.advance(by: 600)
    #expect(!daemon.isReceiverOn)
    daemon.connect(1)
    #expect(self.allowances(daemon.subscribe(Self.ride)) == [.fine])
    var plain = self.daemon(saving: nil)
    #expect(self.allowances(plain.subscribe(Self.ride)).isEmpty)
  }
}
