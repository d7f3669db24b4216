import EventLoop
import JSONRPC
import PositionProtocol
import Positioning
import TestSupport
import Testing

@testable import PositionClient

/// Sequences over several connections, with a fake daemon.
@Suite(.timeLimit(.minutes(TestDeadline.minutes)))
struct ReconnectionTests {
  /// A daemon that sends one update to each subscription.
  private static func daemon(at path: String? = nil, latitude: Double = 1) throws -> FakeDaemon {
    try FakeDaemon(at: path) { method, _ in
      [.result(Samples.subscription)]
        + (method == "position.subscribe" ? [.notify("position.update", Samples.update(latitude: latitude))] : [])
    }
  }

  /// An update as a word.
  private static func word(_ update: PositionUpdate?) -> String {
    guard let update else { return "end" }
    return update.fix.map { "\($0.latitude)" } ?? update.reason?.rawValue ?? "nothing"
  }

  @Test("A lost connection is an update, and so is its return; then updates continue")
  func dropped() async throws {
    let daemon = try Self.daemon()
    let client = try await PositionClient(socket: daemon.path, name: "compass")
    var updates = client.updates(accuracy: .room, minDistance: 10).makeAsyncIterator()
    var words: [String] = []
    for round in 1...3 {
      words.append(Self.word(try await updates.next()))
      daemon.dropClients()
      let lost = try #require(try await updates.next())
      #expect(lost == PositionUpdate(availability: .unknown, state: .waiting, reason: .disconnected))
      let back = try #require(try await updates.next())
      #expect(back == PositionUpdate(availability: .available, state: .delivering, reason: .reconnected))
      #expect(await daemon.parameters(of: "session.hello", number: round + 1) == ["name": "compass"])
    }
    #expect(words == ["1.0", "1.0", "1.0"])
    let first = await daemon.parameters(of: "position.subscribe")
    #expect(await daemon.parameters(of: "position.subscribe", number: 4) == first)
  }

