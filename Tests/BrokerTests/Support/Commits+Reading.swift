@testable import Broker

extension Commits {
  /// Whether nothing waits for the disk to count.
  var awaitsNothing: Bool { !self.waitingFollowers.contains { $0.recipient == nil && $0 != .shown } }

  /// The calls that wait for the disk.
  var waitingCalls: [CallID] { self.waitingFollowers.compactMap(\.waitingCall) }
}
