import Broker
import EventLoop
import Glibc
import Positioning
import Store
import Systemd

/// Stores what must outlive the daemon.
///
/// A store that cannot be opened at the start, such as one that another process reads, is tried again with growing pauses
/// for as long as the daemon runs. Until then everything is served except what must outlive the daemon.
final class Persistence {
  /// What the daemon must know of the store.
  enum Report {
    /// It has an error, or works (`nil`).
    case error(String?)
    /// It cannot be opened yet, for this reason, so nobody knows what it holds.
    case unopened(String)
    /// It could be opened only now, and holds this.
    case opened(StoredState)
  }

  private enum State {
    case open(StoreQueue)
    /// Nothing is stored, for this reason.
    case unopened(String)
  }

  private let path: String
  private let loop: EventLoop
  private let disk: any Disk
  private let log: Log
  private var state: State
  private var attempts: OpeningAttempts
  private var timer: LoopTimer?
  private var report: (Report) -> Void = { _ in }

  private init(_ path: String, on loop: EventLoop, in world: World, _ state: State, _ attempts: OpeningAttempts) {
    self.path = path
    self.loop = loop
    self.disk = world.disk
    self.log = world.log
    self.state = state
    self.attempts = attempts
  }

  // MARK: Opening

  /// Opens the store and reads it. The present users of the data are reported to the broker later, because a directory
  /// server may be slow.
  static func open(_ path: String, on loop: EventLoop, now: Instant, in world: World) -> (Persistence, StoredState) {
    let log = world.log
    var attempts = OpeningAttempts()
    let attempt = Attempt(on: world.disk, log: log)
    do throws(StoreError) {
      let opened = try attempt.open(path, on: loop, now: now, isFirst: true)
      attempt.publish { attempts.isNews($0) }
      return (Persistence(path, on: loop, in: world, .open(opened.queue), attempts), opened.state)
    } catch {
      attempt.publish { attempts.isNews($0) }
      _ = attempts.isNews("\(error)")
      log.write(.storeFailed, "durable registrations are refused because nothing can be stored: \(error)")
      let state = StoreQueue.permissions(
        beside: path, on: world.disk, because: error, clock: BootClock(of: loop), now: now)
      if let unread = state.unread { log.write(.decisionsUnread, "\(StoredState.closedWords(unread))") }
      if state.fuzzer == nil, state.unread == nil {
        log.write(.storeFailed, "reduced positions get a new random offset at each start until it can be stored")
      }
      return (Persistence(path, on: loop, in: world, .unopened("\(error)"), attempts), state)
    }
  }

  /// Whether the store is open.
  var isOpen: Bool { if case .open = self.state { true } else { false } }

  /// Reports the state of the store, now and whenever it changes, and tries to open it until it is open.
  func begin(_ report: @escaping (Report) -> Void) throws(SystemError) {
    self.report = report
    switch self.state {
    case .open(let queue):
      self.watch(queue)
      report(.error(nil))
    case .unopened(let reason):
      self.timer = try self.loop.timer(accuracy: .milliseconds(100)) { [unowned self] in self.openAgain() }
      self.timer?.arm(at: self.attempts.failed(now: self.loop.now))
      report(.unopened(reason))
    }
  }

  /// The daemon stops, and would not use a store that opens now.
  func stopOpening() { self.timer?.disarm() }

  private func openAgain() {
    let attempt = Attempt(on: self.disk, log: self.log)
    let now = self.loop.now
    do throws(StoreError) {
      let opened = try attempt.open(self.path, on: self.loop, now: now, isFirst: false)
      attempt.publish { self.attempts.isNews($0) }
      self.state = .open(opened.queue)
      self.watch(opened.queue)
      // At once: what is decided from now on is stored, and must not count as older than what was stored.
      self.report(.opened(opened.state))
    } catch {
      attempt.publish { self.attempts.isNews($0) }
      self.state = .unopened("\(error)")
      if self.attempts.isNews("\(error)") {
        self.log.write(.storeFailed, "the store cannot be opened, and is tried again: \(error)")
      }
      self.timer?.arm(at: self.attempts.failed(now: now))
      self.report(.unopened("\(error)"))
    }
  }

  private func watch(_ queue: StoreQueue) { queue.onError = { [unowned self] in self.report(.error($0)) } }

  // MARK: Storing

  /// Stores the changes, and reports once they are committed, or why they never will be.
  func keep(_ changes: [StoreChange], report: @escaping (String?) -> Void) {
    switch self.state {
    case .open(let queue): queue.store(changes, then: { report(nil) }, refused: { report($0) })
    case .unopened(let reason):
      do throws(StoreError) {
        try StoreQueue.keep(changes, beside: self.path, on: self.disk, clock: BootClock(of: self.loop))
        report(reason)
      } catch {
        report("\(reason); \(error)")
      }
    }
  }

  /// Waits until all changes are on the disk.
  func close() {
    self.stopOpening()
    switch self.state {
    case .open(let queue): queue.close()
    case .unopened: break
    }
  }
}

/// One attempt to open the store. Its messages are logged when it is over, and only those that no attempt had before.
private final class Attempt {
  private let disk: any Disk
  private let log: Log
  private var messages: [(LogKind, LogMessage)] = []
  private var isOver = false

  init(on disk: any Disk, log: Log) {
    self.disk = disk
    self.log = log
  }

  /// - Parameter isFirst: Whether it may wait for a daemon that is ending; later that would hold the loop up.
  func open(_ path: String, on loop: EventLoop, now: Instant, isFirst: Bool) throws(StoreError) -> StoreQueue.Opened {
    try StoreQueue.open(loop: loop, path: path, on: self.disk, now: now, waitsForLock: isFirst) { kind, message in
      // An open store logs through this for as long as it lives.
      if self.isOver { self.log.write(kind, message) } else { self.messages.append((kind, message)) }
    }
  }

  /// The attempt is over.
  func publish(_ isNews: (String) -> Bool) {
    self.isOver = true
    for (kind, message) in self.messages where isNews(message.text) { self.log.write(kind, message) }
    self.messages = []
  }
}
