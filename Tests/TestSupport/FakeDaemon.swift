import EventLoop
package import JSONRPC
import Positioning

/// A daemon that a test scripts: it answers each method as scripted, and remembers the messages.
///
/// It shares no code with the daemon except the loop and the JSON value. At the tests' deadline it ends every
/// connection, so that no test waits for ever.
package final class FakeDaemon: Sendable {
  /// The reaction to a request, in order.
  package enum Step: Sendable {
    case result(JSONValue)
    case error(Int, String, data: JSONValue? = nil)
    case notify(String, JSONValue)
    /// Sends the client a request with an id.
    case ask(Int, String, JSONValue)
    case raw(String)
    case close
  }

  package typealias Script = @Sendable (_ method: String, _ params: JSONValue) -> [Step]

  package let path: String
  private let folder: Box<TemporaryFolder>?
  private let loop: EventLoop
  private let service: Box<FakeService>
  private let ended = Latch()
  private let messages = FakeMessages()

  /// - Parameters:
  ///   - path: Where it listens; `nil`: in a folder of its own.
  ///   - script: The reaction to each request; `session.hello` is answered without it.
  ///   - hello: The answer to the greeting; `nil`: none.
  package init(at path: String? = nil, hello: JSONValue? = Samples.hello, _ script: @escaping Script) throws {
    let folder = try path == nil ? Box(TemporaryFolder()) : nil
    self.folder = folder
    self.path = path ?? folder?.value.file("socket") ?? ""
    let loop = try EventLoop()
    let (messages, ended) = (self.messages, self.ended)
    let listener = try UnixSocket.listen(path: self.path, mode: 0o600, backlog: 8)
    let service = Box(
      FakeService(loop, listener, messages) { method, params in
        method == "session.hello" ? (hello.map { [.result($0)] } ?? []) : script(method, params)
      })
    self.loop = loop
    self.service = service
    _ = try EventLoop.spawnThread(name: "fakedaemon") {
      do {
        try service.value.begin()
        _ = try loop.run()
      } catch {
        fatalError("the daemon of a test: \(error)")
      }
      service.value.end()
      messages.end()
      ended.open()
    }
  }

  deinit { self.stop() }

  /// Ends every connection, and stops listening.
  package func stop() { self.loop.call { [loop] in loop.stop() } }

  /// Ends, and returns when everything is closed, so that another can use its path.
  package func end() {
    self.stop()
    self.ended.wait()
  }

  /// Ends every connection, and continues listening.
  package func dropClients() { self.loop.call { [service] in service.value.dropClients() } }

  /// Sends every client a notification.
  package func notify(_ method: String, _ params: JSONValue) {
    self.loop.call { [service] in service.value.notify(method, params) }
  }

  /// Sends every client a request; `answer` returns the answers.
  package func ask(_ id: Int, _ method: String, _ params: JSONValue) {
    self.loop.call { [service] in service.value.ask(id, method, params) }
  }

  /// The first answer to its request, or a later one, waiting for it: the message with `id`, and `result` or `error`.
  package func answer(number: Int = 1) async -> JSONValue? { await self.messages.parameters(of: "(answer)", number) }

  /// Everything received so far: methods in order, `(answer)` for an answer and `(closed)` for the end of a connection.
  package var methods: [String] { self.messages.methods }

  /// The parameters of the first message of the method, waiting for it; `nil` if it never comes.
  package func parameters(of method: String) async -> JSONValue? { await self.messages.parameters(of: method, 1) }

  /// The parameters of a later message of the method, the first being number 1.
  package func parameters(of method: String, number: Int) async -> JSONValue? {
    await self.messages.parameters(of: method, number)
  }
}

/// For a value that is created on one thread and then used on another alone.
private struct Box<Value>: @unchecked Sendable {
  let value: Value

  init(_ value: Value) { self.value = value }
}
