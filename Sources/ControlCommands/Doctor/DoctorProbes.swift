import EventLoop
import Glibc
import Gpsd
import JSONRPC
import PositionClient
import PositionProtocol
import Positioning
import ReceiverPorts

/// The finding about the daemon.
enum DaemonFinding: Hashable {
  case unreachable(PositionError)
  /// It accepted the connection and did not answer in time.
  case silent
  /// - Parameter times: Of the newest fix that this user may know, if the receiver has a time.
  case answers(SessionHelloRequest.Result, DaemonStatus, times: FixTimes? = nil)

  var status: DaemonStatus? {
    if case .answers(_, let status, _) = self { status } else { nil }
  }

  /// The times of one fix.
  struct FixTimes: Hashable {
    let receiver: Timestamp
    /// This machine's when the fix arrived.
    let own: Timestamp
  }

  /// Where the daemon expects gpsd; `nil` if it does not say.
  var gpsdAddress: GpsdAddress? { self.status?.gpsd.address.flatMap { GpsdAddress($0) } }

  /// Asks the daemon for its status.
  ///
  /// - Parameter timeout: How long the daemon may take.
  static func found(
    on loop: EventLoop, socket: String, timeout: Duration, clock: @escaping CodingMoment.Clock
  ) -> DaemonFinding {
    do {
      let connection = try DaemonConnection(on: loop, path: socket, clock: clock)
      defer { connection.close() }
      return try self.ask(connection, on: loop, timeout, clock)
    } catch let error as PositionError {
      return .unreachable(error)
    } catch {
      return .unreachable(.cannotConnect(socket: socket, reason: "\(error)"))
    }
  }

  private static func ask(
    _ connection: DaemonConnection, on loop: EventLoop, _ timeout: Duration, _ clock: @escaping CodingMoment.Clock
  ) throws -> DaemonFinding {
    var session: SessionHelloRequest.Result?
    var finding = DaemonFinding.silent
    connection.request(SessionHelloRequest(name: "positionctl", purpose: "the command doctor")) { result in
      switch result {
      case .success(let answer): session = answer
      case .failure(let error):
        finding = .unreachable(error)
        loop.stop()
      }
    }
    connection.request(StatusGetRequest()) { result in
      switch result {
      case .success(let status):
        guard let session else { return loop.stop() }
        finding = .answers(session, status)
        self.askTimes(connection, session.authorization, clock) { times in
          finding = .answers(session, status, times: times)
          loop.stop()
        }
      case .failure(let error):
        if case .silent = finding { finding = .unreachable(error) }
        loop.stop()
      }
    }
    try loop.run(atMost: timeout)
    return finding
  }
}

extension DaemonFinding {
  /// Asks for the newest fix, if this user may know it: whether others may is for a person to decide, who is not to be asked
  /// for this.
  private static func askTimes(
    _ connection: DaemonConnection, _ authorization: Authorization, _ clock: @escaping CodingMoment.Clock,
    then end: @escaping (FixTimes?) -> Void
  ) {
    switch authorization.state {
    case .whenInUse, .always: break
    case .notDetermined, .denied, .restricted, .disabled: return end(nil)
    }
    connection.request(PositionLastRequest()) { result in
      guard case .success(let last) = result, let fix = last.fix, let time = fix.time else { return end(nil) }
      let moment = clock()
      let own = Timestamp(of: fix.arrival, now: moment.now, since1970: moment.since1970)
      end(FixTimes(receiver: time, own: own))
    }
  }
}

extension ReceiverDevice {
  /// Whether its path is a file, and not a network address such as `tcp://host:port`.
  var isFile: Bool { self.path.hasPrefix("/") }
}

/// The address of gpsd.
struct GpsdAddress: Hashable, Sendable, CustomStringConvertible {
  static let standard = GpsdAddress(host: "127.0.0.1", port: 2947)

  /// A numeric address: a name lookup could block.
  var host: String
  var port: UInt16

  var description: String { self.host.contains(":") ? "[\(self.host)]:\(self.port)" : "\(self.host):\(self.port)" }
}

extension GpsdAddress {
  /// From `HOST`, `HOST:PORT`, `[HOST]:PORT` or `localhost`; `nil` for any other text.
  init?(_ text: String) {
    var host = text[...]
    self = .standard
    let isBare = text.count { $0 == ":" } > 1 && !text.hasPrefix("[")  // An IPv6 address without a port.
    if !isBare, !text.hasSuffix("]"), let colon = text.lastIndex(of: ":") {
      guard let port = UInt16(text[text.index(after: colon)...]), port > 0 else { return nil }
      self.port = port
      host = text[..<colon]
    }
    if host.hasPrefix("["), host.hasSuffix("]") { host = host.dropFirst().dropLast() }
    if host == "localhost" { return }
    guard !host.isEmpty, host.allSatisfy({ $0.isHexDigit || $0 == "." || $0 == ":" }) else { return nil }
    self.host = String(host)
  }

