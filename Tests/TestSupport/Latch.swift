import Synchronization

/// Opens once; whoever waits for it goes on then.
package final class Latch: Sendable {
  private let isOpen = Mutex(false)
  private let condition = Condition()

  package init() {}

  package func open() {
    self.isOpen.withLock { $0 = true }
    self.condition.signal()
  }

  package func wait() {
    self.condition.wait { self.isOpen.withLock { $0 } }
  }
}
