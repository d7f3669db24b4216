import EventLoop
import JSONRPC
import PositionProtocol
import Positioning
import TestSupport
import Testing

@testable import PositionClient

/// Requests whose connection is lost before they are answered.
@Suite(.timeLimit(.minutes(TestDeadline.minutes)))
struct RequestTests {
  @Test("A position is requested again, for the remaining time")
  func position() async throws {
    let answers = Sequel([.notify("session.closing", ["reason": "shuttingDown"]), .close], [.result(Samples.success)])
    let daemon = try FakeDaemon { _, _ in answers.next() }
    let client = try await PositionClient(socket: daemon.path)
    let result = try await client.position(accuracy: .house, timeout: .seconds(10))
    #expect(result.status == .success)
    let first = await daemon.parameters(of: "position.get")
    let second = await daemon.parameters(of: "position.get", number: 2)
    #expect(first?["timeout"] == 10)
    guard case .number(let left)? = second?["timeout"] else {
      Issue.record("no time is left in \(String(describing: second))")
      return
    }
    #expect(left < 10 && left > 0)
    #expect(second?["accuracy"] == "house")
  }

  @Test("A daemon that stops does not answer a position; the next daemon does")
  func shuttingDown() async throws {
    let answers = Sequel([.error(-32010, "stopping"), .close], [.result(Samples.success)])
    let daemon = try FakeDaemon { _, _ in answers.next() }
    let client = try await PositionClient(socket: daemon.path)
    #expect(try await client.position().status == .success)
  }

  @Test("A daemon that closes the connection with a request unread has closed it")
  func unread() async throws {
    let outcome = try await withLoop { loop in
      let folder = try TemporaryFolder()
      let listener = try UnixSocket.listen(path: folder.file("socket"), mode: 0o600, backlog: 1)
      let connection = try DaemonConnection(on: loop, path: folder.file("socket"))
      var outcome: Result<JSONValue, PositionError>?
      connection.call(method: "status.get", params: .null) { outcome = $0 }
      // Closing resets the connection, because the request is unread.
      try #require(try listener.accept()).close()
      try loop.drive(until: "the end of the request") { outcome != nil }
      return outcome
    }
    #expect(outcome == .failure(.connectionLost(reason: "the daemon closed it")))
  }

  @Test("Every reading request is repeated")
  func reads() async throws {
    let answers = Sequel([.close], [.result(["availability": "stale"])], [.close], [.result([:])])
    let daemon = try FakeDaemon { _, _ in answers.next() }
    let client = try await PositionClient(socket: daemon.path)
    #expect(try await client.last().availability == .stale)
    #expect(try await client.sky() == nil)
    #expect(daemon.methods.filter { $0 == "position.last" || $0 == "sky.get" }.count == 4)
    let status = Sequel([.close], [.result(Samples.status)])
    let other = try FakeDaemon { _, _ in status.next() }
    #expect(try await PositionClient(socket: other.path).status().version == "0.1.0")
  }

  @Test("A request that may have had its effect is not repeated, and throws why; the next one reconnects")
  func call() async throws {
    let answers = Sequel(
      [.notify("session.closing", ["reason": "tooSlow"]), .close], [.result(["outcome": "unknown"])])
    let daemon = try FakeDaemon { _, _ in answers.next() }
    let client = try await PositionClient(socket: daemon.path)
    await #expect(throws: PositionError.connectionLost(reason: "this client did not read in time")) {
      try await client.call(method: "request.cancel", params: ["request": 1])
    }
    #expect(try await client.call(method: "request.cancel", params: ["request": 2]) == ["outcome": "unknown"])
    #expect(
      daemon.methods.filter { $0 != "(closed)" } == [
        "session.hello", "request.cancel", "session.hello", "request.cancel",
      ])
  }

  @Test("Without a daemon a call throws at once, and a position at its timeout")
  func withoutDaemon() async throws {
    let daemon = try FakeDaemon { _, _ in [] }
    let client = try await PositionClient(socket: daemon.path)
    daemon.end()
    // The first may still be sent on the connection that has just ended.
    await #expect(throws: PositionError.self) { try await client.call(method: "status.get") }
    let notRunning = PositionError.daemonNotRunning(socket: daemon.path)
    await #expect(throws: notRunning) { try await client.call(method: "status.get") }
    await #expect(throws: notRunning) { try await client.position(timeout: .milliseconds(300)) }
  }

  @Test("A position that waits for a daemon can be cancelled")
  func cancelled() async throws {
    let daemon = try FakeDaemon { _, _ in [] }
    let client = try await PositionClient(socket: daemon.path)
    let task = Task { try await client.position(timeout: .zero) }
    _ = await daemon.parameters(of: "position.get")
    daemon.end()
    await #expect(throws: PositionError.self) { try await client.call(method: "status.get") }
    task.cancel()
    await #expect(throws: PositionError.cancelled) { try await task.outcome }
  }

  @Test("A broken protocol ends the waiting requests, which are not repeated")
  func noProtocol() async throws {
    let answers = Sequel([.raw("this is not JSON\n")], [.result(["availability": "stale"])])
    let daemon = try FakeDaemon { _, _ in answers.next() }
    let client = try await PositionClient(socket: daemon.path)
    await #expect { try await client.last() } throws: { error in
      if case PositionError.unexpected? = error as? PositionError { true } else { false }
    }
    #expect(try await client.last().availability == .stale)
  }

  // MARK: A daemon that is not running yet

  @Test("A client can wait for its daemon")
  func waiting() async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("socket")
    let task = Task { try await PositionClient(socket: path, name: "early", waitsForDaemon: true) }
    let daemon = try FakeDaemon(at: path) { _, _ in [.result(["availability": "stale"])] }
    let client = try await task.outcome
    #expect(try await client.last().availability == .stale)
    #expect(await daemon.parameters(of: "session.hello") == ["name": "early"])
  }

  @Test("A client that waits for its daemon can be cancelled")
  func waitingCancelled() async throws {
    let task = Task { try await PositionClient(socket: "/nonexistent/socket", waitsForDaemon: true) }
    task.cancel()
    await #expect(throws: PositionError.cancelled) { try await task.outcome }
  }
}
