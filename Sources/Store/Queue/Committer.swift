import Broker
import EventLoop
import Positioning
import Synchronization

/// What changes are committed to.
protocol ChangeTables: AnyObject {
  /// Makes all of the changes, in order, or none of them. They last once `copyPermission` is done too.
  func make(_ changes: [StoreChange]) throws(StoreError)
  /// Writes what was decided of permission where it can be read without the tables, unless it is there already.
  func copyPermission() throws(StoreError)
  /// Puts everything where the next start reads it fastest.
  func tidy() throws(StoreError)
}

extension ChangeTables {
  /// Makes all of the changes last.
  func commit(_ changes: [StoreChange]) throws(StoreError) {
    try self.make(changes)
    try self.copyPermission()
  }
}

/// The one helper thread: it commits what waits, all of it together, and tries again what fails.
///
/// A commit waits for the disk, which the daemon's loop must not. While one is under way more may come to wait, and the
/// next commit takes all of that: the busier it is, the more changes share one wait.
///
/// `@unchecked Sendable`: `exchange` is behind its lock, and the rest is the thread's own from its start to its end.
final class Committer: @unchecked Sendable {
  /// What came to wait together.
  struct Batch: Sendable {
    /// Rises with each.
    let number: Int
    let changes: [StoreChange]
  }

  /// How far it has come.
  struct Progress: Sendable {
    /// The newest batch that lasts; 0 before the first.
    var committed = 0
    /// Why the newest attempt failed.
    var failure: StoreError?
  }

  private struct Exchange {
    var waiting: [Batch] = []
    var progress = Progress()
    var isClosing = false
    var isAbandoned = false
  }

  /// How long it waits after the first attempt that fails, and at most.
  private static let firstPause: Duration = .milliseconds(250)
  private static let longestPause: Duration = .seconds(30)

  private let tables: any ChangeTables
  private let exchange = Mutex(Exchange())
  private let loop: EventLoop
  private let progressed: @Sendable () -> Void

  // The thread's own.
  private var taken: [Batch] = []
  /// The newest batch that is in the tables, whether it lasts or not.
  private var made = 0
  private var pause = Committer.firstPause
  private var nextAttempt: Instant?

  /// - Parameter progressed: called on the thread when `progress` has changed.
  init(_ tables: any ChangeTables, progressed: @escaping @Sendable () -> Void) throws(SystemError) {
    self.tables = tables
    self.loop = try EventLoop()
    self.progressed = progressed
  }

  var progress: Progress { self.exchange.withLock { $0.progress } }

  // MARK: From the daemon's thread

  func add(_ batch: Batch) {
    let isFirst = self.exchange.withLock { exchange in
      exchange.waiting.append(batch)
      return exchange.waiting.count == 1
    }
    if isFirst { self.wake() }
  }

  /// Has the thread commit what waits, once, and end.
  func close() {
    self.exchange.withLock { $0.isClosing = true }
    self.wake()
  }

  /// Ends the thread without waiting.
  func abandon() {
    self.exchange.withLock { $0.isAbandoned = true }
    self.wake()
  }

  private func wake() { self.loop.call {} }

  // MARK: The thread

  func run() {
    while true {
      let timeout = self.nextAttempt.map { max(.zero, $0 - EventLoop.readClock()) }
      do throws(SystemError) {
        _ = try self.loop.runOnce(timeout: timeout)
      } catch {
        preconditionFailure("the store's thread cannot wait: \(error)")
      }
      let (isClosing, isAbandoned) = self.exchange.withLock { exchange in
        self.taken += exchange.waiting
        exchange.waiting = []
        return (exchange.isClosing, exchange.isAbandoned)
      }
      if isAbandoned { return }
      let isDue = self.nextAttempt.map { $0 <= EventLoop.readClock() } ?? true
      if self.isWorkLeft, isDue || isClosing { self.commit() }
      if isClosing { return self.finish() }
    }
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
      self.pause = Self.firstPause
      self.nextAttempt = nil
    } else {
      self.nextAttempt = EventLoop.readClock() + self.pause
      self.pause = min(self.pause * 2, Self.longestPause)
    }
    self.exchange.withLock { $0.progress = progress }
    self.progressed()
  }

  /// Makes what was taken, whether the copy of permission can be written or not: that keeps nothing out of the tables.
  /// What was made is not made again, since a change may be an error a second time.
  private func makeTaken() -> StoreError? {
    guard let newest = self.taken.last?.number else { return nil }
    do throws(StoreError) {
      try self.tables.make(self.taken.flatMap(\.changes))
      (self.made, self.taken) = (newest, [])
      return nil
    } catch {
      return error
    }
  }

  private func finish() {
    do throws(StoreError) {
      try self.tables.tidy()
    } catch {
      // What was committed lasts all the same.
    }
  }
}
