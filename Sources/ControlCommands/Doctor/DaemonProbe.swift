import EventLoop
import JSONRPC
import PositionClient
import PositionProtocol
import Positioning

/// Asks the daemon for its status, for a few seconds at most.
enum DaemonProbe {
  /// - Parameter patience: How long the daemon may take.
  static func run(
    on loop: EventLoop, socket: String, patience: Duration, clock: @escaping CodingMoment.Clock
  ) -> DaemonFinding {
    do {
      let connection = try DaemonConnection(on: loop, path: socket, clock: clock)
      defer { connection.close() }
      let timer = try loop.timer(accuracy: .milliseconds(10)) { loop.stop() }
      defer { timer.cancel() }
      timer.arm(at: loop.now + patience)
      return try self.ask(connection, on: loop)
    } catch let error as PositionError {
      return .unreachable(error)
    } catch {
      return .unreachable(.cannotConnect(socket: socket, reason: "\(error)"))
    }
  }

  private static func ask(_ connection: DaemonConnection, on loop: EventLoop) throws -> DaemonFinding {
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
      case .success(let status): if let session { finding = .answers(session, status) }
      case .failure(let error): if case .silent = finding { finding = .unreachable(error) }
      }
      loop.stop()
    }
    _ = try loop.run()
    return finding
  }
}
