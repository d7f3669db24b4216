import EventLoop
import JSONRPC
import PositionProtocol
import Positioning
import Synchronization
import TestSupport
import Testing

@testable import PositionClient

/// A daemon that sends invalid data: the program gets a value or an error, and continues.
@Suite(.timeLimit(.minutes(TestDeadline.minutes)))
struct LyingDaemonTests {
  private static let objects = Dictionary(
    uniqueKeysWithValues: PositionMethods.objects.map { ($0.description.name, $0.description.fields) })

  /// The behaviour of a daemon with invalid data.
  private static func script(seed: UInt64, _ manner: Liar.Misbehaviour) -> FakeDaemon.Script {
    // The connection is lost twice, and all is requested again.
    let closes = Parts(false, false, true, false, false, false, false, true, false)
    return Liar.script(
      seed: seed, manner, server: PositionMethods.server, client: PositionMethods.client, objects: self.objects
    ) { _, _ in closes.next() ? [.close] : [] }
  }

  private typealias Use = @Sendable (PositionClient) async throws -> Void

  /// All single requests of a program.
  private static let questions: [Use] = [
    { _ = try await $0.position(timeout: .seconds(Int64.max)) },
    { _ = try await $0.position(accuracy: .room, delayUntilAuthorized: true) },
    { _ = try await $0.last() },
    { _ = try await $0.heading() },
    { _ = try await $0.sky() },
    { _ = try await $0.status() },
    { _ = try await $0.authorization() },
    { _ = try await $0.requestAuthorization() },
    { _ = try await $0.durableNames() },
    { _ = try await $0.durable(name: "tracker").registered() },
    { _ = try await $0.durable(name: "tracker").regions() },
    { _ = try await $0.durable(name: "tracker").add(Self.home) },
    { _ = try await $0.durable(name: "tracker").remove() },
    { try await $0.durable(name: "tracker").subscribeSignificant(duration: .seconds(Int64.max)) },
    { try await $0.durable(name: "tracker").acknowledge(through: .max) },
    { _ = try await $0.call(method: "rpc.discover") },
  ]

  /// All subscriptions of a program.
  private static let loops: [Use] = [
    { for try await update in $0.updates(maxUpdates: .max) { _ = update.fix?.age(at: Instant(sinceBoot: .zero)) } },
    { for try await _ in $0.updates(mode: .deferred(timeout: .seconds(60)), duration: .seconds(Int64.max)) {} },
    { for try await _ in $0.headingUpdates() {} },
    { for try await _ in $0.skyUpdates() {} },
    { for try await _ in $0.statusUpdates() {} },
    { for try await _ in $0.visits() {} },
    { for try await _ in $0.regionEvents([Self.home]) {} },
    { for try await _ in $0.durable(name: "tracker").events(since: .max) {} },
    { for try await _ in $0.authorizationChanges() {} },
    { try await $0.answerPrompts { $0.expiresIn > .seconds(60) ? .allow() : .deny() } },
  ]

  private static let home = Region(
    id: "home", shape: .circle(center: Coordinate(latitude: 48, longitude: 11), radius: 150),
    expiresIn: .seconds(Int64.max))

  @Test(
    "Whatever the daemon sends, a program gets values and errors, and ends", arguments: Liar.Misbehaviour.allCases,
    0..<16)
  func lies(manner: Liar.Misbehaviour, seed: Int) async throws {
    let daemon = try FakeDaemon(Self.script(seed: UInt64(seed), manner))
    let client = try await PositionClient(socket: daemon.path)
    await withTaskGroup(of: Void.self) { group in
      for loop in Self.loops { group.addTask { await Self.ended(client, loop) } }
      for question in Self.questions { await Self.ended(client, question) }
      await client.close()
    }
    // Later requests are answered as usual.
    let honest = try FakeDaemon { _, _ in [.result(Samples.status)] }
    _ = try await PositionClient(socket: honest.path).status()
    withExtendedLifetime(daemon) {}
  }

  /// Ends with a value or with an error of the client's own.
  private static func ended(_ client: PositionClient, _ use: Use) async {
    do {
      try await use(client)
    } catch is PositionError {
    } catch {
      Issue.record(error)
    }
  }

