import EventLoop
import Glibc
import JSONRPC
import TestSupport

/// A real mosquitto, a subscriber to everything, and bridges, in a folder of their own. They belong to the test's loop.
///
/// The subscriber has a session that mosquitto keeps on the disk over its own restarts, so that it misses nothing.
final class MosquittoFixture {
  /// A message as the subscriber got it.
  struct Message: Hashable {
    let topic: String
    let payload: String

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
  private(set) var mosquitto: RunningProgram?
  /// One after the other: the program ends with mosquitto.
  private var subscribers: [RunningProgram] = []
  /// How many bytes of each subscriber's output were read.
  private var readBytes: [Int: Int] = [:]
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
    // The subscriber always comes by the socket.
    var lines = [
      "persistence true", "persistence_location \(self.folder.path)/", "max_queued_messages 0", "log_type error",
      "log_type information", "log_dest stderr", "per_listener_settings true", "listener 0 \(self.socket)",
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
        "allow_anonymous true", "listener \(self.port.port) 127.0.0.1", "allow_anonymous true",
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
    self.mosquitto = mosquitto
    try mosquitto.waitToSay("running")
    if !self.subscribers.isEmpty { try self.subscribe() }
  }

  /// Stops it; it stores its sessions.
  func stop() throws {
    self.mosquitto?.send(SIGTERM)
    _ = try self.mosquitto?.waitForExit()
    self.mosquitto = nil
  }

  /// Starts a subscriber, and waits until it has subscribed.
  func subscribe() throws {
    var arguments = [
      "--unix", self.socket, "-V", "311", "-c", "-i", "subscriber", "-q", "1", "-t", "#", "-F", ">%t %p", "-d",
    ]
    if case .password(let user, let password) = self.listener { arguments += ["-u", user, "-P", password] }
    // To a pipe it would write only full buffers.
    let subscriber = try RunningProgram("/usr/bin/mosquitto_sub", arguments, onTerminal: true, on: self.loop)
    self.subscribers.append(subscriber)
    try subscriber.waitToSay("Subscribed")
  }

  /// What the subscribers got, in order. Each line is read once: a day of messages is long.
  var messages: [Message] {
    for (place, subscriber) in self.subscribers.enumerated() {
      let text = subscriber.output.utf8.dropFirst(self.readBytes[place] ?? 0)
      // The last line may be incomplete.
      guard let end = text.lastIndex(of: UInt8(ascii: "\n")) else { continue }
      let lines = text[...end]
      self.readBytes[place, default: 0] += lines.count
      for line in lines.split(whereSeparator: { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }) {
        guard line.first == UInt8(ascii: ">"), let blank = line.firstIndex(of: UInt8(ascii: " ")) else { continue }
        self.readMessages.append(
          Message(
            topic: String(decoding: line[..<blank].dropFirst(), as: UTF8.self),
            payload: String(decoding: line[blank...].dropFirst(), as: UTF8.self)))
      }
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
  /// - Parameter further: Further sections of its configuration.
  func bridge(to positiond: String, _ further: [String] = []) throws -> RunningProgram {
    let mqtt: [String] =
      switch self.listener {
      case .socket, .password: ["[mqtt]", "socket=\(self.socket)"]
      case .tls: ["[mqtt]", "host=localhost", "port=\(self.port.port)", "tls=yes"]
      }
    let lines = ["[device]", "name=boat", "[position]", "socket=\(positiond)"] + mqtt + further
    return try RunningProgram(
      Programs.path("positiond-mqtt"), ["--config", try self.write("bridge.conf", lines)], on: self.loop)
  }
}
