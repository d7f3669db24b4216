import Broker
import EventLoop
import Positioning
import Synchronization

/// The tables in which changes are committed.
protocol ChangeTables: AnyObject {
  /// Makes all of the changes in order, or none of them. They are durable once `copyPermission` is done too.
  func make(_ changes: [StoreChange]) throws(StoreError)
  /// Copies the permission decisions to the file beside the tables, unless it has them already.
  func copyPermission() throws(StoreError)
  /// Writes the permission decisions among changes that cannot be made now to the file beside the tables.
  func keepAside(_ changes: [StoreChange]) throws(StoreError)
  /// Prepares everything for a fast start.
  func tidy() throws(StoreError)
}

extension ChangeTables {
  /// Makes all of the changes durable.
  func commit(_ changes: [StoreChange]) throws(StoreError) {
    try self.make(changes)
    try self.copyPermission()
  }
}

/// The helper beside the loop, which a `Worker` drives: it commits all waiting changes together, and repeats what fails.
///
/// A commit waits for the disk, which the daemon's loop must not. Changes that arrive meanwhile go into the next commit
/// together: the busier it is, the more changes share one wait.
///
/// `@unchecked Sendable`: `exchange` is protected by its lock, and the rest belongs to the thread from its start to its
/// end.
final class Committer: @unchecked Sendable {
  /// The progress of the thread.
  struct Progress: Sendable {
    /// How many batches are durable.
    var committed = 0
    /// The error of the last attempt.
    var failure: StoreError?
  }

  private struct Exchange {
    /// Batches: changes that arrived together.
    var waiting: [[StoreChange]] = []
    var progress = Progress()
    var isClosing = false
    var isAbandoned = false
    var isAsideKept = false
  }

  private let tables: any ChangeTables
  private let exchange = Mutex(Exchange())
  private let clocks: Clocks
  private let progressed: @Sendable () -> Void

  // Only for the thread.
  private var taken: [[StoreChange]] = []
  /// How many batches are in the tables, durable or not.
  private var made = 0
  private var pause = GrowingPause(first: .milliseconds(250), longest: .seconds(30))
  private var nextAttempt: Instant?

  /// - Parameter progressed: Called on the thread when `progress` has changed.
  init(_ tables: any ChangeTables, clocks: Clocks, progressed: @escaping @Sendable () -> Void) {
    self.tables = tables
    self.clocks = clocks
    self.progressed = progressed
  }

  var progress: Progress { self.exchange.withLock { $0.progress } }

  // MARK: From the daemon's thread

  /// - Returns: Whether the thread must be woken for it.
  func add(_ batch: [StoreChange]) -> Bool {
    self.exchange.withLock { exchange in
      exchange.waiting.append(batch)
      return exchange.waiting.count == 1
    }
  }

  /// Whether the permission decisions among changes that cannot be made are written beside the tables, from the next step
  /// on. The daemon then knows that nothing can be stored, and gives the thread only decisions that are in force
  /// nevertheless.
  func keepsAside(_ isKept: Bool) {
    self.exchange.withLock { $0.isAsideKept = isKept }
  }

  /// Writes what could not be committed beside the tables. The thread has ended.
  func keepAside() {
    self.taken += self.exchange.withLock { $0.waiting }
    self.writeAside()
  }

  /// The next step commits the waiting changes once, and is the last.
  func close() { self.exchange.withLock { $0.isClosing = true } }

  /// The next step does nothing, and is the last.
  func abandon() { self.exchange.withLock { $0.isAbandoned = true } }

  // MARK: The thread

  /// Commits what waits, if it is due.
  func step() -> Worker.Next {
    let (isClosing, isAbandoned, isAsideKept) = self.exchange.withLock { exchange in
      self.taken += exchange.waiting
      exchange.waiting = []
      return (exchange.isClosing, exchange.isAbandoned, exchange.isAsideKept)
    }
    if isAbandoned { return .end }
    let isDue = self.nextAttempt.map { $0 <= self.clocks.sinceBoot() } ?? true
    if self.isWorkLeft, isDue || isClosing { self.commit() }
    if isAsideKept { self.writeAside() }
    guard isClosing else { return .wait(until: self.nextAttempt) }
    self.finish()
    return .end
  }

  private var isWorkLeft: Bool { !self.taken.isEmpty || self.made > self.progress.committed }

  private func commit() {
    var progress = self.progress
    progress.failure = self.makeTaken()
    do throws(StoreError) {
      try self.tables.copyPermission()
      progress.committed = self.made
    } catch {
      progress.failure = progress.failure ?? error
    }
    if progress.failure == nil {
      self.pause.reset()
      self.nextAttempt = nil
    } else {
      self.nextAttempt = self.clocks.sinceBoot() + self.pause.take()
    }
    self.exchange.withLock { $0.progress = progress }
    self.progressed()
  }

  /// Makes the batches that were taken, even if the copy of the permission decisions cannot be written. A batch is not
  /// made twice, since a change may be an error the second time.
  private func makeTaken() -> StoreError? {
    guard !self.taken.isEmpty else { return nil }
    do throws(StoreError) {
      try self.tables.make(self.taken.flatMap { $0 })
      (self.made, self.taken) = (self.made + self.taken.count, [])
      return nil
    } catch {
      return error
    }
  }

  private func writeAside() {
    guard !self.taken.isEmpty else { return }
    do throws(StoreError) {
      try self.tables.keepAside(self.taken.flatMap { $0 })
    } catch {
      // Tried again after the next attempt to make the changes themselves, whose error is reported.
    }
  }

  private func finish() {
    do throws(StoreError) {
      try self.tables.tidy()
    } catch {
      // The commit itself is durable.
    }
  }
}
