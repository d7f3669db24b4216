import Synchronization

/// One part the first time, another the second time, and so on; the last is repeated.
package final class Parts<Part: Sendable>: Sendable {
  private let rest: Mutex<[Part]>

  package init(_ parts: Part...) {
    precondition(!parts.isEmpty, "there is nothing to come")
    self.rest = Mutex(parts)
  }

  package func next() -> Part {
    self.rest.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] }
  }
}
