import EventLoop
import Glibc
import History
import JSONRPC
import Positioning
import ReceiverSimulator
import TestSupport
import Testing

/// The recorder with a positiond, and what `positionctl history` says of it.
@Suite(.timeLimit(.minutes(TestDeadline.minutes))) struct HistoryRecorderTests {
  /// A recorder's file and its configuration, in a folder of their own.
  private struct Home {
    let folder: TemporaryFolder
    let loop: EventLoop
    let socket: String

    init(_ configuration: String = "", socket: String, on loop: EventLoop) throws {
      self.folder = try TemporaryFolder()
      (self.loop, self.socket) = (loop, socket)
      try SystemDisk().write(
        Array(configuration.utf8), to: self.folder.file("positiond-history.conf"), mode: 0o600, isDurable: false)
    }

    var environment: [String: String] {
      [
        "XDG_CONFIG_HOME": self.folder.path, "XDG_STATE_HOME": self.folder.path, "POSITIOND_SOCKET": self.socket,
        "TZ": "UTC",
      ]
    }

    func recorder() throws -> RunningProgram {
      try RunningProgram(Programs.path("positiond-history"), [], environment: self.environment, on: self.loop)
    }

    func history() throws -> HistoryFile {
      try HistoryFile.open(self.folder.file("positiond/history.db"), creates: false)
    }

    /// Waits until the file has something; nothing else says when. The suite has a deadline.
    func wait(for condition: (HistoryFile) throws -> Bool) throws {
      while try !condition(self.history()) { try self.loop.drive(for: .milliseconds(50)) }
    }

    func control(_ words: String...) throws -> (code: Int32?, text: String) {
      let run = try RunningProgram(
        Programs.path("positionctl"), words, environment: self.environment, on: self.loop)
      let code = try run.waitForExit()
      return (code, run.output)
    }
  }

  @Test func `a recorder that is killed again and again has each event once`() async throws {
    try await withLoop { loop in
      let inbox = try FakeInbox(waking: loop)
      let home = try Home("[record]\nmode=deferred\n[position]\ndurable=mqtt\n", socket: inbox.daemon.path, on: loop)
      for round in 1...10 {
        let recorder = try home.recorder()
        for _ in 0..<50 { inbox.occur() }
        try loop.drive(until: "some of round \(round)") { inbox.acknowledged >= round * 50 - 40 }
        recorder.send(SIGKILL)
        _ = try recorder.waitForExit()
        let stored = try home.history().lastEvent() ?? 0
        #expect(stored >= inbox.acknowledged)
      }
      let recorder = try home.recorder()
      try recorder.waitToSay("records positions")
      try loop.drive(until: "the rest") { inbox.acknowledged == 500 }
      #expect(try home.history().lastEvent() == 500)
      recorder.send(SIGTERM)
      let code = try recorder.waitForExit()
      #expect(code == 0, "\(recorder.output)")
      #expect((1...500).contains(try home.history().count()))
    }
  }

  @Test func `what another program needs is recorded, survives kill -9, is shown, and is forgotten`() async throws {
    let fixture = try IntegrationFixture()
    try await withLoop { loop in
      let home = try Home(socket: fixture.socket, on: loop)
      let recorder = try home.recorder()
      try recorder.waitToSay("records positions")
      let watch = try RunningProgram(
        Programs.path("positionctl"), ["watch"], environment: home.environment, on: loop)
      try home.wait { try $0.count() >= 5 }
      let before = try home.history().fixes(in: .all)
      recorder.send(SIGKILL)
      _ = try recorder.waitForExit()
      #expect(try Array(home.history().fixes(in: .all).prefix(before.count)) == before)
      let again = try home.recorder()
      try home.wait { try $0.count() >= before.count + 5 }
      let fixes = try home.history().fixes(in: .all)
      #expect(fixes.allSatisfy { ($0.accuracy ?? 0) > 0 })
      #expect(try home.history().gaps().contains { $0.cause == .off })
      let day = try home.control("history", "day")
      #expect(day.code == 0 && day.text.contains("on the way"), "\(day)")
      let moment = try home.control("history", "at", "now", "--json")
      #expect(moment.code == 0 && moment.text.contains("\"before\""), "\(moment)")
      let use = try home.control("status", "--why", "--json")
      #expect(use.text.contains("positiond-history"), "\(use)")
      watch.send(SIGTERM)
      _ = try watch.waitForExit()
      again.send(SIGTERM)
      #expect(try again.waitForExit() == 0)
      let gone = try home.control("history", "forget", "--all")
      #expect(gone.code == 0, "\(gone)")
      #expect(try home.history().count() == 0)
    }
  }

  @Test(.enabled(if: OtherUser.canBeAnybody, "\(OtherUser.reason)"))
  func `a denial stops it and says so; a reduced user records reduced positions`() async throws {
    var settings = IntegrationFixture.Settings()
    settings.configuration = ["rule me.user=root", "rule me.grant=deny"]
    let denying = try IntegrationFixture(settings)
    settings.configuration = ["rule me.user=root", "rule me.grant=always", "rule me.precision=reduced"]
    let reducing = try IntegrationFixture(settings)
    try await withLoop { loop in
      let denied = try Home(socket: denying.socket, on: loop)
      let recorder = try denied.recorder()
      try recorder.waitToSay("nothing is recorded: positiond permits nothing")
      try denied.wait { try $0.gaps().last?.cause == .denied }
      let home = try Home(socket: reducing.socket, on: loop)
      let other = try home.recorder()
      try other.waitToSay("of reduced precision")
      let watch = try RunningProgram(
        Programs.path("positionctl"), ["watch"], environment: home.environment, on: loop)
      try home.wait { try $0.count() > 0 }
      let fixes = try home.history().fixes(in: .all)
      #expect(fixes.allSatisfy { $0.isReduced && ($0.accuracy ?? 0) >= 1000 })
      withExtendedLifetime((recorder, other, watch)) {}
    }
  }
}
