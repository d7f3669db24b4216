import Broker
import Positioning
import Synchronization
import TestSupport

/// The events that the server sent to the broker, for a test that answers in place of the broker.
final class EventRecord: Sendable {
  private let events = Mutex<[BrokerEvent]>([])

  /// A script that keeps the events that the test selects, and passes the others to the broker.
  func script(keeping isKept: @escaping @Sendable (BrokerEvent) -> Bool) -> LiveServer.Script {
    { [self] event in
      guard isKept(event) else { return nil }
      self.events.withLock { $0.append(event) }
      return []
    }
  }

  var all: [BrokerEvent] { self.events.withLock { $0 } }

  /// The calls that were kept, in the order in which they were made.
  var calls: [CallID] {
    self.all.compactMap { if case .called(let call, _) = $0 { call } else { nil } }
  }

  /// The answers of agents, in order.
  var answers: [PromptAnswer?] {
    self.all.compactMap { if case .promptAnswered(_, _, let answer) = $0 { .some(answer) } else { nil } }
  }

  /// Waits until so many were kept.
  func wait(for count: Int, in server: LiveServer) throws {
    try server.wait(until: { self.all.count >= count }, what: "\(count) events")
  }
}
