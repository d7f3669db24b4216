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

extension MosquittoHandle {
  /// Where Debian has the certificates of the authorities that it trusts.
  static let authorities = "/etc/ssl/certs"

  /// Prepares the client.
  ///
  /// - Throws: What is wrong with the settings.
  func configure(_ settings: BridgeSettings.MQTT, lastWill: MQTTMessage) throws(MQTTFailure) {
    var password: String?
    if let file = settings.passwordFile { password = try Self.firstLine(of: file) }
    if settings.user != nil || password != nil {
      let result = unsafe mosquitto_username_pw_set(self.client, settings.user ?? "", password)
      try self.check(result, "user= is not usable")
    }
    let result = unsafe lastWill.payload.withUnsafeBytes { payload in
      unsafe mosquitto_will_set(
        self.client, lastWill.topic, Int32(payload.count), payload.baseAddress, 1, lastWill.isRetained)
    }
    try self.check(result, "the last will is not usable")
    _ = unsafe mosquitto_int_option(self.client, MOSQ_OPT_TCP_NODELAY, 1)
    if settings.usesTLS { try self.encrypt(settings) }
  }

  private func encrypt(_ settings: BridgeSettings.MQTT) throws(MQTTFailure) {
    let files = [
      ("ca-file", settings.authorityFile), ("certificate-file", settings.certificateFile),
      ("key-file", settings.keyFile),
    ]
    for (key, file) in files {
      guard let file, unsafe access(file, R_OK) != 0 else { continue }
      throw Self.unreadable(key, file)
    }
    guard (settings.certificateFile == nil) == (settings.keyFile == nil) else {
      throw MQTTFailure(
        "its TLS settings are incomplete",
        advice: "set both of certificate-file= and key-file= in [mqtt], or none of them")
    }
    let result = unsafe mosquitto_tls_set(
      self.client, settings.authorityFile, settings.authorityFile == nil ? Self.authorities : nil,
      settings.certificateFile, settings.keyFile, nil)
    try self.check(result, "its TLS settings are not usable")
  }

  private func check(_ result: Int32, _ words: String) throws(MQTTFailure) {
    guard result != MOSQ_ERR_SUCCESS.rawValue else { return }
    throw MQTTFailure(
      "\(words): \(unsafe String(cString: mosquitto_strerror(result)))", advice: "correct [mqtt] in the configuration")
  }

  /// Connects, which may take minutes, and sends the first message. The loop serves the rest.
  func connect(_ settings: BridgeSettings.MQTT) -> Int32 {
    errno = 0
    let keepAlive = Int32(settings.keepAlive.components.seconds)
    if let socket = settings.socket { return unsafe mosquitto_connect(self.client, socket, 0, keepAlive) }
    return unsafe mosquitto_connect(self.client, settings.host, Int32(settings.effectivePort), keepAlive)
  }

  private static func unreadable(_ key: String, _ file: String) -> MQTTFailure {
    MQTTFailure(
      "\(key)=\(file) cannot be read: \(unsafe String(cString: strerror(errno)))",
      advice: "correct the path, or let the bridge's user read the file")
  }

  /// Without the line's end.
  private static func firstLine(of path: String) throws(MQTTFailure) -> String {
    guard let file = unsafe fopen(path, "re") else { throw self.unreadable("password-file", path) }
    defer { unsafe fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = unsafe fread(&bytes, 1, bytes.count, file)
    return String(decoding: bytes[..<count].prefix { $0 != 10 && $0 != 13 && $0 != 0 }, as: UTF8.self)
  }
}

extension MQTTFailure {
  /// The MQTT broker refused the connection: the return codes of MQTT 3.1.1.
  init(refusal: Int32) {
    switch refusal {
    case 1: self.init("it does not speak MQTT 3.1.1", advice: "use one that does, such as mosquitto 1.6 or later")
    case 2: self.init("it refuses the client id", advice: "set client-id= in [mqtt]")
    case 3: self.init("it says that its service is unavailable", advice: "see its log")
    case 4:
      self.init("it refuses the user or the password", advice: "correct user= and password-file= in [mqtt]")
    case 5:
      self.init(
        "it does not let this client in",
        advice: "correct user= and password-file= in [mqtt], or allow the client in the MQTT broker's configuration")
    default: self.init("it refuses the connection with code \(refusal)", advice: "see its log")
    }
  }

  /// A result of libmosquitto.
  ///
  /// - Parameters:
  ///   - code: `errno` after it.
  ///   - errors: What libmosquitto logged.
  ///   - wasAccepted: Whether the connection had been accepted.
  init(result: Int32, code: Int32, errors: [String], settings: BridgeSettings.MQTT, wasAccepted: Bool) {
    let place = settings.socket ?? "\(settings.host), port \(settings.effectivePort)"
    switch result {
    case MOSQ_ERR_TLS.rawValue, MOSQ_ERR_TLS_HANDSHAKE.rawValue:
      self.init(tls: errors)
    case MOSQ_ERR_EAI.rawValue, MOSQ_ERR_LOOKUP.rawValue:
      self.init("the host \(settings.host) is unknown", advice: "correct host= in [mqtt], or see whether names resolve")
    case MOSQ_ERR_NOMEM.rawValue:
      self.init("it sends more than fits into memory", advice: "see whether it is an MQTT broker")
    case MOSQ_ERR_KEEPALIVE.rawValue: self.init("it does not answer any more", advice: "see its log")
    // An end within a packet is an error without an error of the system.
    case MOSQ_ERR_CONN_LOST.rawValue, MOSQ_ERR_NO_CONN.rawValue,
      MOSQ_ERR_ERRNO.rawValue where code == 0:
      if wasAccepted {
        self.init("it has closed the connection", advice: "see its log")
      } else {
        self.init(
          "\(place) closes the connection without an answer",
          advice: settings.usesTLS ? "see its log" : "see its log, and whether it wants tls=yes in [mqtt]")
      }
    // Where both are, the system's error says more; EPROTO stands for an error of TLS.
    case MOSQ_ERR_ERRNO.rawValue where code == EPROTO && settings.usesTLS: self.init(tls: errors)
    case MOSQ_ERR_ERRNO.rawValue where code == ECONNREFUSED || code == ENOENT:
      self.init("nobody serves \(place)", advice: "start it, or correct host= and port=, or socket=, in [mqtt]")
    case MOSQ_ERR_ERRNO.rawValue:
      self.init("\(place): \(unsafe String(cString: strerror(code)))", advice: "see whether the network reaches it")
    default: self.init("\(place): \(unsafe String(cString: mosquitto_strerror(result)))", advice: "see its log")
    }
  }

  private init(tls errors: [String]) {
    let words = errors.isEmpty ? "" : ": \(errors.joined(separator: "; "))"
    self.init(
      "TLS fails\(words)",
      advice: "see whether ca-file= in [mqtt] has signed its certificate, and whether that is for the name in host=")
  }
}

/// Why there is no connection to the MQTT broker, and what to do, for people.
package struct MQTTFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// The end of a sentence that begins with the MQTT broker.
  let reason: String
  /// What to do; `nil`: wait.
  let advice: String?

  package init(_ reason: String, advice: String? = nil) {
    self.reason = reason
    self.advice = advice
  }

  static func silent(_ reason: String) -> Self {
    Self("\(reason) within \(BridgeMachine.brokerTimeout.components.seconds) s", advice: "see its log")
  }

  package var description: String {
    "no MQTT broker: \(self.reason)\(self.advice.map { "; \($0)" } ?? "")"
  }
}
