import Broker
import EventLoop
import Positioning
import Store
import Systemd

/// Where what must outlive the daemon is kept.
enum Keeping {
  case store(StoreQueue)
  /// Nowhere, for this reason: everything is served but what must outlive the daemon.
  case nowhere(String)

  /// Opens the store and reads it.
  static func open(_ path: String, on loop: EventLoop, now: Instant, log: Log) -> (Keeping, StoredState) {
    do throws(StoreError) {
      let opened = try StoreQueue.open(loop: loop, path: path, now: now) {
        UserName(of: $0)
      } log: {
        log.write(Log.Level($0), $1)
      }
      return (.store(opened.queue), opened.state.withGroups())
    } catch {
      log.write(.error, "durable registrations are refused, because nothing can be kept: \(error)")
      return (.nowhere("\(error)"), StoredState())
    }
  }

  /// Has the actions carried out once the changes last, or those that are left of them if they never will.
  func keep(_ changes: [StoreChange], then actions: [Action], perform: @escaping ([Action]) -> Void) {
    switch self {
    case .store(let store):
      store.store(
        changes, then: { perform(actions) }, refused: { perform(actions.refused(because: $0)) })
    case .nowhere(let reason): perform(changes.isEmpty ? actions : actions.refused(because: reason))
    }
  }

  /// Has somebody told how it does, now and whenever that changes: the trouble in words, or `nil`.
  func tellTrouble(_ tell: @escaping (String?) -> Void) {
    switch self {
    case .store(let store):
      store.onTrouble = tell
      tell(nil)
    case .nowhere(let reason): tell(reason)
    }
  }

  /// Waits until all is on the disk that is to be kept.
  func close() {
    switch self {
    case .store(let store): store.close()
    case .nowhere: break
    }
  }
}
