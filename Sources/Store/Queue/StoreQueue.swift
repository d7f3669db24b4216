package import Broker
import EventLoop
import Positioning

/// The queue of changes for the disk: they are written in order, and the actions that wait for them run when they are
/// written.
///
/// It belongs to its loop's thread; another thread waits for the disk. Nothing is confirmed before it is stored: while the
/// disk cannot be written, such as when it is full, changes wait and are tried again. Trouble is reported at once, so that
/// nothing new is started. It accepts every change: the caller limits how many wait.
package final class StoreQueue {
  /// Changes that are not on the disk yet, or none, and what happens when all before it are.
  private struct Waiting {
    /// That of the newest batch when it came.
    let number: Int
    let then: () -> Void
  }

  /// Called with the trouble in words when there is one, and with `nil` when it is over.
  package var onTrouble: (String?) -> Void = { _ in }

  private let log: (LogLevel, String) -> Void
  /// `nil` once closed.
  private var committer: Committer?
  private var thread: LoopThread?
  private var newest = 0
  private var waiting = Fifo<Waiting>()
  private var failure: StoreError?

  init(
    loop: EventLoop, tables: any ChangeTables, log: @escaping (LogLevel, String) -> Void
  ) throws(SystemError) {
    self.log = log
    let listener = Listener()
    let committer = try Committer(tables) { loop.call { listener.queue?.look() } }
    self.committer = committer
    self.thread = try EventLoop.spawnThread(name: "store") { committer.run() }
    listener.queue = self
  }

  deinit {
    self.committer?.abandon()
    self.thread?.join()
  }

  /// Makes the changes last, all or none, after all that came before them.
  ///
  /// - Parameters:
  ///   - then: called on the loop once they do; inside this call only where there is nothing to wait for.
  ///   - refused: called inside this call, with the reason in words, where it is closed. They are not kept, then.
  package func store(_ changes: [StoreChange], then: @escaping () -> Void, refused: (String) -> Void) {
    guard !changes.isEmpty else {
      guard !self.waiting.isEmpty else { return then() }
      return self.waiting.append(Waiting(number: self.newest, then: then))
    }
    guard let committer = self.committer else { return refused("positiond is stopping") }
    self.newest += 1
    self.waiting.append(Waiting(number: self.newest, then: then))
    committer.add(Committer.Batch(number: self.newest, changes: changes))
  }

  /// Commits what waits, carries out what waits for it, and closes the database. Waits for the disk.
  ///
  /// Changes that cannot be committed now are lost; none of them was confirmed. A second call does nothing.
  package func close() {
    guard let committer = self.committer else { return }
    committer.close()
    self.thread?.join()
    self.thread = nil
    self.look()
    self.committer = nil
    guard !self.waiting.isEmpty else { return }
    self.log(.error, "\(self.waiting.count) changes were not stored; none of them was confirmed to a client")
    self.waiting.removeAll()
  }

  /// Runs the actions whose changes were committed since, and reports the state of the store.
  private func look() {
    guard let progress = self.committer?.progress else { return }
    // What is carried out may store more.
    while let first = self.waiting.first, first.number <= progress.committed {
      self.waiting.removeFirst()
      first.then()
    }
    self.noteFailure(progress.failure)
  }

  private func noteFailure(_ failure: StoreError?) {
    let before = self.failure
    self.failure = failure
    if let failure, before == nil {
      self.log(.error, "cannot store anything now; retrying, and answers wait: \(failure)")
      self.onTrouble("\(failure)")
    } else if failure == nil, before != nil {
      self.log(.notice, "storing works again; the waiting changes are stored")
      self.onTrouble(nil)
    }
  }

  /// Lets the helper thread have the queue looked at without ever holding it: the last to hold it ends the thread, which
  /// it cannot do on the thread itself.
  ///
  /// `@unchecked Sendable`: the queue is asked for on its loop alone, after it was set there.
  private final class Listener: @unchecked Sendable {
    weak var queue: StoreQueue?
  }
}
