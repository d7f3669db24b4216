import EventLoop
import Glibc
import JSONRPC
import ReceiverSimulator
import TestSupport
import Testing

/// GeoClue's own demonstration client, unmodified, with positions from the real daemon over a real bus.
@Suite(.timeLimit(.minutes(TestDeadline.minutes)), .enabled(if: OtherUser.canBeAnybody, "\(OtherUser.reason)"))
struct GeoClueTests {
  @Test func `it shows positions from positiond, and the receiver is released when it ends`() async throws {
    try await onOwnThread {
      let world = try GeoClueFixture()
      let program = try world.start(as: world.precise, seconds: 60, ["-a", "8"])
      let output = try program.waitToSay("Latitude:")
      #expect(output.contains("Latitude:    48.1"), "\(output)")
      // The demand is the user's, and has the program's own words.
      let demand = try world.fixture.waitForStatus("demand") { $0["demand"] != nil }
      let clients = try world.fixture.client().call("admin.clients")["clients"]?.elements ?? []
      let principal = clients.map { $0["principal"] }.first { $0?["relay"] != nil } ?? nil
      #expect(principal?["uid"] == .integer(Int(world.precise.uid)), "\(clients) \(demand)")
      #expect(principal?["name"] == "geoclue-where-am-i" && principal?["relay"] == 0)
      // Not by its own Stop: the bus reports its end.
      program.send(SIGKILL)
      _ = try program.waitForExit()
      try world.waitForRelease()
    }
  }

  @Test func `a user with reduced precision gets a point of the grid`() async throws {
    try await onOwnThread {
      let world = try GeoClueFixture()
      let program = try world.start(as: world.reduced, seconds: 60, ["-a", "8"])
      let output = try program.waitToSay("Accuracy:")
      let accuracy = output.split(separator: "Accuracy:").dropFirst().first?.split(separator: " ").first
      #expect(accuracy.flatMap { Double($0) }.map { $0 >= 1000 } == true, "\(output)")
      #expect(!output.contains("Speed:"), "\(output)")
      program.send(SIGTERM)
      _ = try program.waitForExit()
      try world.waitForRelease()
    }
  }

  @Test func `a denied user gets the reason, and the receiver stays off`() async throws {
    try await onOwnThread {
      let world = try GeoClueFixture()
      let program = try world.start(as: world.denied, seconds: 60, ["-a", "8"])
      #expect(try program.waitForExit() != 0)
      #expect(program.output.contains("AccessDenied"), "\(program.output)")
      #expect(program.output.contains("[rule denied]"), "\(program.output)")
      #expect(!program.output.contains("Latitude"))
      let status = try world.fixture.client().call("status.get")
      #expect(status["power"]?["starts"]?["total"] == 0, "\(status)")
    }
  }

  @Test func `a user about whom nobody has decided gets the remedy at once`() async throws {
    try await onOwnThread {
      let world = try GeoClueFixture()
      let asked = try world.accounts.addUser()
      let program = try world.start(as: asked, seconds: 60, ["-a", "8"])
      // There is no agent that could ask.
      #expect(try program.waitForExit() != 0)
      #expect(program.output.contains("adduser \(asked.name ?? "") position"), "\(program.output)")
    }
  }
}
