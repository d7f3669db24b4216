import EventLoop
import JSONRPC
import PositionProtocol
import Positioning

/// The way to the daemon: a connection that comes and goes, and is made again for as long as somebody asks for it.
///
/// It belongs to the loop's thread. It stands once the daemon has answered the greeting, and not before.
final class DaemonLink {
  private enum Phase {
    /// There is no connection; the timer may be armed to make one.
    case apart
    /// The daemon was told who asks, and has not answered.
    case greeting(DaemonConnection)
    case standing(DaemonConnection)
    case closed
  }

  /// It stands.
  var onStanding: (() -> Void)?
  /// An attempt came to nothing.
  var onFailed: ((PositionError) -> Void)?
  /// It stood, and is lost.
  var onLost: ((PositionError) -> Void)?
  var onNotification: ((any NotificationType) -> Void)?
  var onQuestion: ((RequestID, any RequestType) -> Void)?
  var onWithdrawal: ((RequestID) -> Void)?

  private let loop: EventLoop
  private let path: String
  private let hello: JSONValue
  private var timer: LoopTimer?
  private var greetingTimer: LoopTimer?
  private let greetingTime: Duration
  private var backoff = Backoff()
  private var phase = Phase.apart

  /// How long a daemon may take to greet; one that is stopped, or hangs, takes connections and says nothing.
  static let greetingTime = Duration.seconds(30)

  /// Nothing is tried before `connect`, and the loop is left alone before `begin`.
  init(
    on loop: EventLoop, path: String, name: String?, purpose: String?, greetingTime: Duration = DaemonLink.greetingTime
  ) {
    self.greetingTime = greetingTime
    self.loop = loop
    self.path = path
    let facts = ["name": name, "purpose": purpose].compactMapValues { $0.map { JSONValue.string($0) } }
    self.hello = .object(facts)
  }

  func begin() throws(SystemError) {
    self.timer = try self.loop.timer(accuracy: .milliseconds(10)) { [unowned self] in self.connect() }
    self.greetingTimer = try self.loop.timer(accuracy: .seconds(1)) { [unowned self] in self.unanswered() }
  }

  /// The connection, where it stands.
  var connection: DaemonConnection? {
    if case .standing(let connection) = self.phase { connection } else { nil }
  }

  /// Connects now, unless it is connected or on the way.
  func connect() {
    guard case .apart = self.phase else { return }
    self.timer?.disarm()
    do throws(PositionError) {
      let connection = try DaemonConnection(on: self.loop, path: self.path)
      self.phase = .greeting(connection)
      self.greetingTimer?.arm(at: self.loop.now + self.greetingTime)
      connection.onNotification = { [unowned self] in self.onNotification?($0) }
      connection.onQuestion = { [unowned self] in self.onQuestion?($0, $1) }
      connection.onWithdrawal = { [unowned self] in self.onWithdrawal?($0) }
      connection.onEnd = { [unowned self] in self.lost($0) }
      // Of the answer nothing but the version is read, so that no daemon of this version is too old or too new.
      connection.call(method: SessionHelloRequest.method, params: self.hello) { [unowned self] in self.greeted($0) }
    } catch {
      self.failed(error)
    }
  }

  /// Connects when it is time to, unless it is connected or on the way.
  func connectInTime() {
    guard case .apart = self.phase else { return }
    self.timer?.arm(at: self.backoff.nextAttempt)
  }

  /// Nobody asks for it any more.
  func rest() {
    self.timer?.disarm()
  }

  /// Ends it for good; whoever waits for an answer gets `.closed`.
  func close() {
    self.timer = nil
    self.greetingTimer = nil
    let phase = self.phase
    self.phase = .closed
    switch phase {
    case .greeting(let connection), .standing(let connection): connection.close()
    case .apart, .closed: break
    }
  }

  /// The daemon has not greeted in time.
  private func unanswered() {
    guard case .greeting(let connection) = self.phase else { return }
    // First, so that what ends with the connection is nobody's answer any more.
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
      self.phase = .standing(connection)
      self.backoff.stood(now: self.loop.now)
      self.onStanding?()
    case .failure(let error):
      connection.close()
      self.failed(error)
    }
  }

  private func failed(_ error: PositionError) {
    self.leave(error)
    self.onFailed?(error)
  }

  /// A connection that ended before the daemon greeted was told already, as the greeting's failure.
  private func lost(_ error: PositionError) {
    self.leave(error)
    self.onLost?(error)
  }

  private func leave(_ error: PositionError) {
    self.phase = .apart
    let isAlone = if case .daemonNotRunning = error { true } else { false }
    self.backoff.failed(now: self.loop.now, isAlone: isAlone, jitter: .random(in: 0...1))
  }
}

extension PositionMethods {
  /// Whether a daemon of that version is understood: one of the same major version.
  static func isUnderstood(_ version: String) -> Bool {
    version.prefix { $0 != "." } == PositionMethods.version.prefix { $0 != "." }
  }
}