  @Test("A daemon that ends and its successor are one sequence")
  func restarted() async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("socket")
    var daemon = try Self.daemon(at: path)
    let client = try await PositionClient(socket: path)
    var updates = client.updates().makeAsyncIterator()
    #expect(Self.word(try await updates.next()) == "1.0")
    for round in 2...4 {
      daemon.end()
      #expect(Self.word(try await updates.next()) == "disconnected")
      daemon = try Self.daemon(at: path, latitude: Double(round))
      #expect(Self.word(try await updates.next()) == "reconnected")
      #expect(Self.word(try await updates.next()) == "\(Double(round))")
    }
  }

  @Test("Every kind of sequence reports a lost connection")
  func kinds() async throws {
    let daemon = try FakeDaemon { _, _ in [.result(Samples.subscription)] }
    let client = try await PositionClient(socket: daemon.path)
    let sky = Task {
      var updates = client.skyUpdates().makeAsyncIterator()
      return [try await updates.next(), try await updates.next()]
    }
    let status = Task {
      var updates = client.statusUpdates().makeAsyncIterator()
      return [try await updates.next(), try await updates.next()]
    }
    _ = await daemon.parameters(of: "sky.subscribe")
    _ = await daemon.parameters(of: "status.subscribe")
    // Answers come in order: with this one both subscriptions are established.
    _ = try await client.call(method: "any")
    daemon.dropClients()
    #expect(try await sky.outcome == [SkyUpdate(reason: .disconnected), SkyUpdate(reason: .reconnected)])
    #expect(try await status.outcome == [StatusUpdate(reason: .disconnected), StatusUpdate(reason: .reconnected)])
  }

  @Test("A loop that begins without a daemon reports that, and continues when there is one")
  func begunApart() async throws {
    let folder = try TemporaryFolder()
    let first = try Self.daemon(at: folder.file("socket"))
    let client = try await PositionClient(socket: first.path)
    first.end()
    var updates = client.updates().makeAsyncIterator()
    #expect(Self.word(try await updates.next()) == "disconnected")
    let second = try Self.daemon(at: first.path, latitude: 2)
    #expect(Self.word(try await updates.next()) == "reconnected")
    #expect(Self.word(try await updates.next()) == "2.0")
    #expect(second.methods == ["session.hello", "position.subscribe"])
  }

  @Test("A subscription that is refused the second time ends with the error")
  func refused() async throws {
    let subscriptions = Sequel([.result(Samples.subscription)], [.error(-32007, "too many subscriptions")])
    let daemon = try FakeDaemon { _, _ in subscriptions.next() }
    let client = try await PositionClient(socket: daemon.path)
    var updates = client.updates().makeAsyncIterator()
    let task = Task {
      var words: [String] = []
      while words.count < 5, let update = try await updates.next() { words.append(Self.word(update)) }
      return words
    }
    _ = await daemon.parameters(of: "position.subscribe")
    daemon.dropClients()
    await #expect(throws: PositionError.failed(RPCError(code: .limitExceeded, message: "too many subscriptions"))) {
      try await task.outcome
    }
  }

  @Test("A daemon that stops refuses requests, and the next one gets them")
  func stopping() async throws {
    let subscriptions = Sequel(
      [.error(-32010, "the daemon is stopping"), .notify("session.closing", ["reason": "shuttingDown"]), .close],
      [.result(Samples.subscription), .notify("position.update", Samples.update(latitude: 5))])
    let daemon = try FakeDaemon { _, _ in subscriptions.next() }
    let client = try await PositionClient(socket: daemon.path)
    var updates = client.updates().makeAsyncIterator()
    #expect(Self.word(try await updates.next()) == "disconnected")
    #expect(Self.word(try await updates.next()) == "reconnected")
    #expect(Self.word(try await updates.next()) == "5.0")
  }

  @Test("A successor of another major version ends every sequence")
  func otherVersion() async throws {
    let folder = try TemporaryFolder()
    let first = try Self.daemon(at: folder.file("socket"))
    let client = try await PositionClient(socket: first.path)
    var updates = client.updates().makeAsyncIterator()
    #expect(Self.word(try await updates.next()) == "1.0")
    first.end()
    #expect(Self.word(try await updates.next()) == "disconnected")
    let second = try FakeDaemon(at: first.path, hello: Samples.hello.with(["protocol": "2.0"])) { _, _ in [] }
    await #expect(throws: PositionError.unexpected("protocol 2.0, and this client speaks 1.0")) {
      try await updates.next()
    }
    #expect(try await updates.next() == nil)
    withExtendedLifetime(second) {}
  }

  @Test("A loop that is left without a daemon is not subscribed again")
  func leftApart() async throws {
    let folder = try TemporaryFolder()
    let first = try Self.daemon(at: folder.file("socket"))
    let client = try await PositionClient(socket: first.path)
    for try await update in client.updates() {
      first.end()
      if update.reason == .disconnected { break }
    }
    let second = try Self.daemon(at: first.path)
    _ = try await client.call(method: "status.get")
    #expect(second.methods == ["session.hello", "status.get"])
  }

  @Test("A client that has nothing open does not reconnect")
  func idle() async throws {
    let daemon = try FakeDaemon { _, _ in [.result(Samples.status)] }
    let idle = try await PositionClient(socket: daemon.path)
    daemon.dropClients()
    _ = await daemon.parameters(of: "(closed)")
    // Another sequence begins and ends meanwhile; a client that reconnects at once would have done so before.
    for number in 1...5 {
      let other = try await PositionClient(socket: daemon.path)
      _ = try await other.status()
      #expect(daemon.methods.count { $0 == "session.hello" } == number + 1)
      await other.close()
    }
    _ = try await idle.status()
    #expect(daemon.methods.count { $0 == "session.hello" } == 7)
  }

  @Test("A loop that is left before the daemon has answered is ended on the daemon afterwards")
  func leftEarly() async throws {
    let late = #"{"jsonrpc":"2.0","id":2,"result":{"subscription":7,"state":"waiting","availability":"searching"}}"#
    let daemon = try FakeDaemon { method, _ in
      switch method {
      case "position.subscribe": []
      case "status.get": [.raw("\(late)\n"), .result(Samples.status)]
      default: [.result(Samples.subscription)]
      }
    }
    let client = try await PositionClient(socket: daemon.path)
    let task = Task {
      for try await _ in client.updates() { Issue.record("no update was sent") }
    }
    _ = await daemon.parameters(of: "position.subscribe")
    task.cancel()
    try await task.outcome
    _ = try await client.status()
    #expect(await daemon.parameters(of: "subscription.cancel") == ["subscription": 7])
  }

  @Test("Closing ends a sequence that has no connection, too")
  func closedApart() async throws {
    let daemon = try Self.daemon()
    let client = try await PositionClient(socket: daemon.path)
    var updates = client.updates().makeAsyncIterator()
    _ = try await updates.next()
    daemon.end()
    #expect(Self.word(try await updates.next()) == "disconnected")
    await client.close()
    #expect(try await updates.next() == nil)
  }

  // MARK: Remaining updates

  @Test("The remaining updates are requested, and none is delivered twice")
  func updatesLeft() async throws {
    let arrivals = [1000.0, 1001].map { Samples.update(arrival: $0) }
    let later = [1002.0, 1003].map { Samples.update(arrival: $0) }
    let subscriptions = Sequel(
      [.result(Samples.subscription)] + arrivals.map { .notify("position.update", $0) } + [.close],
      [.result(Samples.subscription), .notify("position.update", Samples.update(arrival: 1001, isReplay: true))]
        + later.map { .notify("position.update", $0) })
    let daemon = try FakeDaemon { method, _ in
      method == "position.subscribe" ? subscriptions.next() : [.result(Samples.subscription)]
    }
    let client = try await PositionClient(socket: daemon.path)
    var received: [Duration] = []
    for try await update in client.updates(maxUpdates: 4) {
      if let fix = update.fix { received.append(fix.arrival.sinceBoot) }
    }
    #expect(received == (1000...1003).map { .seconds($0) })
    #expect(await daemon.parameters(of: "position.subscribe")?["maxUpdates"] == 4)
    // One more than the rest, for the one that may be repeated.
    #expect(await daemon.parameters(of: "position.subscribe", number: 2)?["maxUpdates"] == 3)
    #expect(await daemon.parameters(of: "subscription.cancel") == ["subscription": 7])
  }

  @Test("The remaining duration is requested")
  func durationLeft() async throws {
    let daemon = try Self.daemon()
    let client = try await PositionClient(socket: daemon.path)
    var updates = client.updates(duration: .seconds(60)).makeAsyncIterator()
    _ = try await updates.next()
    daemon.dropClients()
    #expect(Self.word(try await updates.next()) == "disconnected")
    #expect(Self.word(try await updates.next()) == "reconnected")
    let asked = await daemon.parameters(of: "position.subscribe", number: 2)?["duration"]
    guard case .number(let left)? = asked else {
      Issue.record("\(String(describing: asked))")
      return
    }
    #expect(left < 60 && left > 45)
  }

  @Test("A duration ends the sequence even while there is no daemon")
  func durationApart() async throws {
    let daemon = try Self.daemon()
    let client = try await PositionClient(socket: daemon.path)
    var words: [String] = []
    for try await update in client.updates(duration: .milliseconds(300)) {
      words.append(Self.word(update))
      daemon.end()
    }
    #expect(words == ["1.0", "disconnected"])
  }
}
