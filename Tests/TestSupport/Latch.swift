import Synchronization

/// Opens once; all who wait for it continue then.
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
