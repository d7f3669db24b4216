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
      #expect(try Self.names(client) == [])
      daemon.send(SIGTERM)
      #expect(try daemon.waitForExit() == 0)
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
