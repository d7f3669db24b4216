import EventLoop
import Glibc
import JSONRPC
import ReceiverSimulator
import TestSupport
import Testing

/// Administrators' decisions, with the real daemon and a disk that is late, read-only, full or damaged.
@Suite(
  .timeLimit(.minutes(TestDeadline.minutes)),
  .enabled(if: geteuid() == 0, "only root may administer without a rule, and mount"))
struct PermissionPersistenceTests {
  @Test func `a grant that is revoked at once is not restored by a late disk`() async throws {
    try await withLoop { loop in
      let fixture = try DaemonFixture(on: loop)
      let daemon = try fixture.startServing()
      defer { withExtendedLifetime(daemon) {} }
      let client = try fixture.client()
      for _ in 0..<20 {
        let (on, off) = (try client.request("admin.enable"), try client.request("admin.disable"))
        #expect(try client.reply(to: on)["result"] == ["enabled": true])
        #expect(try client.reply(to: off)["result"] == ["enabled": false])
        #expect(try client.call("authorization.get")["state"] == "disabled")
        let grant = try client.request("admin.grant", ["user": "daemon", "level": "always"])
        let revoke = try client.request("admin.revoke", ["user": "daemon"])
        #expect(try client.reply(to: grant)["result"]?["level"] == "always")
        _ = try client.reply(to: revoke)
        #expect(try client.call("admin.grants")["grants"] == [])
      }
    }
  }

  private static func makeFolder(_ path: String) throws {
    guard unsafe mkdir(path, 0o700) == 0 else { throw SystemError.last("make the folder \(path)") }
  }

  /// Turns positions off and denies a user, and ends the daemon.
  private static func decide(_ fixture: DaemonFixture) throws {
    try Self.makeFolder(fixture.file("kept"))
    try fixture.configure(["store.path=\(fixture.file("kept/positiond.db"))"])
    let daemon = try fixture.startServing()
    let client = try fixture.client()
    #expect(try client.call("admin.grant", ["user": "daemon", "level": "deny"])["stored"] == nil)
    #expect(try client.call("admin.disable") == ["enabled": false])
    daemon.send(SIGKILL)
    _ = try daemon.waitForExit()
  }

  private static func expectDecided(_ client: LineClient) throws {
    #expect(try client.call("authorization.get")["state"] == "disabled")
    let grants = try client.call("admin.grants")["grants"]?.elements ?? []
    #expect(grants.map { $0["level"] } == ["deny"], "\(grants)")
  }

  @Test(arguments: ["garbage", "a folder", "removed"])
  func `denials and the switch persist if the database cannot be used`(damage: String) async throws {
    try await withLoop { loop in
      let fixture = try DaemonFixture(on: loop)
      try Self.decide(fixture)
      let path = fixture.file("kept/positiond.db")
      for suffix in ["", "-wal", "-shm"] { _ = unsafe unlink(path + suffix) }
      switch damage {
      case "garbage": try File.write(Array("These are not the pages of a database, but they are many. ".utf8), to: path)
      case "a folder": try Self.makeFolder(path)
      default: break
      }
      let daemon = try fixture.startServing()
      defer { withExtendedLifetime(daemon) {} }
      try Self.expectDecided(try fixture.client())
    }
  }

  @Test func `with unreadable decisions positions are off, with the reason, until an administrator turns them on`()
    async throws
  {
    try await withLoop { loop in
      let fixture = try DaemonFixture(on: loop)
      try Self.decide(fixture)
      let path = fixture.file("kept/positiond.db")
      for suffix in ["-wal", "-shm", ".permission"] { _ = unsafe unlink(path + suffix) }
      _ = unsafe unlink(path)
      try File.write(Array("These are not the pages of a database, but they are many. ".utf8), to: path)
      let daemon = try fixture.startServing()
      #expect(daemon.output.contains("positions are off for everybody"), "\(daemon.output)")
      let client = try fixture.client()
      let authorization = try client.call("authorization.get")
      #expect(authorization["state"] == "disabled")
      #expect(authorization["remedy"]?.text?.contains("positionctl auth enable") == true, "\(authorization)")
      let enabled = try client.call("admin.enable")
      #expect(enabled["enabled"] == true && enabled["unread"]?.text?.isEmpty == false, "\(enabled)")
      #expect(try client.call("authorization.get")["state"] == "always")
    }
  }

  @Test func `on a read-only file system all decisions count, and withdrawals too, which are not stored`()
    async throws
  {
    try await withLoop { loop in
      let fixture = try DaemonFixture(on: loop)
      try Self.decide(fixture)
      let kept = fixture.file("kept")
      let script = "mount --bind \(kept) \(kept) && mount -o remount,ro,bind \(kept) && exec \"$@\""
      let daemon = try RunningProgram(
        "/usr/bin/unshare",
        ["--mount", "sh", "-c", script, "sh", Programs.path("positiond"), "--config", fixture.configuration], on: loop)
      try daemon.waitToSay("serves")
      #expect(daemon.output.contains("Read-only file system"), "\(daemon.output)")
      let client = try fixture.client()
      try Self.expectDecided(client)
      let denied = try client.call("admin.grant", ["user": "bin", "level": "deny"])
      #expect(denied["level"] == "deny" && denied["stored"] == false)
      #expect(try client.call("admin.disable") == ["enabled": false, "stored": false])
      let refused = try client.reply(to: try client.request("admin.enable"))
      #expect(refused["error"] != nil, "\(refused)")
    }
  }

  @Test
  func `on a full disk an administrator's denial counts, is answered as not stored, and is stored later`()
    async throws
  {
    try await withLoop { loop in
      let fixture = try DaemonFixture(on: loop)
      let kept = fixture.file("kept")
      try Self.makeFolder(kept)
      try fixture.configure(["store.path=\(kept)/positiond.db"])
      let script = "mount -t tmpfs -o size=1m none \(kept) && exec \"$@\""
      let daemon = try RunningProgram(
        "/usr/bin/unshare",
        ["--mount", "sh", "-c", script, "sh", Programs.path("positiond"), "--config", fixture.configuration], on: loop)
      try daemon.waitToSay("serves")
      let client = try fixture.client()
      #expect(try client.call("admin.grant", ["user": "daemon", "level": "always"])["stored"] == nil)
      // Only the daemon sees that file system; through its path the disk is filled, to the last byte.
      let filler = "/proc/\(daemon.pid)/root\(kept)/filler"
      try Self.fill(filler)
      let denied = try client.call("admin.grant", ["user": "daemon", "level": "deny"])
      #expect(denied["level"] == "deny" && denied["stored"] == false, "\(denied)")
      #expect(try client.call("admin.grants")["grants"]?.elements.map { $0["level"] } == ["deny"])
      #expect(unsafe unlink(filler) == 0)
      let deadline = monotonicSeconds() + TestDeadline.seconds
      while try client.call("admin.grants")["grants"]?.elements.first?["stored"] == false {
        guard monotonicSeconds() < deadline else { throw TimedOut("it was never stored") }
        try loop.drive(for: .milliseconds(50))
      }
    }
  }

  private static func fill(_ path: String) throws {
    let file = try FileDescriptor(adopting: unsafe open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600))
    for size in [4096, 1] {
      let bytes = [UInt8](repeating: 1, count: size)
      do {
        while true { _ = try file.write(bytes[...]) }
      } catch {
        guard error.code == ENOSPC else { throw error }
      }
    }
  }
}
