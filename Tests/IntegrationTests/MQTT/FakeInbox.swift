import EventLoop
import JSONRPC
import Synchronization
import TestSupport

/// A positiond that has nothing but a durable name with an inbox, whose events a test makes as fast as it likes.
final class FakeInbox: Sendable {
  private struct State {
    var waiting: [Int: JSONValue] = [:]
    var lastEvent = 0
    var isAttached = false
    /// The newest acknowledged event.
    var acknowledged = 0
  }

  private let state: Shared
  let daemon: FakeDaemon

  /// The state, which the daemon's script has too.
  private final class Shared: Sendable {
    let value = Mutex(State())
  }

  /// - Parameter loop: The test's, which each request wakes, so that it checks what it waits for.
  init(waking loop: EventLoop) throws {
    let state = Shared()
    self.state = state
    self.daemon = try FakeDaemon { method, params in
      defer { loop.call {} }
      return state.value.withLock { Self.answer(method, params, &$0) }
    }
  }

  var acknowledged: Int { self.state.value.withLock { $0.acknowledged } }
  var waiting: Int { self.state.value.withLock { $0.waiting.count } }

  /// How often the method was called.
  func count(of method: String) -> Int { self.daemon.methods.count { $0 == method } }

  /// An event with one fix, whose latitude is the event's number in thousandths.
  func occur() {
    let update: JSONValue? = self.state.value.withLock { state in
      state.lastEvent += 1
      let fix = Samples.fix.with(["latitude": .number(Double(state.lastEvent) / 1000)])
      let update: JSONValue = [
        "state": "delivering", "availability": "available", "reason": "timeout", "durable": "mqtt",
        "eventId": .integer(state.lastEvent), "fixes": [fix],
      ]
      state.waiting[state.lastEvent] = update
      return state.isAttached ? update : nil
    }
    if let update { self.daemon.notify("position.update", update) }
  }

  /// The event of OwnTracks' location.
  static func event(of location: JSONValue) -> Int? {
    switch location["lat"] {
    case .number(let latitude)?: Int((latitude * 1000).rounded())
    case .integer(let latitude)?: latitude * 1000
    default: nil
    }
  }

  private static func answer(_ method: String, _ params: JSONValue, _ state: inout State) -> [FakeDaemon.Step] {
    switch method {
    case "durable.list":
      // A new connection is not attached.
      state.isAttached = false
      let info = Samples.durable("mqtt", waiting: state.waiting.count, lastEvent: state.lastEvent)
      return [.result(["names": [info]])]
    case "durable.attach":
      if case .integer(let id)? = params["sinceEvent"] { self.acknowledge(id, &state) }
      state.isAttached = true
      let info = Samples.durable("mqtt", waiting: state.waiting.count, lastEvent: state.lastEvent)
      return [.result(info)] + state.waiting.sorted { $0.key < $1.key }.map { .notify("position.update", $0.value) }
    case "durable.acknowledge":
      if case .integer(let id)? = params["event"] { self.acknowledge(id, &state) }
      return [.result(["waiting": .integer(state.waiting.count)])]
    case "position.subscribe":
      return [.result(["durable": "mqtt", "state": "delivering", "availability": "available"])]
    case "authorization.get": return [.result(["state": "always", "precision": "precise"])]
    case "visit.subscribe": return [.result(["durable": "mqtt", "state": "delivering", "availability": "available"])]
    case "status.subscribe":
      let update = Samples.status.with(["subscription": 1, "changed": ["power"]])
      return [
        .result(["subscription": 1, "state": "delivering", "availability": "available"]),
        .notify("status.update", update),
      ]
    default: return [.error(-32601, "no method of this test: \(method)")]
    }
  }

  private static func acknowledge(_ id: Int, _ state: inout State) {
    state.acknowledged = max(state.acknowledged, id)
    state.waiting = state.waiting.filter { $0.key > id }
  }
}
