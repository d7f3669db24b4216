import EventLoop
import Glibc
import JSONRPC
import ReceiverSimulator
import TestSupport
import Testing

/// The daemon and its database.
@Suite(.timeLimit(.minutes(TestDeadline.minutes))) struct PersistenceTests {
  private static let home: [String: JSONValue] = [
    "id": "home", "circle": ["latitude": 48.137, "longitude": 11.575, "radius": 150], "durable": ["name": "tracker"],
  ]

  private static func names(_ client: LineClient) throws -> JSONValue? { try client.call("durable.list")["names"] }

  @Test func `registrations survive a graceful restart, and the database is complete without its log`() async throws {
    try await withLoop { loop in
      let fixture = try DaemonFixture(on: loop)
      let first = try fixture.startServing()
      let client = try fixture.client()
      #expect(try client.call("region.add", Self.home)["state"] == "unknown")
      let before = try Self.names(client)
      first.send(SIGTERM)
      #expect(try first.waitForExit() == 0)
      let files = try FileNames(in: fixture.folder.path).startingWith("positiond.db")
      #expect(files == ["positiond.db", "positiond.db.permission"], "\(files)")

      let second = try fixture.startServing()
      #expect(try Self.names(try fixture.client()) == before)
      // The stored registrations need the receiver, and there is no gpsd.
      let errors = second.output.split(separator: "\n").filter {
        ($0.contains("error: ") || $0.contains("warning: ")) && !$0.contains("gpsd")
      }
      #expect(errors.isEmpty, "\(errors)")
    }
  }

  @Test func `an unusable database is set aside, and everything is served`() async throws {
    try await withLoop { loop in
      let fixture = try DaemonFixture(on: loop)
      let path = fixture.file("positiond.db")
      let before = try fixture.startServing()
      before.send(SIGTERM)
      #expect(try before.waitForExit() == 0)
      unsafe unlink(path)
      try File.write(Array("These are not the pages of a database, but they are many. ".utf8), to: path)
      let daemon = try fixture.startServing()
      #expect(daemon.output.contains("error: \(path): file is not a database; moved it to \(path).set-aside-"))
      let client = try fixture.client()
      #expect(try client.call("region.add", Self.home)["state"] == "unknown")
    }
  }

  @Test
  func `without a store everything but durable registrations is served, and log and client get the reason`()
    async throws
  {
    try await withLoop { loop in
      let fixture = try DaemonFixture(on: loop)
      try fixture.configure(["store.path=/proc/positiond.db"])
      let daemon = try fixture.startServing()
      let reason = "open /proc/positiond.db: No such file or directory"
      #expect(
        daemon.output.contains("error: durable registrations are refused because nothing can be stored: \(reason)"))
      let client = try fixture.client()
      let id = try client.request("region.add", Self.home)
      let error = try client.reply(to: id)["error"]
      guard case .string(let message) = error?["message"] else { throw TimedOut("no error: \(error ?? .null)") }
      #expect(message.contains(reason), "\(message)")
      var own = Self.home
      own["durable"] = nil
      #expect(try client.call("region.add", own)["state"] == "unknown")
      // Nobody knows what is registered.
      let list = try client.request("durable.list", [:])
      #expect(try client.reply(to: list)["error"]?["message"]?.text?.contains(reason) == true)
      #expect(try client.call("status.get")["lastError"]?["message"]?.text?.contains(reason) == true)
      daemon.send(SIGTERM)
      #expect(try daemon.waitForExit() == 0)
    }
  }

  /// Another program with the database of a daemon that has ended, which it locks as a whole.
  private static func lock(_ path: String, on loop: EventLoop) throws -> RunningProgram {
    let program = """
      import signal, sqlite3, sys
      database = sqlite3.connect(sys.argv[1], isolation_level=None)
      database.execute("BEGIN EXCLUSIVE")
      print("locked", flush=True)
      signal.pause()
      """
    let locker = try RunningProgram("/usr/bin/python3", ["-c", program, path], on: loop)
    try locker.waitToSay("locked")
    return locker
  }

  private static func end(_ program: RunningProgram, with signal: Int32) throws {
    program.send(signal)
    _ = try program.waitForExit()
  }

  @Test func `what a database holds that is locked at the start is there without a restart once it is not`()
    async throws
  {
    try await withLoop { loop in
      let fixture = try DaemonFixture(on: loop)
      try fixture.configure(try OtherUser.administratorRule())
      let first = try fixture.startServing()
      let before = try fixture.client()
      #expect(try before.call("region.add", Self.home)["state"] == "unknown")
      #expect(try before.call("admin.grant", ["user": "daemon", "level": "deny"])["stored"] == nil)
      try Self.end(first, with: SIGTERM)
      let locker = try Self.lock(fixture.file("positiond.db"), on: loop)

      let second = try fixture.startServing()
      let reason = "another process has it open"
      #expect(second.output.contains("error: durable registrations are refused because nothing can be stored: "))
      #expect(second.output.contains(reason), "\(second.output)")
      let client = try fixture.client()
      let calls: [(String, [String: JSONValue])] = [("durable.attach", ["name": "tracker"]), ("durable.list", [:])]
      for (method, parameters) in calls {
        let error = try client.reply(to: try client.request(method, parameters))["error"]
        #expect(error?["code"] == -32603, "\(error ?? .null)")
        #expect(error?["message"]?.text?.contains(reason) == true, "\(error ?? .null)")
      }
      let shown = try client.call("status.get")["lastError"]
      #expect(shown?["part"] == "store" && shown?["message"]?.text?.contains(reason) == true, "\(shown ?? .null)")
      // The copy beside the database has the decisions.
      #expect(try client.call("admin.grants")["grants"]?.elements.map { $0["level"] } == ["deny"])

      try Self.end(locker, with: SIGTERM)
      try second.waitToSay("the store is open, and what it holds is taken over")
      let attached = try client.call("durable.attach", ["name": "tracker"])
      #expect(attached["regions"]?.elements.map { $0["id"] } == ["home"], "\(attached)")
      #expect(try client.call("status.get")["lastError"]?["part"] != "store")
      var further = Self.home
      further["id"] = "away"
      #expect(try client.call("region.add", further)["state"] == "unknown")
      #expect(second.output.count(of: reason) == 1, "\(second.output)")
      try Self.end(second, with: SIGTERM)

      let third = try fixture.startServing()
      let kept = try fixture.client().call("durable.attach", ["name": "tracker"])
      #expect(kept["regions"]?.elements.map { $0["id"] } == ["home", "away"], "\(kept)")
      withExtendedLifetime(third) {}
    }
  }

  @Test(arguments: [true, false])
  func `positions that were turned off while the database was locked stay off after a kill`(isOpened: Bool) async throws
  {
    try await withLoop { loop in
      let fixture = try DaemonFixture(on: loop)
      try fixture.configure(try OtherUser.administratorRule())
      try Self.end(try fixture.startServing(), with: SIGTERM)
      let locker = try Self.lock(fixture.file("positiond.db"), on: loop)
      let second = try fixture.startServing()
      let client = try fixture.client()
      #expect(try client.call("admin.grant", ["user": "daemon", "level": "deny"])["stored"] == false)
      #expect(try client.call("admin.disable") == ["enabled": false, "stored": false])
      if isOpened {
        try Self.end(locker, with: SIGTERM)
        try second.waitToSay("the store is open, and what it holds is taken over")
        #expect(try client.call("authorization.get")["state"] == "disabled")
        let deadline = monotonicSeconds() + TestDeadline.seconds
        while try client.call("admin.grants")["grants"]?.elements.contains(where: { $0["stored"] == false }) != false {
          guard monotonicSeconds() < deadline else { throw TimedOut("it was never stored") }
          try loop.drive(for: .milliseconds(20))
        }
      }
      try Self.end(second, with: SIGKILL)
      if !isOpened { try Self.end(locker, with: SIGTERM) }

      let third = try fixture.startServing()
      let after = try fixture.client()
      #expect(try after.call("authorization.get")["state"] == "disabled")
      #expect(try after.call("admin.grants")["grants"]?.elements.map { $0["level"] } == ["deny"])
      #expect(try after.call("admin.enable") == ["enabled": true])
      withExtendedLifetime(third) {}
    }
  }

  @Test func `a second daemon on the same database stores nothing, and reports why`() async throws {
    try await withLoop { loop in
      let (fixture, other) = (try DaemonFixture(on: loop), try DaemonFixture(on: loop))
      let first = try fixture.startServing()
      let path = fixture.file("positiond.db")
      try other.configure(["store.path=\(path)"])
      let second = try other.startServing()
      #expect(second.output.contains("\(path): another process has it open"))
      #expect(try fixture.client().call("region.add", Self.home)["state"] == "unknown")
      #expect(first.exit == nil)
    }
  }
}

extension String {
  /// How often a text is in it.
  fileprivate func count(of text: String) -> Int { self.ranges(of: text).count }
}

/// The files of a folder.
private struct FileNames {
  private var names: [String] = []

  init(in folder: String) throws {
    guard let directory = unsafe opendir(folder) else { throw SystemError.last("open \(folder)") }
    defer { unsafe closedir(directory) }
    while let entry = unsafe readdir(directory) {
      self.names.append(
        unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
          unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        })
    }
  }

  func startingWith(_ prefix: String) -> [String] { self.names.filter { $0.hasPrefix(prefix) }.sorted() }
}