  /// Asks gpsd for its version and its receivers, without opening one.
  ///
  /// - Parameters:
  ///   - owner: The user for whom root probes; `nil`: the user who runs this.
  ///   - timeout: How long gpsd may take.
  func probe(on loop: EventLoop, as owner: UInt32? = nil, timeout: Duration) -> GpsdFinding {
    var finding: GpsdFinding?
    do throws(SystemError) {
      let settings = GpsdSettings(host: self.host, port: Int(self.port))
      let run = try GpsdProbeRun(loop: loop, settings: settings, owner: owner, limit: timeout) {
        finding = $0
        loop.stop()
      }
      defer { withExtendedLifetime(run) {} }
      run.start()
      if finding == nil { _ = try loop.run() }
    } catch {
      return .unreachable(error.message)
    }
    return finding ?? .silent
  }
}

/// Whether other users than positiond's can use gpsd, found out by an attempt.
struct GpsdExposure: Hashable {
  /// The user of the attempt: a name, or a number without one.
  var user: String
  /// The result for that user.
  var finding: GpsdFinding
  /// Whether root made the attempt as another user.
  var isTriedByRoot: Bool

  /// Root makes the attempt as the user nobody, with a socket that belongs to that user, since packet filters decide by
  /// the socket's owner. For another user the probe that was made already is the attempt.
  static func tried(
    on loop: EventLoop, _ address: GpsdAddress, own finding: GpsdFinding, timeout: Duration
  ) -> GpsdExposure {
    guard geteuid() == 0 else { return GpsdExposure(user: self.ownName, finding: finding, isTriedByRoot: false) }
    // If root is refused, so is every user.
    let found = finding.isReached ? address.probe(on: loop, as: self.nobody, timeout: timeout) : finding
    return GpsdExposure(user: "nobody", finding: found, isTriedByRoot: true)
  }

  /// Linux's number for the user nobody.
  private static let nobody: UInt32 = 65_534

  private static var ownName: String {
    if case .found(let name) = AccountLookup.userName(of: geteuid()) { name } else { "uid \(geteuid())" }
  }
}

/// What the daemon's program finds in its configuration.
enum ConfigurationFinding: Hashable {
  case valid
  /// The errors, one for each line.
  case invalid([String])
  /// The program could not check it, for this reason.
  case unknown(String)

  /// Runs `positiond --check-config`.
  ///
  /// - Parameters:
  ///   - program: The daemon's file.
  ///   - timeout: How long the check may take.
  static func found(by program: String, on loop: EventLoop, timeout: Duration) -> ConfigurationFinding {
    do throws(SystemError) {
      let pipe = try Pipe()
      var exit: ChildExit?
      let check = try Subprocess(
        Subprocess.Program(program, ["--check-config"]), on: loop, output: .discarded, errors: .descriptor(pipe.input)
      ) {
        exit = $0
        loop.stop()
      }
      pipe.input.close()
      // Its errors fit into the pipe, or it does not end.
      try loop.run(atMost: timeout)
      return try withExtendedLifetime(check) { () throws(SystemError) in
        try self.meaning(of: exit, errors: pipe.output)
      }
    } catch {
      return .unknown("\(error)")
    }
  }

  private static func meaning(of exit: ChildExit?, errors: FileDescriptor) throws(SystemError) -> ConfigurationFinding {
    switch exit {
    case nil: return .unknown("positiond --check-config does not end")
    case .exited(0): return .valid
    case .exited(78):
      var bytes: [UInt8] = []
      while case .bytes = try errors.read(into: &bytes, upTo: 4096) {}
      return .invalid(String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init))
    case .exited(let code): return .unknown("positiond --check-config exits with \(code)")
    case .killed(let signal): return .unknown("signal \(signal) ends positiond --check-config")
    }
  }
}

extension EventLoop {
  /// Serves until it is stopped, or until this time is over.
  func run(atMost timeout: Duration) throws(SystemError) {
    let timer = try self.timer(accuracy: .milliseconds(10)) { [unowned self] in self.stop() }
    defer { timer.cancel() }
    timer.arm(at: self.now + timeout)
    _ = try self.run()
  }
}
