import EventLoop
import Glibc
import TestSupport
import Testing

/// Who listens where the bridge expects the MQTT broker, and answers each connection with the bytes of a test.
final class HostileBroker {
  /// What it says once a client has sent something.
  struct Answer {
    /// Sent first.
    var bytes: [UInt8]
    /// Sent then, again and again, as often as `repetitions`.
    var repeated: [UInt8] = []
    var repetitions = 0
    /// Whether it closes the connection then.
    var closes = true
  }

  private let answer: Answer
  private let listener: UnixListener
  private let loop: EventLoop
  private var listening: DescriptorWatch?
  private var clients: [Client] = []

  private final class Client {
    let socket: FileDescriptor
    var watch: DescriptorWatch?
    var rest: [UInt8] = []
    /// `nil` until the client has sent something.
    var repetitions: Int?

    init(_ socket: FileDescriptor) { self.socket = socket }
  }

  init(at path: String, _ answer: Answer, on loop: EventLoop) throws {
    self.answer = answer
    self.loop = loop
    self.listener = try UnixSocket.listen(path: path, mode: 0o600, backlog: 8)
    self.listening = try loop.watch(self.listener.descriptor, for: .read) { [unowned self] _ in
      do { try self.accept() } catch { Issue.record(error) }
    }
  }

  /// Ends every connection, and leaves its place to another.
  func end() {
    for client in self.clients { client.socket.close() }
    self.clients = []
    self.listening?.cancel()
    self.listener.close()
  }

  private func accept() throws {
    guard let socket = try self.listener.accept() else { return }
    let client = Client(socket)
    self.clients.append(client)
    client.watch = try self.loop.watch(socket, for: .read) { [unowned self, unowned client] _ in
      // A client that is gone is what the test waits for.
      do { try self.serve(client) } catch { client.socket.close() }
    }
  }

  private func serve(_ client: Client) throws {
    var bytes: [UInt8] = []
    if case .endOfFile = try client.socket.read(into: &bytes, upTo: 4096) { return client.socket.close() }
    if client.repetitions == nil, !bytes.isEmpty {
      client.repetitions = self.answer.repetitions
      client.rest = self.answer.bytes
    }
    guard let left = client.repetitions else { return }
    if client.rest.isEmpty, left > 0 {
      client.rest = self.answer.repeated
      client.repetitions = left - 1
    }
    if !client.rest.isEmpty, case .wrote(let count) = try client.socket.write(client.rest[...]) {
      client.rest.removeFirst(count)
    }
    let isDone = client.rest.isEmpty && client.repetitions == 0
    if isDone, self.answer.closes { return client.socket.close() }
    client.watch?.interest = Interest(read: true, write: !isDone)
  }
}
