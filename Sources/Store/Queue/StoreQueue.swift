package import Broker
package import EventLoop
package import Positioning

/// The queue of changes for the disk: they are committed in order, and the actions that wait for them run afterwards.
///
/// It belongs to its loop's thread; another thread waits for the disk. Nothing is confirmed before it is stored: while
/// the disk cannot be written, such as when it is full, changes wait and are tried again. An error is reported at once,
/// so that nothing new is started. The queue accepts every change: the caller limits how many wait.
package final class StoreQueue {
  /// Changes that are not yet on the disk, if any, and the action for when all before are.
  private struct Waiting {
    /// How many batches were added before it arrived, and with it.
    let number: Int
    let then: () -> Void
  }

  /// Called with an error of the store, and with `nil` when it is over.
  package var onError: (String?) -> Void = { _ in }

  private let log: (LogKind, LogMessage) -> Void
  /// `nil` once closed.
  private var committer: Committer?
  private let worker: Worker
  /// How many batches were added.
  private var added = 0
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
      return self.waiting.append(Waiting(number: self.added, then: then))
    }
    guard let committer = self.committer else { return refused("positiond is stopping") }
    self.added += 1
    self.waiting.append(Waiting(number: self.added, then: then))
    if committer.add(changes) { self.worker.wake() }
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

extension StoreQueue {
  /// The result of opening.
  package struct Opened {
    package let queue: StoreQueue
    /// The stored state.
    package let state: StoredState
  }

  /// Opens the database, which no other process may have open, and reads it; creates one if there is none that is
  /// usable.
  ///
  /// - Parameters:
  ///   - disk: Where it is.
  ///   - now: The moment on this boot's clock.
  ///   - waitsForLock: Whether to wait for a moment until another process has closed the database.
  ///   - log: Gets messages now and later, without positions.
  /// - Throws: If there can be no database now, such as on a read-only disk.
  package static func open(
    loop: EventLoop, path: String, on disk: any Disk = SystemDisk(), now: Instant, waitsForLock: Bool = true,
    log: @escaping (LogKind, LogMessage) -> Void
  ) throws(StoreError) -> Opened {
    var file = StoreFile(path: path, on: disk, log: log)
    file.waitsForLock = waitsForLock
    let (tables, state) = try Self.read(file, .current, clock: BootClock(of: loop), now: now)
    do throws(SystemError) {
      return Opened(queue: try StoreQueue(loop: loop, tables: tables, log: log), state: state)
    } catch {
      throw StoreError(error)
    }
  }

  /// The permission decisions if the database cannot be opened: those of the file beside it. If the file cannot be
  /// read, the master switch is off, unless nothing was ever stored.
  package static func permissions(
    beside path: String, on disk: any Disk = SystemDisk(), because error: StoreError, clock: BootClock, now: Instant
  ) -> StoredState {
    var state = StoredState()
    let content = PermissionFile(beside: path, on: disk).read()
    let wasNeverThere = disk.isAbsent(path)
    state.take(content, lost: wasNeverThere ? nil : "\(error)", clock: clock, now: now)
    return state
  }

  /// Writes the permission decisions among changes to the file beside a database that cannot be opened.
  package static func keep(
    _ changes: [StoreChange], beside path: String, on disk: any Disk = SystemDisk(), clock: BootClock
  ) throws(StoreError) {
    try PermissionFile(beside: path, on: disk).add(changes, clock: clock)
  }

  static func read(
    _ file: StoreFile, _ schema: Schema, clock: BootClock, now: Instant
  ) throws(StoreError) -> (StoreTables, StoredState) {
    func load() throws(StoreError) -> (tables: StoreTables, state: StoredState, isEmpty: Bool) {
      let tables = StoreTables(try file.open(schema), clock: clock)
      let isEmpty = try !tables.knowsPermission()
      return (tables, try tables.load(now: now, log: file.log), isEmpty)
    }
    let loaded: (tables: StoreTables, state: StoredState, isEmpty: Bool)
    var lost: StoreError?
    do throws(StoreError) {
      loaded = try load()
    } catch {
      // It is closed by now, and can be renamed.
      guard error.kind == .unusable else { throw error }
      try file.setAside(because: error, time: clock.time(at: now))
      loaded = try load()
      lost = error
    }
    let permissions = PermissionFile(beside: file.path, on: file.disk)
    let state = try loaded.tables.reconcile(
      loaded.state, permissions, isEmpty: loaded.isEmpty, lost: lost, now: now, log: file.log)
    return (loaded.tables, state)
  }
}

/// Decides when a store that could not be opened is tried again, and what of the attempts is news for the log.
///
/// Another process may have it open for a moment, such as a daemon that ends, or for an hour, such as a backup.
package struct OpeningAttempts: Sendable {
  private var pause = GrowingPause(first: .seconds(1), longest: .seconds(60))
  private var messages: Set<String> = []

  package init() {}

  /// An attempt failed. Returns when the next one is due.
  package mutating func failed(now: Instant) -> Instant { now + self.pause.take() }

  /// Whether no attempt said this before.
  package mutating func isNews(_ message: String) -> Bool { self.messages.insert(message).inserted }
}
