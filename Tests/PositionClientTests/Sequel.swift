import Synchronization
import TestSupport

/// One thing the first time, another the second time, and so on; the last goes on for ever.
final class Parts<Part: Sendable>: Sendable {
  private let rest: Mutex<[Part]>

  init(_ parts: Part...) {
    precondition(!parts.isEmpty, "there is nothing to come")
    self.rest = Mutex(parts)
  }

  func next() -> Part {
    self.rest.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] }
  }
}

/// What a daemon of a test does.
typealias Sequel = Parts<[FakeDaemon.Step]>
