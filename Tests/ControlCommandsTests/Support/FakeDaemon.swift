import EventLoop
import JSONRPC
import Positioning
import Synchronization
import Testing

/// A daemon that a test writes: it answers each method as told, and remembers what came.
///
/// It shares no code with the daemon but the loop and the JSON value. After ten seconds it ends every connection, so
/// that no test waits for ever.
final class FakeDaemon: Sendable {
  /// What is done about a request, in order.
  enum Step: Sendable {
    case result(JSONValue)
    case error(Int, String, data: JSONValue? = nil)
    case notify(String, JSONValue)
    case raw(String)
    case close
  }

  typealias Script = @Sendable (_ method: String, _ params: JSONValue) -> [Step]

  let path: String
  private let loop: EventLoop
  private let messages = Messages()

  /// - Parameter script: What is done about each request; `session.hello` is answered without asking it.
  init(hello: JSONValue = Samples.hello, _ script: @escaping Script) throws {
    let folder = Box(try TemporaryFolder())
    let loop = try EventLoop()
    let messages = self.messages
    let path = folder.value.file("socket")
    let listener = Box(try UnixSocket.listen(path: path, mode: 0o600, backlog: 8))
    self.path = path
    self.loop = loop
    _ = try EventLoop.spawnThread(name: "fakedaemon") {
      withExtendedLifetime(folder) {
        do {
          let service = try Service(
            on: loop, listener.value, messages,
            { method, params in method == "session.hello" ? [.result(hello)] : script(method, params) })
          _ = try loop.run()
          service.end()
        } catch {
          Issue.record(error)
        }
        messages.end()
      }
    }
  }

  deinit { self.stop() }

  /// Ends every connection.
  func stop() { self.loop.call { [loop] in loop.stop() } }

  /// Everything that came so far: methods in order.
  var methods: [String] { self.messages.methods }

  /// The parameters of the first message of the method, waiting for it; `nil` when it never comes.
  func parameters(of method: String) async -> JSONValue? { await self.messages.parameters(of: method) }
}

/// For what is made on one thread and then used on another alone.
private struct Box<Value>: @unchecked Sendable {
  let value: Value

  init(_ value: Value) { self.value = value }
}

/// What came, and who waits for more.
private final class Messages: Sendable {
  private struct State {
    var log: [(method: String, params: JSONValue)] = []
    var waiters: [(method: String, continuation: CheckedContinuation<JSONValue?, Never>)] = []
    var isOver = false
  }

  private let state = Mutex(State())

  var methods: [String] { self.state.withLock { $0.log.map(\.method) } }

  func add(_ method: String, _ params: JSONValue) {
    let waiters = self.state.withLock { state in
      state.log.append((method, params))
      let waiters = state.waiters.filter { $0.method == method }
      state.waiters.removeAll { $0.method == method }
      return waiters
    }
    for waiter in waiters { waiter.continuation.resume(returning: params) }
  }

  func end() {
    let waiters = self.state.withLock { state in
      state.isOver = true
      defer { state.waiters = [] }
      return state.waiters
    }
    for waiter in waiters { waiter.continuation.resume(returning: nil) }
  }

  func parameters(of method: String) async -> JSONValue? {
    await withCheckedContinuation { continuation in
      let known: JSONValue?? = self.state.withLock { state in
        if let found = state.log.first(where: { $0.method == method }) { return .some(found.params) }
        if state.isOver { return .some(nil) }
        state.waiters.append((method, continuation))
        return nil
      }
      if let known { continuation.resume(returning: known) }
    }
  }
}

/// The loop's side of it.
private final class Service {
  private let loop: EventLoop
  private let listener: UnixListener
  private let script: FakeDaemon.Script
  private let messages: Messages
  private var listening: DescriptorWatch?
  private var deadline: LoopTimer?
  private var clients: [Client] = []

  private final class Client {
    let socket: FileDescriptor
    var watch: DescriptorWatch?
    var buffer: [UInt8] = []

    init(_ socket: FileDescriptor) { self.socket = socket }
  }

  init(
    on loop: EventLoop, _ listener: UnixListener, _ messages: Messages, _ script: @escaping FakeDaemon.Script
  ) throws {
    self.loop = loop
    self.listener = listener
    self.script = script
    self.messages = messages
    self.listening = try loop.watch(listener.descriptor, for: .read) { [unowned self] _ in
      do { try self.accept() } catch { Issue.record(error) }
    }
    let deadline = try loop.timer(accuracy: .milliseconds(10)) { loop.stop() }
    deadline.arm(at: loop.now + .seconds(10))
    self.deadline = deadline
  }

  func end() {
    self.listening?.cancel()
    self.listener.close()
    for client in self.clients { self.close(client) }
  }

  private func accept() throws {
    guard let socket = try self.listener.accept() else { return }
    let client = Client(socket)
    self.clients.append(client)
    client.watch = try self.loop.watch(socket, for: .read) { [unowned self, unowned client] _ in
      do { try self.read(client) } catch { self.close(client) }
    }
  }

  private func close(_ client: Client) {
    if !client.socket.isClosed { self.messages.add("(closed)", [:]) }
    client.socket.close()
  }

  private func read(_ client: Client) throws {
    guard case .bytes = try client.socket.read(into: &client.buffer, upTo: 65536) else { return self.close(client) }
    while !client.socket.isClosed, let end = client.buffer.firstIndex(of: 10) {
      let line = Array(client.buffer[..<end])
      client.buffer.removeFirst(end + 1)
      try self.received(try JSONText.decode(JSONValue.self, from: line), client)
    }
  }

  private func received(_ message: JSONValue, _ client: Client) throws {
    guard case .string(let method)? = message["method"] else {
      Issue.record("no method in \(message)")
      return
    }
    self.messages.add(method, message["params"] ?? [:])
    // A notification has no id, and is not answered.
    guard let id = message["id"] else { return }
    for step in self.script(method, message["params"] ?? [:]) {
      switch step {
      case .result(let value): try self.send(["jsonrpc": "2.0", "id": id, "result": value], client)
      case .error(let code, let message, let data):
        var error: [String: JSONValue] = ["code": .integer(code), "message": .string(message)]
        error["data"] = data
        try self.send(["jsonrpc": "2.0", "id": id, "error": .object(error)], client)
      case .notify(let method, let params):
        try self.send(["jsonrpc": "2.0", "method": .string(method), "params": params], client)
      case .raw(let text): _ = try client.socket.write(Array(text.utf8)[...])
      case .close: self.close(client)
      }
    }
  }

  private func send(_ value: JSONValue, _ client: Client) throws {
    var rest = (JSONText.encode(value) + [10])[...]
    // A test's messages fit a socket's buffer; a client that has gone is the test's matter.
    while !rest.isEmpty, case .wrote(let count) = try client.socket.write(rest) { rest = rest.dropFirst(count) }
  }
}
