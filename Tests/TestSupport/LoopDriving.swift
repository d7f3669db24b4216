package import EventLoop
import Positioning

/// Runs a test's body on a thread of its own, with a loop that belongs to that thread.
package func withLoop<Result: Sendable>(
  _ body: @escaping @Sendable (EventLoop) throws -> Result
) async throws -> Result {
  try await onOwnThread { try body(EventLoop()) }
}

extension EventLoop {
  /// Serves the loop until the condition holds, which is checked after every event.
  ///
  /// - Parameter what: The awaited event, for the message if it does not occur within `time`.
  package func drive(
    for time: Duration = TestDeadline.duration, until what: String, _ condition: () throws -> Bool
  ) throws {
    let deadline = Clocks.system.sinceBoot() + time
    while try !condition() {
      let left = deadline - Clocks.system.sinceBoot()
      guard left > .zero else { throw TimedOut("\(what): not within \(time)") }
      _ = try self.runOnce(timeout: left)
    }
  }

  /// Serves the loop for this time.
  package func drive(for time: Duration) throws {
    let deadline = Clocks.system.sinceBoot() + time
    while case let left = deadline - Clocks.system.sinceBoot(), left > .zero {
      _ = try self.runOnce(timeout: left)
    }
  }
}