  @Test(
    "Numbers that Swift cannot represent are an error, and do not end the program",
    arguments: ["1e400", "-1e400", "18446744073709551616", "1e-400", "-0.0", "9223372036854775808"])
  func numbers(text: String) async throws {
    let fix = #"{"latitude":48,"longitude":11,"arrival":\#(text),"age":\#(text),"mode":"3d","status":"gnss"}"#
    let result = #"{"availability":"available","fix":\#(fix)}"#
    let daemon = try FakeDaemon { _, _ in [.raw(#"{"jsonrpc":"2.0","id":2,"result":\#(result)}"# + "\n")] }
    let client = try await PositionClient(socket: daemon.path)
    await Self.ended(client) { _ = try await $0.last() }
    await client.close()
  }

  @Test("A number that JSON does not have is an error, and does not end the program")
  func ownNumbers() async throws {
    let daemon = try FakeDaemon { _, _ in [.result(Samples.success)] }
    let client = try await PositionClient(socket: daemon.path)
    let error = PositionError.failed(RPCError(code: .invalidParams, message: "a number must be finite"))
    await #expect(throws: error) { for try await _ in client.updates(minDistance: .nan) {} }
    await #expect(throws: error) { _ = try await client.position(accuracy: .meters(.infinity)) }
    await #expect(throws: error) {
      _ = try await client.call(method: "position.get", params: ["timeout": .number(.nan)])
    }
    #expect(try await client.position().status == .success)
  }

  @Test("A daemon that accepts and never answers is an error in time, and tried again")
  func silent() async throws {
    let hello = try FakeDaemon(hello: nil) { _, _ in [] }
    let seen = Mutex<[PositionError]>([])
    let (ends, end) = AsyncStream.makeStream(of: Void.self)
    _ = try EventLoop.spawnThread(name: "link") {
      do {
        let loop = try EventLoop()
        let link = DaemonLink(on: loop, path: hello.path, name: nil, purpose: nil, greetingTime: .milliseconds(200))
        try link.begin()
        link.onFailed = { error in
          let count = seen.withLock { seen in
            seen.append(error)
            return seen.count
          }
          if count == 2 { loop.stop() } else { link.connectInTime() }
        }
        link.connect()
        _ = try loop.run()
        link.close()
      } catch {
        Issue.record(error)
      }
      end.finish()
    }
    for await _ in ends {}
    let words = "the daemon takes connections, and has said nothing for 0 s"
    #expect(seen.withLock { $0 } == Array(repeating: .cannotConnect(socket: hello.path, reason: words), count: 2))
  }

  @Test("Every enumeration on the wire may have unknown values, and the rest of the message is read")
  func laterWords() throws {
    for request in PositionMethods.server.requests { try Self.readLater(request) }
    for notification in PositionMethods.client.notifications {
      try Self.readLater(notification)
    }
  }

  private static func readLater<Request: RequestType>(_ request: Request.Type) throws {
    self.read(Request.resultCodec, self.later(request.result.schema), Request.method)
  }

  private static func readLater<Message: NotificationType>(_ message: Message.Type) throws {
    self.read(Message.codec, self.later(.object(Message.parameters)), Message.method)
  }

  private static func read<Value>(_ codec: Codec<Value>, _ value: JSONValue, _ name: String) {
    do {
      _ = try codec.decode(value.encoded())
    } catch {
      Issue.record("\(name): \(error) in \(value)")
    }
  }

  /// A value of the schema in which each enum value is one of a later daemon.
  private static func later(_ schema: Schema) -> JSONValue {
    switch schema {
    case .choice: "later"
    case .either(.choice, _), .either(_, .choice): "later"
    case .either(let one, _): self.later(one)
    case .array(let element): [self.later(element), self.later(element)]
    case .dictionary(let element): ["further": self.later(element)]
    case .object(let fields): .object(self.later(fields))
    case .reference(let name): .object(self.later(self.objects[name] ?? []))
    case .boolean: true
    case .integer: 1
    case .number: 1
    case .string, .requestID, .any: "text"
    case .time: "2026-01-31T12:00:00.000Z"
    }
  }

  private static func later(_ fields: [FieldDescription]) -> [String: JSONValue] {
    Dictionary(uniqueKeysWithValues: fields.map { ($0.name, self.later($0.schema)) })
  }

  /// Returns once the task is cancelled.
  private static func cancelled() async {
    let (stream, ending) = AsyncStream.makeStream(of: Void.self)
    await withTaskCancellationHandler {
      for await _ in stream {}
    } onCancel: {
      ending.finish()
    }
  }

  @Test("A prompt past 64 open ones is refused, and those are kept")
  func prompts() async throws {
    let prompt = Samples.prompt()
    let daemon = try FakeDaemon { method, _ in
      method == "agent.register"
        ? [.result(["ok": true])] + (0..<65).map { .ask($0, "agent.authorize", prompt) } : [.result(Samples.status)]
    }
    let client = try await PositionClient(socket: daemon.path)
    let task = Task {
      try await client.answerPrompts { _ in
        await Self.cancelled()
        return .deny()
      }
    }
    let answer = await daemon.answer()
    #expect(answer?["id"] == 64)
    #expect(answer?["error"]?["code"] == -32007)
    task.cancel()
    await #expect(throws: PositionError.cancelled) { try await task.value }
  }
}
