import EventLoop
import JSONRPC
import TestSupport
import Testing

/// Rules that an administrator changes while the real daemon serves clients of real users.
@Suite(.timeLimit(.minutes(TestDeadline.minutes)), .enabled(if: OtherUser.canBeAnybody, "\(OtherUser.reason)"))
struct ReloadTests {
  @Test func `a reload counts at once for connected clients: first the notification and then its consequences`()
    async throws
  {
    try await onOwnThread { try Self.reloaded() }
  }

  private static func reloaded() throws {
    let users = try UndecidedUserFixture()
    let fixture = users.fixture
    let user = users.ben.name ?? ""
    func rules(_ lines: String...) throws {
      try fixture.onLoop { try $0.reloadDaemon(with: ["authorization.default=ask"] + lines) }
    }
    let client = try users.client(of: users.ben)
    #expect(try client.refusal(of: try client.request("position.get"))["code"] == -32004)

    try rules("rule ben.user=\(user)", "rule ben.grant=whenInUse")
    let granted = try client.notification("authorization.changed")
    #expect(granted["state"] == "whenInUse" && granted["rule"] == "ben")
    #expect(granted["previous"]?["state"] == "notDetermined")
    _ = try client.call("position.subscribe", ["minInterval": 0])
    _ = try client.next(what: "fix") { $0["params"]?["fix"] != nil }

    try rules("rule ben.user=\(user)", "rule ben.grant=deny")
    #expect(try client.notification("authorization.changed")["state"] == "restricted")
    let suspended = try client.next(what: "suspension") { $0["params"]?["state"] == "suspended" }
    #expect(suspended["params"]?["availability"] == "denied" && suspended["params"]?["fix"] == nil)
    let error = try client.refusal(of: try client.request("position.last"))
    #expect(error["code"] == -32002 && error["data"]?["rule"] == "ben", "\(error)")
    #expect(error["data"]?["remedy"] != nil)
    // Updates from before the change are not among those that follow.
    while client.unreadMessage() != nil {}

    try rules("rule ben.user=\(user)", "rule ben.grant=always", "rule ben.precision=reduced")
    #expect(try client.notification("authorization.changed")["precision"] == "reduced")
    let rough = try client.next(what: "reduced fix") { $0["params"]?["fix"] != nil }
    #expect(rough["params"]?["fix"]?["reduced"] == true)
    #expect(rough["params"]?["fix"]?["horizontalAccuracy"] == 2000)
    #expect(rough["params"]?["availability"] == "accuracyLimited")
    #expect(rough["params"]?["fix"]?["speed"] == nil && rough["params"]?["fix"]?["device"] == nil)
  }
}
