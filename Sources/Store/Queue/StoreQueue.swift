package import Broker
import EventLoop
import Positioning

/// The queue of changes for the disk: they are committed in order, and the actions that wait for them run afterwards.
///
/// It belongs to its loop's thread; another thread waits for the disk. Nothing is confirmed before it is stored: while
/// the disk cannot be written, such as when it is full, changes wait and are tried again. An error is reported at once,
/// so that nothing new is started. The queue accepts every change: the caller limits how many wait.
package final class StoreQueue {
  /// Changes that are not yet on the disk, if any, and the action for when all before are.
  private struct Waiting {
    /// The number of the newest batch when it arrived.
    let number: Int
    let then: () -> Void
  }

  /// Called with an error of the store, and with `nil` when it is over.
  package var onError: (String?) -> Void = { _ in }

  private let log: (LogKind, LogMessage) -> Void
  /// `nil` once closed.
  private var committer: Committer?
  private let worker: Worker
  private var newest = 0
  private var waiting = Fifo<Waiting>()
  private var failure: StoreError?

  init(
    loop: EventLoop, tables: any ChangeTables, log: @escaping (LogKind, LogMessage) -> Void
  ) throws(SystemError) {
    self.log = log
    let listener = Listener()
    let committer = Committer(tables, clocks: loop.clocks) { loop.call { listener.queue?.collect() } }
    self.committer = committer
    self.worker = try Worker(on: loop, name: "store") { committer.step() }
    listener.queue = self
  }

  deinit {
    self.committer?.abandon()
    self.worker.wake()
    self.worker.join()
  }

  /// Commits the changes, all or none, after all earlier ones.
  ///
  /// - Parameters:
  ///   - then: Called on the loop afterwards; within this call only if there is nothing to wait for.
  ///   - refused: Called within this call, with the reason, if the queue is closed. The changes are not stored then.
  package func store(_ changes: [StoreChange], then: @escaping () -> Void, refused: (String) -> Void) {
    guard !changes.isEmpty else {
      guard !self.waiting.isEmpty else { return then() }
      return self.waiting.append(Waiting(number: self.newest, then: then))
    }
    guard let committer = self.committer else { return refused("positiond is stopping") }
    self.newest += 1
    self.waiting.append(Waiting(number: self.newest, then: then))
    if committer.add(Committer.Batch(number: self.newest, changes: changes)) { self.worker.wake() }
  }

  /// Commits the waiting changes, runs their actions, and closes the database. Waits for the disk.
  ///
  /// Changes that cannot be committed now are lost, but for permission decisions that the file beside the database took;
  /// no answer said that they are stored. A second call does nothing.
  package func close() {
    guard let committer = self.committer else { return }
    committer.close()
    self.worker.wake()
    self.worker.join()
    self.collect()
    self.committer = nil
    guard !self.waiting.isEmpty else { return }
    committer.keepAside()
    self.log(.changesLost, "\(self.waiting.count) changes were not stored, and no answer said that they were")
    self.waiting.removeAll()
  }

  /// Runs the actions whose changes were committed, and reports the state of the store.
  private func collect() {
    guard let progress = self.committer?.progress else { return }
    // These actions may store more.
    while let first = self.waiting.first, first.number <= progress.committed {
      self.waiting.popFirst()
      first.then()
    }
    self.noteFailure(progress.failure)
  }

  private func noteFailure(_ failure: StoreError?) {
    let before = self.failure
    self.failure = failure
    if let failure, before == nil {
      self.log(.storeFailed, "cannot store anything now; retrying, and answers wait: \(failure)")
      self.onError("\(failure)")
      // What could not be granted has been taken back by now.
      self.committer?.keepsAside(true)
      self.worker.wake()
    } else if failure == nil, before != nil {
      self.committer?.keepsAside(false)
      self.log(.storeRecovered, "storing works again; the waiting changes are stored")
      self.onError(nil)
    }
  }

  /// Lets the helper thread wake the queue without retaining it. The last owner of the queue ends the thread, which
  /// cannot be done on the thread itself.
  ///
  /// `@unchecked Sendable`: the reference is used only on the queue's loop, after it was set there.
  private final class Listener: @unchecked Sendable {
    weak var queue: StoreQueue?
  }
}
