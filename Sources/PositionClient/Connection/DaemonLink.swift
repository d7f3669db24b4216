import EventLoop
import Glibc
import JSONRPC
import PositionProtocol
import Positioning

/// The link to the daemon: it connects again after each loss, as long as requests or subscriptions are open.
///
/// It belongs to the loop's thread. The link is up once the daemon has answered the greeting.
final class DaemonLink {
  private enum Phase {
    /// There is no connection; the timer may be armed to make one.
    case apart
    /// The greeting was sent and is not yet answered.
    case greeting(DaemonConnection)
    case connected(DaemonConnection)
    case closed
  }

  /// Called when the link is up.
  var onConnected: (() -> Void)?
  /// Called when an attempt failed.
  var onFailed: ((PositionError) -> Void)?
  /// Called when a link that was up is lost.
  var onLost: ((PositionError) -> Void)?
  var onNotification: ((any NotificationType) -> Void)?
  var onQuestion: ((RequestID, any RequestType) -> Void)?
  var onWithdrawal: ((RequestID) -> Void)?

  private let loop: EventLoop
  private let path: String
  private let clock: CodingMoment.Clock?
  private let hello: JSONValue
  private let onBehalfOf: UInt32?
  private var timer: LoopTimer?
  private var greetingTimer: LoopTimer?
  private let greetingTime: Duration
  private var reconnection = Reconnection()
  private lazy var random = SeededRandom(seed: self.loop.randomNumber())
  private var phase = Phase.apart

  /// How long the daemon may take to answer the greeting. The kernel accepts connections for a daemon that is stopped
  /// or hangs.
  static let greetingTime = Duration.seconds(30)

  /// Connects only after `connect`, and uses the loop only after `begin`.
  init(
    on loop: EventLoop, path: String, name: String?, purpose: String?, onBehalfOf: UInt32? = nil,
    clock: CodingMoment.Clock? = nil, greetingTime: Duration = DaemonLink.greetingTime
  ) {
    self.clock = clock
    self.greetingTime = greetingTime
    self.loop = loop
    self.path = path
    self.onBehalfOf = onBehalfOf
    var facts = ["name": name, "purpose": purpose].compactMapValues { $0.map { JSONValue.string($0) } }
    facts["onBehalfOf"] = onBehalfOf.map { .integer(Int($0)) }
    self.hello = .object(facts)
  }

  func begin() throws(SystemError) {
    self.timer = try self.loop.timer(accuracy: .milliseconds(10)) { [unowned self] in self.connect() }
    self.greetingTimer = try self.loop.timer(accuracy: .seconds(1)) { [unowned self] in self.unanswered() }
  }

  /// The connection, if the link is up.
  var connection: DaemonConnection? {
    if case .connected(let connection) = self.phase { connection } else { nil }
  }

  /// Connects now, unless there is a connection or an attempt.
  func connect() {
    guard case .apart = self.phase else { return }
    self.timer?.disarm()
    do throws(PositionError) {
      let connection = try DaemonConnection(on: self.loop, path: self.path, clock: self.clock)
      self.phase = .greeting(connection)
      self.greetingTimer?.arm(at: self.loop.now + self.greetingTime)
      connection.onNotification = { [unowned self] in self.onNotification?($0) }
      connection.onQuestion = { [unowned self] in self.onQuestion?($0, $1) }
      connection.onWithdrawal = { [unowned self] in self.onWithdrawal?($0) }
      connection.onEnd = { [unowned self] in self.lost($0) }
      // The client reads only the version of the answer, so that minor versions need not match.
      connection.call(method: SessionHelloRequest.method, params: self.hello) { [unowned self] in self.greeted($0) }
    } catch {
      self.failed(error)
    }
  }

  /// Connects at the next attempt's time, unless there is a connection or an attempt.
  func connectInTime() {
    guard case .apart = self.phase else { return }
    self.timer?.arm(at: self.reconnection.nextAttempt)
  }

  /// Nothing needs the link any more.
  func rest() {
    self.timer?.disarm()
  }

  /// Ends the link for good; handlers of open requests are called with `.closed`.
  func close() {
    self.timer = nil
    self.greetingTimer = nil
    let phase = self.phase
    self.phase = .closed
    switch phase {
    case .greeting(let connection), .connected(let connection): connection.close()
    case .apart, .closed: break
    }
  }

  /// The daemon has not answered the greeting in time.
  private func unanswered() {
    guard case .greeting(let connection) = self.phase else { return }
    // Set first, so that errors of requests that end with the connection are not reported as the greeting's failure.
    self.phase = .apart
    connection.close()
    let seconds = Int(self.greetingTime.seconds.rounded())
    let reason = "the daemon takes connections, and has said nothing for \(seconds) s"
    self.failed(.cannotConnect(socket: self.path, reason: reason))
  }

  private func greeted(_ result: Result<JSONValue, PositionError>) {
    guard case .greeting(let connection) = self.phase else { return }
    self.greetingTimer?.disarm()
    switch result {
    case .success(let hello):
      let version = if case .string(let version)? = hello["protocol"] { version } else { "without a version" }
      guard PositionMethods.isUnderstood(version) else {
        connection.close()
        return self.failed(.unexpected("protocol \(version), and this client speaks \(PositionMethods.version)"))
      }
      if let error = self.relayError(hello) {
        connection.close()
        return self.failed(error)
      }
      self.phase = .connected(connection)
      self.reconnection.established(now: self.loop.now)
      self.onConnected?()
    case .failure(let error):
      connection.close()
      self.failed(error)
    }
  }

  /// A daemon that does not know relays would answer with what this program itself may know.
  private func relayError(_ hello: JSONValue) -> PositionError? {
    guard let onBehalfOf, hello["principal"]?["uid"] != .integer(Int(onBehalfOf)) else { return nil }
    return .unexpected("an answer for another user than \(onBehalfOf)")
  }

  private func failed(_ error: PositionError) {
    self.leave(error)
    self.onFailed?(error)
  }

  /// A connection that ended before the greeting was answered has been reported already, as the greeting's failure.
  private func lost(_ error: PositionError) {
    self.leave(error)
    self.onLost?(error)
  }

  private func leave(_ error: PositionError) {
    self.phase = .apart
    let isAlone = if case .daemonNotRunning = error { true } else { false }
    let jitter = Double.random(in: 0...1, using: &self.random)
    self.reconnection.failed(now: self.loop.now, isAlone: isAlone, jitter: jitter)
  }
}

extension PositionMethods {
  /// Whether this client understands a daemon of that version: the major version is the same.
  static func isUnderstood(_ version: String) -> Bool {
    version.prefix { $0 != "." } == PositionMethods.version.prefix { $0 != "." }
  }
}

/// The path of the daemon's socket.
public enum SocketPath {
  /// The daemon's default.
  public static let standard = "/run/positiond/positiond.sock"
  /// The environment variable that names another path.
  public static let variable = "POSITIOND_SOCKET"

  /// The given path, or else the one in the environment, or else the standard one. Empty paths are ignored.
  public static func resolved(_ given: String?, environment: [String: String]) -> String {
    let candidates = [given, environment[SocketPath.variable]]
    return candidates.compactMap { $0 }.first { !$0.isEmpty } ?? SocketPath.standard
  }
}

/// The process's environment.
package enum Environment {
  /// A variable's value; `nil` if it is not set.
  package static func value(_ name: String) -> String? {
    guard let value = unsafe getenv(name) else { return nil }
    return unsafe String(cString: value)
  }
}
