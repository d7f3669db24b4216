import EventLoop
import Glibc
import JSONRPC
import Positioning

/// The loop's side of a test's daemon.
final class FakeService {
  private let loop: EventLoop
  private let listener: UnixListener
  private let script: FakeDaemon.Script
  private let messages: FakeMessages
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
    _ loop: EventLoop, _ listener: UnixListener, _ messages: FakeMessages, _ script: @escaping FakeDaemon.Script
  ) {
    self.loop = loop
    self.listener = listener
    self.script = script
    self.messages = messages
  }

  func begin() throws {
    self.listening = try self.loop.watch(self.listener.descriptor, for: .read) { [unowned self] _ in
      do { try self.accept() } catch { fatalError("the daemon of a test: \(error)") }
    }
    let deadline = try self.loop.timer(accuracy: .milliseconds(10)) { [loop] in loop.stop() }
    deadline.arm(at: self.loop.now + TestDeadline.duration)
    self.deadline = deadline
  }

  func end() {
    self.listening = nil
    self.deadline = nil
    self.listener.close()
    self.dropClients()
  }

  func dropClients() {
    for client in self.clients { self.close(client) }
    self.clients = []
  }

  func notify(_ method: String, _ params: JSONValue) {
    self.sendToAll(["jsonrpc": "2.0", "method": .string(method), "params": params])
  }

  func ask(_ id: Int, _ method: String, _ params: JSONValue) {
    self.sendToAll(["jsonrpc": "2.0", "id": .integer(id), "method": .string(method), "params": params])
  }

  private func sendToAll(_ message: JSONValue) {
    for client in self.clients where !client.socket.isClosed {
      do { try self.send(message, client) } catch { self.close(client) }
    }
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
    guard !client.socket.isClosed else { return }
    client.watch?.cancel()
    client.socket.close()
    self.messages.add("(closed)", [:])
  }

  private func read(_ client: Client) throws {
    guard case .bytes = try client.socket.read(into: &client.buffer, upTo: 65536) else { return self.close(client) }
    while !client.socket.isClosed, let end = client.buffer.firstIndex(of: 10) {
      let line = Array(client.buffer[..<end])
      client.buffer.removeFirst(end + 1)
      try self.received(try JSONValue(parsing: line), client)
    }
  }

  private func received(_ message: JSONValue, _ client: Client) throws {
    guard case .string(let method)? = message["method"] else { return self.messages.add("(answer)", message) }
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
      case .ask(let id, let method, let params):
        try self.send(["jsonrpc": "2.0", "id": .integer(id), "method": .string(method), "params": params], client)
      case .raw(let text): _ = try client.socket.write(Array(text.utf8)[...])
      case .close: self.close(client)
      }
    }
  }

  private func send(_ value: JSONValue, _ client: Client) throws {
    var rest = (value.encoded() + [10])[...]
    while !rest.isEmpty {
      switch try client.socket.write(rest) {
      case .wrote(let count): rest = rest.dropFirst(count)
      case .wouldBlock:
        // A client that reads makes room; for one that does not the test's deadline applies.
        var poller = pollfd(fd: client.socket.rawValue, events: Int16(POLLOUT), revents: 0)
        _ = unsafe poll(&poller, 1, 1000)
      }
    }
  }
}
