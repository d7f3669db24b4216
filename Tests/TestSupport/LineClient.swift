import Glibc
package import JSONRPC

/// A simple client, as in any language: JSON texts on lines, over a Unix socket.
///
/// It shares no code with the daemon except the JSON value. Every wait has the tests' one deadline; another time is
/// used only to show that nothing comes.
package final class LineClient {
  private let descriptor: Int32
  private var buffer: [UInt8] = []
  private var nextID = 1
  /// Messages that arrived while waiting for others, oldest first.
  private var unread: [JSONValue] = []

  /// - Parameter user: The user that connects, by which the daemon identifies it; `nil`: the one who runs the tests.
  package init(path: String, as user: OtherUser? = nil) throws {
    self.descriptor = try user.map { try $0.perform { try Self.connected(to: path) } } ?? Self.connected(to: path)
  }

  /// - Parameter port: of the loopback.
  package init(port: UInt16, as user: OtherUser? = nil) throws {
    self.descriptor = try user.map { try $0.perform { try Self.connected(to: port) } } ?? Self.connected(to: port)
  }

  private static func connected(to port: UInt16) throws -> Int32 {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let code = unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe connect(descriptor, $0, length) }
    }
    guard descriptor >= 0, code == 0 else {
      let reason = unsafe String(cString: strerror(errno))
      Glibc.close(descriptor)
      throw TimedOut("port \(port): \(reason)")
    }
    return descriptor
  }

  private static func connected(to path: String) throws -> Int32 {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0, unsafe withUnixAddress(path, { unsafe connect(descriptor, $0, $1) }) == 0 else {
      let reason = unsafe String(cString: strerror(errno))
      Glibc.close(descriptor)
      throw TimedOut("\(path): \(reason)")
    }
    return descriptor
  }

  deinit { Glibc.close(self.descriptor) }

  /// How many bytes arrived and were not read.
  package var unreadBytes: Int {
    var count: Int32 = 0
    return unsafe ioctl(self.descriptor, UInt(FIONREAD), &count) == 0 ? Int(count) : 0
  }

  /// Ends the sending side only, as `echo ... | socat` does.
  package func finishSending() { shutdown(self.descriptor, Int32(SHUT_WR)) }

  /// Stops reading: the daemon's writes fail at once, while it still reads.
  package func refuseReceiving() { shutdown(self.descriptor, Int32(SHUT_RD)) }

  /// Sends as much as the socket accepts without waiting; returns how many bytes that was.
  package func offer(_ bytes: [UInt8]) -> Int {
    unsafe bytes.withUnsafeBytes {
      unsafe max(
        0, Glibc.send(self.descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT)))
    }
  }

  /// Sends a text unchanged.
  package func send(raw: String) throws { try self.send(bytes: Array(raw.utf8)) }

  /// Sends bytes unchanged.
  ///
  /// - Throws: if the daemon has closed the connection, or accepts nothing up to the deadline.
  package func send(bytes: [UInt8]) throws {
    var bytes = bytes[...]
    while !bytes.isEmpty {
      let count = unsafe bytes.withUnsafeBytes {
        unsafe Glibc.send(self.descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
      }
      if count < 0, errno == EAGAIN {
        var poller = pollfd(fd: self.descriptor, events: Int16(POLLOUT), revents: 0)
        guard unsafe poll(&poller, 1, Int32(TestDeadline.seconds * 1000)) > 0 else {
          throw TimedOut("the daemon reads nothing more")
        }
        continue
      }
      guard count > 0 else { throw TimedOut("the daemon closed the connection") }
      bytes = bytes.dropFirst(count)
    }
  }

  /// Sends a request and returns its id.
  @discardableResult
  package func request(_ method: String, _ params: [String: JSONValue] = [:]) throws -> Int {
    let id = self.nextID
    self.nextID += 1
    try self.send(
      raw:
        "\(Self.text(["jsonrpc": "2.0", "id": .integer(id), "method": .string(method), "params": .object(params)]))\n")
    return id
  }

  /// Sends a request and waits for its result.
  package func call(
    _ method: String, _ params: [String: JSONValue] = [:], within seconds: Double = TestDeadline.seconds
  ) throws
    -> JSONValue
  {
    let id = try self.request(method, params)
    let reply = try self.reply(to: id, within: seconds)
    if let error = reply["error"] { throw TimedOut("\(method): \(Self.text(error))") }
    return reply["result"] ?? .null
  }

  /// Waits for the reply to a request; earlier notifications are kept.
  package func reply(to id: Int, within seconds: Double = TestDeadline.seconds) throws -> JSONValue {
    try self.next(within: seconds, what: "the reply to request \(id)") {
      $0["id"] == .integer(id) && $0["method"] == nil
    }
  }

  /// Waits for a notification of a method.
  package func notification(_ method: String, within seconds: Double = TestDeadline.seconds) throws -> JSONValue {
    let message = try self.next(within: seconds, what: "a \(method)") { $0["method"] == .string(method) }
    return message["params"] ?? .null
  }

  /// Waits for the first message that matches; others are kept in order.
  package func next(
    within seconds: Double = TestDeadline.seconds, what: String, where matches: (JSONValue) -> Bool = { _ in true }
  ) throws -> JSONValue {
    let deadline = monotonicSeconds() + seconds
    var place = 0
    while true {
      while place < self.unread.count {
        if matches(self.unread[place]) { return self.unread.remove(at: place) }
        place += 1
      }
      guard try self.fill(until: deadline) else {
        throw TimedOut("no \(what) within \(seconds) s; unread: \(self.unread.suffix(5).map { Self.text($0) })")
      }
    }
  }

  /// Waits for one message with `Content-Length` headers. Not to be mixed with the other waits.
  package func nextFramed(within seconds: Double = TestDeadline.seconds) throws -> JSONValue {
    let deadline = monotonicSeconds() + seconds
    while true {
      if let text = self.takeFramed() { return try JSONValue(parsing: text) }
      guard try self.receive(until: deadline) else { throw TimedOut("no message within \(seconds) s") }
    }
  }

  private func takeFramed() -> [UInt8]? {
    let text = String(decoding: self.buffer, as: UTF8.self)
    let parts = text.split(separator: "\r\n\r\n", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, let length = parts[0].split(separator: " ").last.flatMap({ Int($0) }) else { return nil }
    let start = parts[0].utf8.count + 4
    guard self.buffer.count >= start + length else { return nil }
    defer { self.buffer.removeFirst(start + length) }
    return Array(self.buffer[start..<start + length])
  }

  /// Waits until the daemon has closed the connection; the result has everything that it sent before.
  package func untilClosed(within seconds: Double = TestDeadline.seconds) throws -> [JSONValue] {
    let deadline = monotonicSeconds() + seconds
    while true {
      do {
        guard try self.fill(until: deadline) else {
          throw TimedOut("the connection was not closed within \(seconds) s")
        }
      } catch is EndOfStream {
        defer { self.unread = [] }
        return self.unread
      }
    }
  }

  /// The oldest message that arrived while waiting for another; does not wait.
  package func unreadMessage() -> JSONValue? {
    // `nil` would be a JSON null.
    guard !self.unread.isEmpty else { return Optional.none }
    return self.unread.removeFirst()
  }

  /// Waits for the first line that matches, of lines that are no JSON. Not to be mixed with the other waits.
  package func textLine(_ what: String, where matches: (String) -> Bool = { _ in true }) throws -> String {
    let deadline = monotonicSeconds() + TestDeadline.seconds
    while true {
      while let end = self.buffer.firstIndex(of: 10) {
        let line = String(decoding: self.buffer[..<end], as: UTF8.self)
        self.buffer.removeFirst(end + 1)
        if matches(line) { return line }
      }
      guard try self.receive(until: deadline) else { throw TimedOut("no \(what)") }
    }
  }

  /// Everything that arrives in this time.
  package func everything(for seconds: Double) throws -> [JSONValue] {
    let deadline = monotonicSeconds() + seconds
    while try self.fill(until: deadline) {}
    defer { self.unread = [] }
    return self.unread
  }

  package struct EndOfStream: Error {}

  /// Reads available bytes and extracts whole lines; false: nothing arrived before the deadline.
  private func fill(until deadline: Double) throws -> Bool {
    guard try self.receive(until: deadline) else { return false }
    while let end = self.buffer.firstIndex(of: 10) {
      let line = Array(self.buffer[..<end])
      self.buffer.removeFirst(end + 1)
      self.unread.append(try JSONValue(parsing: line))
    }
    return true
  }

  /// Reads available bytes; false: nothing arrived before the deadline.
  private func receive(until deadline: Double) throws -> Bool {
    let remaining = deadline - monotonicSeconds()
    guard remaining > 0 else { return false }
    var poller = pollfd(fd: self.descriptor, events: Int16(POLLIN), revents: 0)
    guard unsafe poll(&poller, 1, Int32(remaining * 1000) + 1) > 0 else { return false }
    var chunk = [UInt8](repeating: 0, count: 65536)
    let count = unsafe read(self.descriptor, &chunk, chunk.count)
    guard count > 0 else { throw EndOfStream() }
    self.buffer += chunk[..<count]
    return true
  }

  private static func text(_ value: JSONValue) -> String { String(decoding: value.encoded(), as: UTF8.self) }
}
