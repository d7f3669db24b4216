import CMosquitto
import EventLoop
import Glibc
import Positioning

/// A connection to the MQTT broker. Its handler gets `connected`, `confirmed`, and at last `failed` if the connection could
/// not be made or has ended; never during a call.
package protocol MQTTLink: AnyObject {
  /// Publishes with QoS 1.
  func publish(_ message: MQTTMessage, number: Int)
  /// Drops the connection without a farewell, so that the MQTT broker publishes the last will. Nothing follows.
  func close()
}

/// Makes connections to the MQTT broker.
package protocol MQTTConnector {
  /// Begins to connect.
  ///
  /// - Parameter handler: Called on the loop's thread.
  /// - Throws: What is wrong with the settings.
  func connect(
    lastWill: MQTTMessage, handler: @escaping (BridgeEvent) -> Void
  ) throws(MQTTFailure) -> any MQTTLink
}

/// Connects with libmosquitto.
struct MosquittoConnector: MQTTConnector {
  let settings: BridgeSettings.MQTT
  let clientID: String
  let loop: EventLoop

  func connect(
    lastWill: MQTTMessage, handler: @escaping (BridgeEvent) -> Void
  ) throws(MQTTFailure) -> any MQTTLink {
    try MQTTConnection(
      self.settings, clientID: self.clientID, lastWill: lastWill, on: self.loop, handler: handler)
  }
}

/// One connection to the MQTT broker, on libmosquitto; another one is another object.
///
/// Connecting may block: libmosquitto looks up names and shakes hands without the loop. So a thread of its own does that,
/// and returns the socket to the loop, which serves it from then on. It belongs to the loop's thread.
final class MQTTConnection: MQTTLink {
  private let loop: EventLoop
  private let handle: MosquittoHandle
  private let settings: BridgeSettings.MQTT
  private var handler: ((BridgeEvent) -> Void)?
  private var thread: LoopThread?
  private var socket: FileDescriptor?
  private var watch: DescriptorWatch?
  private var timer: LoopTimer?
  private var isAccepted = false
  /// Our numbers of messages by those of libmosquitto.
  private var numbers: [Int32: Int] = [:]

  /// Begins to connect.
  ///
  /// - Parameters:
  ///   - handler: Called on the loop's thread.
  ///   - lastWill: What the MQTT broker publishes when the connection ends.
  /// - Throws: What is wrong with the settings.
  init(
    _ settings: BridgeSettings.MQTT, clientID: String, lastWill: MQTTMessage, on loop: EventLoop,
    handler: @escaping (BridgeEvent) -> Void
  ) throws(MQTTFailure) {
    self.loop = loop
    self.settings = settings
    self.handle = try MosquittoHandle(clientID: clientID)
    self.handler = handler
    try self.handle.configure(settings, lastWill: lastWill)
    let returned = Returned(self)
    let handle = self.handle
    do throws(SystemError) {
      self.thread = try EventLoop.spawnThread(name: "mqttconnect") {
        let result = handle.connect(settings)
        let code = errno
        loop.call { returned.connection?.connected(result, code: code) }
      }
    } catch {
      throw MQTTFailure("\(error)")
    }
  }

  /// `@unchecked Sendable`: only the loop's thread reads it.
  private final class Returned: @unchecked Sendable {
    weak var connection: MQTTConnection?
    init(_ connection: MQTTConnection) { self.connection = connection }
  }

  func close() {
    self.handler = nil
    self.timer = nil
    self.watch?.cancel()
    self.watch = nil
    guard let socket else { return }
    // The number that libmosquitto has is another one of the same socket.
    _ = Glibc.shutdown(socket.rawValue, Int32(SHUT_RDWR))
    socket.close()
    self.socket = nil
  }

  func publish(_ message: MQTTMessage, number: Int) {
    guard self.handler != nil else { return }
    var given: Int32 = 0
    let result = unsafe message.payload.withUnsafeBytes { payload in
      unsafe mosquitto_publish(
        self.handle.client, &given, message.topic, Int32(payload.count), payload.baseAddress, 1, message.isRetained)
    }
    let code = errno
    if result == MOSQ_ERR_SUCCESS.rawValue {
      self.numbers[given] = number
      self.updateInterest()
    } else {
      // Reported later, because the caller is in the middle of its own work.
      let (returned, failure) = (Returned(self), self.failure(result, code: code))
      self.loop.call { returned.connection?.end(failure) }
    }
  }

  // MARK: The socket

  private func connected(_ result: Int32, code: Int32) {
    guard self.handler != nil else { return }
    guard result == MOSQ_ERR_SUCCESS.rawValue else { return self.end(self.failure(result, code: code)) }
    do throws(SystemError) {
      let number = unsafe fcntl(mosquitto_socket(self.handle.client), F_DUPFD_CLOEXEC, 0)
      guard number >= 0 else { throw SystemError.last("watch the connection") }
      let socket = try FileDescriptor(adopting: number)
      self.socket = socket
      self.watch = try self.loop.watch(socket, for: .read) { [unowned self] in self.ready($0) }
      let timer = try self.loop.timer(accuracy: .seconds(1)) { [unowned self] in self.check() }
      self.timer = timer
    } catch {
      return self.end(MQTTFailure("\(error)"))
    }
    self.check()
  }

  private func ready(_ found: Interest) {
    var result = MOSQ_ERR_SUCCESS.rawValue
    errno = 0
    if found.contains(.write) { result = unsafe mosquitto_loop_write(self.handle.client, 1) }
    if result == MOSQ_ERR_SUCCESS.rawValue, !found.isDisjoint(with: [.read, .hangup]) {
      result = unsafe mosquitto_loop_read(self.handle.client, 1)
    }
    self.follow(result, code: errno)
  }

  /// Lets libmosquitto ask whether the MQTT broker is there. It counts in whole seconds, and the MQTT broker waits one and a
  /// half times as long as was agreed.
  private func check() {
    let result = unsafe mosquitto_loop_misc(self.handle.client)
    self.timer?.arm(at: self.loop.now + self.settings.keepAlive / 4)
    self.follow(result, code: errno)
  }

  private func follow(_ result: Int32, code: Int32) {
    for report in self.handle.takeReports() {
      switch report {
      case .answered(0):
        self.isAccepted = true
        self.handler?(.connected)
      case .answered(let refusal): return self.end(MQTTFailure(refusal: refusal))
      case .confirmed(let given):
        if let number = self.numbers.removeValue(forKey: given) { self.handler?(.confirmed(number)) }
      }
    }
    guard self.handler != nil else { return }
    if result != MOSQ_ERR_SUCCESS.rawValue { return self.end(self.failure(result, code: code)) }
    self.updateInterest()
  }

  private func updateInterest() {
    self.watch?.interest = Interest(read: true, write: unsafe mosquitto_want_write(self.handle.client))
  }

  private func end(_ failure: MQTTFailure) {
    guard let handler = self.handler else { return }
    self.close()
    handler(.failed(failure))
  }

  private func failure(_ result: Int32, code: Int32) -> MQTTFailure {
    MQTTFailure(
      result: result, code: code, errors: self.handle.errors, settings: self.settings, wasAccepted: self.isAccepted)
  }
}
