import EventLoop
import JSONRPC
import PositionProtocol
import Positioning
import TestSupport
import Testing

@testable import PositionClient

/// Sequences of positions with commands, with a fake daemon.
@Suite(.timeLimit(.minutes(TestDeadline.minutes)))
struct SubscriptionCommandTests {
  private static let paused: JSONValue = ["subscription": 7, "state": "paused", "availability": "available"]

  private static func word(_ reason: String) -> JSONValue {
    ["subscription": 7, "state": "paused", "availability": "available", "reason": .string(reason)]
  }

  /// A daemon that sends a fix to each subscription, and the results of each command.
  private static func daemon() throws -> FakeDaemon {
    try FakeDaemon { method, _ in
      switch method {
      case "position.subscribe": [.result(Samples.subscription), .notify("position.update", Samples.update())]
      case "subscription.pause": [.result(Self.paused), .notify("position.update", Self.word("paused"))]
      case "subscription.resume":
        [.result(Samples.subscription), .notify("position.update", Self.word("resumed"))]
      case "subscription.acquire":
        [.result(Samples.subscription), .notify("position.update", Self.word("acquiring"))]
      case "subscription.flush":
        [.result(Samples.subscription), .notify("position.update", Samples.batch("flush", dropped: 3))]
      default: [.result(Samples.subscription)]
      }
    }
  }

  private static func word(_ update: PositionUpdate?) -> String {
    update.map { $0.reason?.rawValue ?? ($0.fix == nil ? "nothing" : "fix") } ?? "end"
  }

