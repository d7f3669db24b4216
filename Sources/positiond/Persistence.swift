import Broker
import EventLoop
import Glibc
import Positioning
import Store
import Systemd

/// Stores what must outlive the daemon.
enum Persistence {
  case store(StoreQueue)
  /// Nothing is stored, for this reason: everything is served except what must outlive the daemon.
  case nowhere(String)

  /// Opens the store and reads it. The present users of the data are reported to the broker later, because a directory
  /// server may be slow.
  static func open(_ path: String, on loop: EventLoop, now: Instant, log: Log) -> (Persistence, StoredState) {
    do throws(StoreError) {
      let opened = try StoreQueue.open(loop: loop, path: path, now: now) { _ in
        .unknown(SystemError(code: EINPROGRESS, call: "look up a user"))
      } log: {
        log.write($0, $1)
      }
      return (.store(opened.queue), opened.state)
    } catch {
      log.write(.storeFailed, "durable registrations are refused because nothing can be stored: \(error)")
      let state = StoreQueue.permissions(beside: path, because: error, now: now)
      if let unread = state.unread { log.write(.decisionsUnread, "\(StoredState.closedWords(unread))") }
      if state.fuzzer == nil, state.unread == nil {
        log.write(.storeFailed, "reduced positions get a new random offset at each start until it can be stored")
      }
      return (.nowhere("\(error)"), state)
    }
  }

  /// Stores the changes, and reports once they are committed, or why they never will be.
  func keep(_ changes: [StoreChange], report: @escaping (String?) -> Void) {
    switch self {
    case .store(let store): store.store(changes, then: { report(nil) }, refused: { report($0) })
    case .nowhere(let reason): report(reason)
    }
  }

  /// Reports the error of the store, or `nil`, now and whenever it changes.
  func reportErrors(_ report: @escaping (String?) -> Void) {
    switch self {
    case .store(let store):
      store.onError = report
      report(nil)
    case .nowhere(let reason): report(reason)
    }
  }

  /// Waits until all changes are on the disk.
  func close() {
    switch self {
    case .store(let store): store.close()
    case .nowhere: break
    }
  }
}
