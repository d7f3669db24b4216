import JSONRPC
import Synchronization

/// The received messages, and those who wait for more.
final class FakeMessages: Sendable {
  private struct State {
    var log: [(method: String, params: JSONValue)] = []
    var waiters: [(method: String, number: Int, continuation: CheckedContinuation<JSONValue?, Never>)] = []
    var isOver = false
  }

  private let state = Mutex(State())

  var methods: [String] { self.state.withLock { $0.log.map(\.method) } }

  func add(_ method: String, _ params: JSONValue) {
    let waiters = self.state.withLock { state in
      state.log.append((method, params))
      let count = state.log.count { $0.method == method }
      let waiters = state.waiters.filter { $0.method == method && $0.number == count }
      state.waiters.removeAll { $0.method == method && $0.number == count }
      return waiters
    }
    for waiter in waiters { waiter.continuation.resume(returning: params) }
  }

  func end() {
    let waiters = self.state.withLock { state in
      state.isOver = true
      defer { state.waiters = [] }
      return state.waiters
    }
    for waiter in waiters { waiter.continuation.resume(returning: nil) }
  }

  func parameters(of method: String, _ number: Int) async -> JSONValue? {
    await withCheckedContinuation { continuation in
      let known: JSONValue?? = self.state.withLock { state in
        let found = state.log.filter { $0.method == method }
        if found.count >= number { return .some(found[number - 1].params) }
        if state.isOver { return .some(nil) }
        state.waiters.append((method, number, continuation))
        return nil
      }
      if let known { continuation.resume(returning: known) }
    }
  }
}