  @Test("A loop is paused, resumed, acquires a fix and gets its batch, in order")
  func orders() async throws {
    let daemon = try Self.daemon()
    let client = try await PositionClient(socket: daemon.path)
    let control = SubscriptionControl()
    var updates = client.updates(mode: .deferred(timeout: .seconds(600)), control: control).makeAsyncIterator()
    #expect(Self.word(try await updates.next()) == "fix")
    control.pause()
    #expect(control.isPaused)
    control.resume()
    control.acquire()
    control.flush()
    #expect(!control.isPaused)
    var words: [String] = []
    for _ in 1...3 { words.append(Self.word(try await updates.next())) }
    #expect(words == ["paused", "resumed", "acquiring"])
    let batch = try #require(try await updates.next())
    #expect(batch.reason == .flush && batch.fix == nil && batch.dropped == 3)
    #expect(batch.fixes.map(\.arrival.sinceBoot) == [.seconds(940), .seconds(1000)])
    #expect(
      daemon.methods.dropFirst(2) == [
        "subscription.pause", "subscription.resume", "subscription.acquire", "subscription.flush",
      ])
    #expect(await daemon.parameters(of: "subscription.flush") == ["subscription": 7])
  }

  @Test("A subscription that is paused before it begins delivers only that")
  func pausedBefore() async throws {
    let daemon = try Self.daemon()
    let client = try await PositionClient(socket: daemon.path)
    let control = SubscriptionControl(isPaused: true)
    var updates = client.updates(control: control).makeAsyncIterator()
    #expect(Self.word(try await updates.next()) == "paused")
    control.resume()
    #expect(Self.word(try await updates.next()) == "resumed")
  }

  @Test("A paused loop stays paused over a lost connection, and a resumed one does not")
  func reconnection() async throws {
    let daemon = try Self.daemon()
    let client = try await PositionClient(socket: daemon.path)
    let control = SubscriptionControl()
    var updates = client.updates(control: control).makeAsyncIterator()
    #expect(Self.word(try await updates.next()) == "fix")
    control.pause()
    #expect(Self.word(try await updates.next()) == "paused")
    daemon.dropClients()
    #expect(Self.word(try await updates.next()) == "disconnected")
    #expect(
      try await updates.next() == PositionUpdate(availability: .available, state: .paused, reason: .reconnected))
    #expect(Self.word(try await updates.next()) == "paused")
    control.resume()
    #expect(Self.word(try await updates.next()) == "resumed")
    daemon.dropClients()
    #expect(Self.word(try await updates.next()) == "disconnected")
    #expect(Self.word(try await updates.next()) == "reconnected")
    #expect(Self.word(try await updates.next()) == "fix")
    #expect(daemon.methods.count { $0 == "subscription.pause" } == 2)
  }

  @Test("A fix that is requested without a connection is acquired when there is one")
  func apart() async throws {
    let folder = try TemporaryFolder()
    let first = try FakeDaemon(at: folder.file("socket")) { _, _ in [.result(Samples.subscription)] }
    let client = try await PositionClient(socket: first.path)
    first.end()
    let control = SubscriptionControl()
    var updates = client.updates(control: control).makeAsyncIterator()
    #expect(Self.word(try await updates.next()) == "disconnected")
    control.flush()
    control.acquire()
    let second = try FakeDaemon(at: first.path) { method, _ in
      [.result(Samples.subscription)]
        + (method == "subscription.acquire" ? [.notify("position.update", Self.word("acquiring"))] : [])
    }
    #expect(Self.word(try await updates.next()) == "reconnected")
    #expect(Self.word(try await updates.next()) == "acquiring")
    #expect(second.methods == ["session.hello", "position.subscribe", "subscription.acquire"])
  }

  @Test("A loop that is left gets no commands any more, and others with the same control do")
  func severalLoops() async throws {
    let numbers = Parts(1, 2)
    let daemon = try FakeDaemon { method, params in
      guard method == "position.subscribe" else {
        guard case .integer(let number)? = params["subscription"] else { return [.close] }
        return [
          .result(Self.paused),
          .notify("position.update", ["subscription": .integer(number), "state": "paused", "availability": "lost"]),
        ]
      }
      let number = numbers.next()
      return [
        .result(["subscription": .integer(number), "state": "delivering", "availability": "available"]),
        .notify("position.update", Samples.update(number)),
      ]
    }
    let client = try await PositionClient(socket: daemon.path)
    let control = SubscriptionControl()
    let updates = client.updates(control: control)
    for try await _ in updates { break }
    _ = await daemon.parameters(of: "subscription.cancel")
    var other = updates.makeAsyncIterator()
    #expect(Self.word(try await other.next()) == "fix")
    control.pause()
    _ = try await other.next()
    #expect(await daemon.parameters(of: "subscription.pause") == ["subscription": 2])
    #expect(daemon.methods.count { $0 == "subscription.pause" } == 1)
  }

  @Test(
    "Each mode requests its own parameters, and none of another",
    arguments: [
      (.passive, ["mode": "passive"]),
      (
        .significant(), ["mode": "significant", "significantDistance": 500, "significantInterval": 300]
      ),
      (
        .significant(distance: 1000, interval: .seconds(60), acquire: Acquisition(budget: .seconds(30))),
        [
          "mode": "significant", "significantDistance": 1000, "significantInterval": 60,
          "acquire": ["budget": 30, "desiredAccuracy": 10, "acceptableAccuracy": 100],
        ]
      ),
      (.deferred(distance: 5000), ["mode": "deferred", "deferredDistance": 5000]),
      (.deferred(timeout: .seconds(600)), ["mode": "deferred", "deferredTimeout": 600]),
    ] as [(UpdateMode, JSONValue)])
  func modes(mode: UpdateMode, expected: JSONValue) async throws {
    let daemon = try Self.daemon()
    let client = try await PositionClient(socket: daemon.path)
    for try await _ in client.updates(mode: mode, autoPause: true) { break }
    guard case .object(var asked)? = await daemon.parameters(of: "position.subscribe") else {
      Issue.record("nothing was asked")
      return
    }
    #expect(asked["autoPause"] == true)
    for name in ["autoPause", "minInterval", "minDistance", "activity", "replay"] { asked[name] = nil }
    #expect(.object(asked) == expected)
  }

  @Test("A dropped batch is counted by its fixes, and is one of the requested updates")
  func batches() throws {
    var newest = PositionUpdate(availability: .available, dropped: 1)
    newest.passOver(try Self.batch(dropped: 4))
    #expect(newest.dropped == 7)
    let batch = try Self.batch(dropped: 4)
    let late = PositionUpdate(fix: batch.fixes[0], availability: .available, dropped: 2)
    var (loop, program) = (DeliveryProgress(), DeliveryProgress())
    for update in [batch, late] {
      loop.delivered(update)
      program.delivered(
        SubscriptionEvent<PositionSubscribeRequest>.notified(PositionUpdateNotification(subscription: 7, update)))
    }
    // The same for a loop and for a program that follows the notifications itself.
    for past in [loop, program] {
      #expect(past.updates == 4)
      #expect(past.newest == Instant(sinceBoot: .seconds(1000)))
    }
  }

  private static func batch(dropped: Int) throws -> PositionUpdate {
    (try Samples.decoded(Samples.batch("timeout", dropped: dropped)) as PositionUpdateNotification).update
  }
}
