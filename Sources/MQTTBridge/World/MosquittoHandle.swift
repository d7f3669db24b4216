import CMosquitto
import Glibc
import Synchronization

/// libmosquitto's client, and what its callbacks reported.
///
/// `@unchecked Sendable`: one thread at a time uses `client`: the one that connects, and then the loop's. What the
/// callbacks write has a lock.
@safe final class MosquittoHandle: @unchecked Sendable {
  /// What a callback reported.
  enum Report: Hashable {
    /// The MQTT broker answered the connection; 0 accepts it.
    case answered(Int32)
    /// It confirmed the message that libmosquitto gave this number.
    case confirmed(Int32)
  }

  private struct State {
    var reports: [Report] = []
    /// The last errors that libmosquitto logged; OpenSSL's are only here.
    var errors: [String] = []
  }

  let client: OpaquePointer
  private let state = Mutex(State())

  /// The library counts its users, and is never released.
  private static let library: Int32 = mosquitto_lib_init()

  /// - Throws: If the process is out of memory.
  init(clientID: String) throws(MQTTFailure) {
    guard Self.library == MOSQ_ERR_SUCCESS.rawValue, let client = unsafe mosquitto_new(clientID, true, nil) else {
      throw MQTTFailure("libmosquitto cannot be used: \(unsafe String(cString: strerror(errno)))")
    }
    unsafe self.client = client
    unsafe mosquitto_user_data_set(client, Unmanaged.passUnretained(self).toOpaque())
    unsafe mosquitto_connect_callback_set(client) { _, context, code in
      unsafe MosquittoHandle.of(context)?.add(.answered(code))
    }
    unsafe mosquitto_publish_callback_set(client) { _, context, number in
      unsafe MosquittoHandle.of(context)?.add(.confirmed(number))
    }
    unsafe mosquitto_log_callback_set(client) { _, context, level, text in
      guard level == MOSQ_LOG_ERR, let text = unsafe text else { return }
      unsafe MosquittoHandle.of(context)?.add(error: String(cString: text))
    }
  }

  deinit {
    unsafe mosquitto_destroy(self.client)
  }

  private static func of(_ context: UnsafeMutableRawPointer?) -> MosquittoHandle? {
    unsafe context.map { unsafe Unmanaged<MosquittoHandle>.fromOpaque($0).takeUnretainedValue() }
  }

  private func add(_ report: Report) { self.state.withLock { $0.reports.append(report) } }

  private func add(error: String) {
    self.state.withLock { state in
      state.errors.append(error)
      if state.errors.count > 3 { state.errors.removeFirst() }
    }
  }

  /// The reports since the last call.
  func takeReports() -> [Report] {
    self.state.withLock { state in
      defer { state.reports = [] }
      return state.reports
    }
  }

  var errors: [String] { self.state.withLock { $0.errors } }
}
