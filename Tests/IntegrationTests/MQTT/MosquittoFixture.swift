import EventLoop
import Glibc
import JSONRPC
import TestSupport

/// A real mosquitto, a subscriber to everything, and bridges, in a folder of their own. They belong to the test's loop.
///
/// The subscriber has a session that mosquitto keeps on the disk over its own restarts, and connects again by itself, so
/// that it misses nothing. It must not be stopped: it confirms a message before it writes it.
final class MosquittoFixture {
  /// A message as the subscriber got it.
  struct Message: Hashable {
    let topic: String
    let payload: String
    /// Whether mosquitto had kept it for those who subscribe later, as the subscriber does again at each connection.
    let isRetained: Bool

    var json: JSONValue? { try? JSONValue(parsing: Array(self.payload.utf8)) }
  }

  /// How mosquitto listens.
  enum Listener {
    case socket
    /// TCP with a certificate of an authority that the fixture makes.
    case tls
    /// A user with a password.
    case password(user: String, String)
  }

  let folder: TemporaryFolder
  private let loop: EventLoop
  private let listener: Listener
  private let port: TCPReservation
  /// One after the other; the last one may run.
  private var mosquittos: [RunningProgram] = []
  private var subscriber: RunningProgram?
  /// How many bytes of the subscriber's output were read.
  private var readBytes = 0
  private var readMessages: [Message] = []

  init(_ listener: Listener = .socket, on loop: EventLoop) throws {
    self.folder = try TemporaryFolder()
    self.loop = loop
    self.listener = listener
    self.port = try TCPReservation()
    try self.configure()
  }

  var socket: String { self.folder.file("mqtt.sock") }

  private func configure() throws {
    // The subscriber always comes by the socket. Settings are not per listener: after a restart mosquitto would not know
    // the subscriber's, and would keep nothing for it until it has connected again.
    var lines = [
      "persistence true", "persistence_location \(self.folder.path)/", "max_queued_messages 0", "log_type error",
      "log_type information", "log_type debug", "log_dest stderr", "listener 0 \(self.socket)",
    ]
    if geteuid() == 0 { lines.append("user root") }
    switch self.listener {
    case .socket: lines.append("allow_anonymous true")
    case .password(let user, let password):
      let file = self.folder.file("passwords")
      try self.run("/usr/bin/mosquitto_passwd", ["-c", "-b", file, user, password])
      lines += ["allow_anonymous false", "password_file \(file)"]
    case .tls:
      try self.makeCertificates()
      lines += [
        "allow_anonymous true", "listener \(self.port.port) 127.0.0.1",
        "cafile \(self.folder.file("ca.pem"))", "certfile \(self.folder.file("server.pem"))",
        "keyfile \(self.folder.file("server.key"))",
      ]
    }
    try self.write("mosquitto.conf", lines)
  }

  private func makeCertificates() throws {
    try self.makeAuthority("ca")
    let request = self.folder.file("server.csr")
    try self.run(
      "/usr/bin/openssl",
      [
        "req", "-newkey", "rsa:2048", "-nodes", "-keyout", self.folder.file("server.key"), "-out", request, "-subj",
        "/CN=localhost",
      ])
    try self.write("names", ["subjectAltName=DNS:localhost"])
    try self.run(
      "/usr/bin/openssl",
      [
        "x509", "-req", "-in", request, "-CA", self.folder.file("ca.pem"), "-CAkey", self.folder.file("ca.key"),
        "-CAcreateserial", "-days", "2", "-extfile", self.folder.file("names"), "-out", self.folder.file("server.pem"),
      ])
  }

  /// Makes an authority, NAME.pem and NAME.key.
  func makeAuthority(_ name: String) throws {
    try self.run(
      "/usr/bin/openssl",
      [
        "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=\(name) of a test", "-keyout",
        self.folder.file("\(name).key"), "-out", self.folder.file("\(name).pem"),
      ])
  }

  private func run(_ path: String, _ arguments: [String]) throws {
    let (code, words) = try SystemProgram.run(path, arguments)
    guard code == 0 else { throw TimedOut("\(path) \(arguments): \(words)") }
  }

