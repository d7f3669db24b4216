import JSONRPC
import PositionProtocol
import Positioning
import TestSupport
import Testing

@testable import PositionClient

/// The client library against a fake daemon.
@Suite(.timeLimit(.minutes(TestDeadline.minutes)))
struct PositionClientTests {
  @Test("A position is requested with the caller's parameters, and its result is in field terms")
  func position() async throws {
    let daemon = try FakeDaemon { _, _ in [.result(Samples.success)] }
    let client = try await PositionClient(socket: daemon.path, name: "compass", purpose: "shows the way")
    let result = try await client.position(
      accuracy: .level(.house), acceptableAccuracy: .meters(50), maximumAge: .seconds(5), timeout: .milliseconds(2500))
    #expect(result.status == .success)
    #expect(result.isSatisfied)
    #expect(result.achievedAccuracy == .house)
    #expect(result.elapsed == .milliseconds(2500))
    #expect(result.fix?.latitude == 48.137154)
    #expect(result.fix?.arrival == Instant(sinceBoot: .seconds(1000)))
    #expect(await daemon.parameters(of: "session.hello") == ["name": "compass", "purpose": "shows the way"])
    #expect(
      await daemon.parameters(of: "position.get") == [
        "accuracy": "house", "acceptableAccuracy": 50, "maxAge": 5, "timeout": 2.5, "activity": "other",
      ])
  }

  @Test("A cancelled task cancels its request on the daemon, and others continue")
  func cancellation() async throws {
    let daemon = try FakeDaemon { method, _ in method == "position.get" ? [] : [.result(Samples.status)] }
    let client = try await PositionClient(socket: daemon.path)
    let task = Task { try await client.position() }
    _ = await daemon.parameters(of: "position.get")
    task.cancel()
    await #expect(throws: PositionError.cancelled) { try await task.outcome }
    #expect(await daemon.parameters(of: "$/cancelRequest") == ["id": 2])
    #expect(try await client.status().version == "0.1.0")
  }

  @Test("A task that was cancelled before its request throws as well")
  func cancelledBefore() async throws {
    let daemon = try FakeDaemon { _, _ in [] }
    let client = try await PositionClient(socket: daemon.path)
    let task = Task {
      unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
      return try await client.position()
    }
    await #expect(throws: PositionError.cancelled) { try await task.outcome }
  }

  @Test("Updates are requested when iterated, come in order, and end on the daemon when the loop is left")
  func updates() async throws {
    let daemon = try FakeDaemon { method, _ in
      guard method == "position.subscribe" else { return [.result(Samples.subscription)] }
      return [.result(Samples.subscription)]
        + (1...3).map { .notify("position.update", Samples.update(latitude: Double($0))) }
    }
    let client = try await PositionClient(socket: daemon.path)
    let updates = client.updates(accuracy: .level(.house), minInterval: .seconds(2), minDistance: 25)
    _ = try await client.call(method: "status.get")
    #expect(!daemon.methods.contains("position.subscribe"))

    var latitudes: [Double?] = []
    for try await update in updates {
      latitudes.append(update.fix?.latitude)
      if latitudes.count == 2 { break }
    }
    #expect(latitudes == [1, 2])
    #expect(await daemon.parameters(of: "subscription.cancel") == ["subscription": 7])
    let asked = await daemon.parameters(of: "position.subscribe")
    #expect(asked?["accuracy"] == "house")
    #expect(asked?["minInterval"] == 2)
    #expect(asked?["minDistance"] == 25)
  }

  @Test("A subscription that the daemon ends ends the loop, and is not cancelled")
  func expiry() async throws {
    let daemon = try FakeDaemon { _, _ in
      [
        .result(Samples.subscription), .notify("position.update", Samples.update()),
        .notify("subscription.ended", ["subscription": 7, "reason": "expired"]),
      ]
    }
    let client = try await PositionClient(socket: daemon.path)
    var count = 0
    for try await _ in client.updates(maxUpdates: 1) { count += 1 }
    #expect(count == 1)
    await client.close()
    _ = await daemon.parameters(of: "(closed)")
    #expect(!daemon.methods.contains("subscription.cancel"))
  }

  @Test("A cancelled task leaves its loop, and ends the subscription on the daemon")
  func cancelledLoop() async throws {
    let daemon = try FakeDaemon { _, _ in [.result(Samples.subscription)] }
    let client = try await PositionClient(socket: daemon.path)
    let task = Task {
      for try await _ in client.updates() { Issue.record("no update was sent") }
    }
    _ = await daemon.parameters(of: "position.subscribe")
    task.cancel()
    try await task.outcome
    #expect(await daemon.parameters(of: "subscription.cancel") == ["subscription": 7])
  }

  @Test("Closing ends waiting calls; later ones are refused")
  func close() async throws {
    let daemon = try FakeDaemon { _, _ in [] }
    let client = try await PositionClient(socket: daemon.path)
    let task = Task { try await client.position() }
    _ = await daemon.parameters(of: "position.get")
    await client.close()
    await #expect(throws: PositionError.closed) { try await task.outcome }
    await #expect(throws: PositionError.closed) { try await client.last() }
    await #expect(throws: PositionError.closed) { for try await _ in client.updates() {} }
    await client.close()
  }

  @Test("Closing ends sequences without an error")
  func closeOfSequences() async throws {
    let daemon = try FakeDaemon { _, _ in [.result(Samples.subscription)] }
    let client = try await PositionClient(socket: daemon.path)
    let task = Task {
      for try await _ in client.updates() { Issue.record("no update was sent") }
    }
    _ = await daemon.parameters(of: "position.subscribe")
    await client.close()
    try await task.outcome
  }

  @Test("Releasing the last reference ends the connection")
  func release() async throws {
    let daemon = try FakeDaemon { _, _ in [.result(Samples.status)] }
    do {
      let client = try await PositionClient(socket: daemon.path)
      _ = try await client.status()
      #expect(!daemon.methods.contains("(closed)"))
    }
    #expect(await daemon.parameters(of: "(closed)") != nil)
  }

  @Test("Without a daemon, and with one of another major version, the client reports that")
  func noDaemon() async throws {
    await #expect(throws: PositionError.daemonNotRunning(socket: "/nonexistent/socket")) {
      _ = try await PositionClient(socket: "/nonexistent/socket")
    }
    let daemon = try FakeDaemon(hello: Samples.hello.with(["protocol": "2.0"])) { _, _ in [] }
    await #expect(throws: PositionError.unexpected("protocol 2.0, and this client speaks 1.0")) {
      _ = try await PositionClient(socket: daemon.path)
    }
  }

  @Test(
    "Errors of the daemon are distinguished by their meaning",
    arguments: [
      (-32800, .cancelled), (-32602, .failed(RPCError(code: .invalidParams, message: "m"))),
    ] as [(Int, PositionError)])
  func errors(code: Int, error: PositionError) async throws {
    let daemon = try FakeDaemon { _, _ in [.error(code, "m")] }
    let client = try await PositionClient(socket: daemon.path)
    await #expect(throws: error) { try await client.position() }
  }

  @Test("The sky has the moment of its arrival; an unknown one is absent")
  func sky() async throws {
    let daemon = try FakeDaemon { method, _ in
      method == "sky.get"
        ? [.result([:])]
        : [
          .result(Samples.subscription),
          .notify(
            "sky.update",
            [
              "subscription": 7, "age": 0.5,
              "satellites": [["constellation": "gps", "svid": 5, "snr": 38, "used": true]],
            ]),
        ]
    }
    let client = try await PositionClient(socket: daemon.path)
    #expect(try await client.sky() == nil)
    for try await update in client.skyUpdates() {
      #expect(update.sky?.satellites == [.init(constellation: .gps, svid: 5, snr: 38, isUsed: true)])
      #expect(update.reason == nil)
      break
    }
  }
}
