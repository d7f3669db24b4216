import Broker
import JSONRPC
import Positioning
import TestSupport
import Testing

@testable import Server

/// A permission that is withdrawn while fixes arrive faster than the client reads them, from the broker to the socket.
@Suite(.timeLimit(.minutes(TestDeadline.minutes))) struct RevocationTests {
  @Test("Of 1000 waiting fixes a second none follows the notification of a withdrawal")
  func revoked() async throws {
    try await onOwnThread {
      var limits = ServerLimits()
      limits.maxOutbound = 64 * 1024
      let server = try LiveServer(
        limits: limits, principal: Principal(uid: AuthorizationCase.uid, gid: 100, pid: 1, user: AuthorizationCase.user)
      )
      let client = try server.client()
      for replay in ["any", "none"] {
        _ = try client.call("position.subscribe", ["minInterval": 0, "replay": .string(replay)])
      }
      // Nothing is read meanwhile: the socket is full, and waiting updates were superseded many times.
      var sent = 0
      while sent < 3000 || server.outboundBytes < limits.maxOutbound / 2 {
        sent += 1
        server.fix(latitude: Double(sent) * 0.0001)
      }
      #expect(sent < 100_000)
      let waiting = try client.request("position.get", ["accuracy": "room", "timeout": 60])
      var settings = BrokerSettings()
      settings.access.fallback = .deny
      server.change(settings)
      for _ in 0..<100 {
        sent += 1
        server.fix(latitude: Double(sent) * 0.0001)
      }
      _ = server.outboundBytes
      let end = try client.request("request.list")
      var messages: [JSONValue] = []
      while true {
        let message = try client.next(what: "message")
        if message["id"] == .integer(end) { break }
        messages.append(message)
      }
      let change = try #require(messages.firstIndex { $0["method"] == "authorization.changed" })
      #expect(messages[change]["params"]?["state"] == "restricted")
      for message in messages[change...] { #expect(Disclosure.all(in: message).isEmpty, "\(message)") }
      // Each request has one answer, with the reason.
      let answers = messages.filter { $0["id"] == .integer(waiting) }
      #expect(answers.map { $0["error"]?["code"] } == [-32002])
      // Waiting messages were not sent: only those that the socket had taken come before.
      let newest = messages.compactMap { $0["params"]?["fix"]?["latitude"] }.last
      #expect(newest != nil && newest != .number(Double(sent - 100) * 0.0001))
    }
  }
}