  @discardableResult
  func write(_ name: String, _ lines: [String]) throws -> String {
    let path = self.folder.file(name)
    guard let file = unsafe fopen(path, "we") else { throw SystemError.last("write \(path)") }
    defer { unsafe fclose(file) }
    for line in lines { unsafe fputs("\(line)\n", file) }
    return path
  }

  // MARK: mosquitto

  /// Starts mosquitto, and waits until it serves.
  func start() throws {
    let mosquitto = try RunningProgram(
      "/usr/sbin/mosquitto", ["-c", self.folder.file("mosquitto.conf")], on: self.loop)
    self.mosquittos.append(mosquitto)
    try mosquitto.waitToSay("running")
  }

  /// Stops it; it stores its sessions.
  func stop() throws {
    self.mosquittos.last?.send(SIGTERM)
    _ = try self.mosquittos.last?.waitForExit()
  }

  /// How many messages bridges have published at the topic, those included that came again after an outage.
  func published(at topic: String) -> Int {
    self.mosquittos.reduce(0) { count, mosquitto in
      count
        + mosquitto.output.split(separator: "\n").count {
          $0.contains("Received PUBLISH from positiond-boat ") && $0.contains(" '\(topic)', ")
        }
    }
  }

  /// Starts a subscriber, and waits until it has subscribed.
  func subscribe() throws {
    var arguments = [
      "--unix", self.socket, "-V", "311", "-c", "-i", "subscriber", "-q", "1", "-t", "#", "-F", ">%r %t %p", "-d",
    ]
    if case .password(let user, let password) = self.listener { arguments += ["-u", user, "-P", password] }
    // To a pipe it would write only full buffers.
    let subscriber = try RunningProgram("/usr/bin/mosquitto_sub", arguments, onTerminal: true, on: self.loop)
    self.subscriber = subscriber
    try subscriber.waitToSay("Subscribed")
  }

  /// What the subscriber got, in order. Each line is read once: a day of messages is long.
  var messages: [Message] {
    guard let text = self.subscriber?.output.utf8.dropFirst(self.readBytes),
      // The last line may be incomplete.
      let end = text.lastIndex(of: UInt8(ascii: "\n"))
    else { return self.readMessages }
    let lines = text[...end]
    self.readBytes += lines.count
    for line in lines.split(whereSeparator: { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }) {
      let parts = line.split(separator: UInt8(ascii: " "), maxSplits: 2).map { String(decoding: $0, as: UTF8.self) }
      guard parts.count == 3, parts[0] == ">0" || parts[0] == ">1" else { continue }
      self.readMessages.append(Message(topic: parts[1], payload: parts[2], isRetained: parts[0] == ">1"))
    }
    return self.readMessages
  }

  func messages(at topic: String) -> [Message] { self.messages.filter { $0.topic == topic } }

  /// Waits for the first message at the topic that matches.
  @discardableResult
  func wait(for topic: String, _ matches: (Message) -> Bool = { _ in true }) throws -> Message {
    var found: Message?
    try self.loop.drive(until: "a message at \(topic)") {
      found = self.messages(at: topic).first(where: matches)
      return found != nil
    }
    guard let found else { throw TimedOut("no message at \(topic)") }
    return found
  }

  // MARK: The bridge

  /// Starts a bridge for the positiond at a socket.
  ///
  /// - Parameters:
  ///   - further: Further sections of its configuration.
  ///   - memory: The most bytes that it may allocate; `nil`: no limit.
  func bridge(to positiond: String, _ further: [String] = [], memory: Int? = nil) throws -> RunningProgram {
    let mqtt: [String] =
      switch self.listener {
      case .socket, .password: ["[mqtt]", "socket=\(self.socket)"]
      case .tls: ["[mqtt]", "host=localhost", "port=\(self.port.port)", "tls=yes"]
      }
    let lines = ["[device]", "name=boat", "[position]", "socket=\(positiond)"] + mqtt + further
    var command = [Programs.path("positiond-mqtt"), "--config", try self.write("bridge.conf", lines)]
    if let memory { command = ["/usr/bin/prlimit", "--data=\(memory)"] + command }
    return try RunningProgram(command[0], Array(command.dropFirst()), on: self.loop)
  }
}
