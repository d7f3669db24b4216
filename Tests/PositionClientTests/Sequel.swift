import Synchronization
import TestSupport

/// What a daemon of a test does the first time, the second time, and so on; the last goes on for ever.
final class Sequel: Sendable {
  private let rest: Mutex<[[FakeDaemon.Step]]>

  init(_ parts: [FakeDaemon.Step]...) {
    self.rest = Mutex(parts)
  }

  func next() -> [FakeDaemon.Step] {
    self.rest.withLock { $0.count > 1 ? $0.removeFirst() : $0.first ?? [] }
  }
}
