import JSONRPC
import PositionProtocol
import Positioning
import TestSupport
import Testing

@testable import PositionClient

/// Sequences whose permission is withdrawn and granted again, with a fake daemon.
@Suite(.timeLimit(.minutes(TestDeadline.minutes)))
struct SuspensionTests {
  private static let denial = FakeDaemon.Step.error(-32001, "Denied: a person answered no")
  private static let subscribed = FakeDaemon.Step.result(Samples.subscription)
  private static let granted = Samples.changed(
    Samples.authorization("whenInUse"), from: Samples.authorization("denied"))

  @Test("A subscription that the daemon suspends is reported, and continues when the daemon resumes it")
  func suspended() async throws {
    let suspended: JSONValue = [
      "subscription": 7, "state": "suspended", "availability": "denied", "reason": "changed",
    ]
    let daemon = try FakeDaemon { _, _ in [Self.subscribed, .notify("position.update", suspended)] }
    let client = try await PositionClient(socket: daemon.path)
    var updates = client.updates().makeAsyncIterator()
    let update = try #require(try await updates.next())
    #expect(update.state == .suspended && update.availability == .denied && update.fix == nil)
    daemon.notify("authorization.changed", Self.granted)
    daemon.notify("position.update", Samples.update(latitude: 2))
    #expect(try await updates.next()?.fix?.latitude == 2)
    // The daemon resumes it without a request.
    #expect(daemon.methods == ["session.hello", "position.subscribe"])
  }

  @Test(
    "What the program has not read and may not know any more is gone, and it learns of the change before anything else")
  func unread() async throws {
    let change: JSONValue = [
      "subscription": 7, "state": "delivering", "availability": "accuracyLimited", "reason": "changed",
    ]
    let daemon = try FakeDaemon { method, _ in
      method == "position.subscribe"
        ? [Self.subscribed, .notify("position.update", Samples.update(latitude: 1))] : [.result(Samples.status)]
    }
    let client = try await PositionClient(socket: daemon.path)
    var updates = client.updates().makeAsyncIterator()
    #expect(try await updates.next()?.fix?.latitude == 1)
    for latitude in [2.0, 3] { daemon.notify("position.update", Samples.update(latitude: latitude)) }
    daemon.notify(
      "authorization.changed",
      Samples.changed(Samples.authorization("always", "reduced"), from: Samples.authorization("always")))
    daemon.notify("position.update", change)
    // Everything before the answer has arrived.
    _ = try await client.status()
    let update = try #require(try await updates.next())
    #expect(update.fix == nil && update.availability == .accuracyLimited && update.reason == .changed)
  }

  @Test("Permission that was withdrawn while the connection was lost is waited for, and is not the end")
  func refusedAnew() async throws {
    let answers = Sequel(
      [Self.subscribed, .close], [Self.denial], [Self.denial],
      [Self.subscribed, .notify("position.update", Samples.update(latitude: 3))])
    let daemon = try FakeDaemon { _, _ in answers.next() }
    let client = try await PositionClient(socket: daemon.path)
    var updates = client.updates().makeAsyncIterator()
    #expect(try await updates.next()?.reason == .disconnected)
    #expect(
      try await updates.next() == PositionUpdate(availability: .denied, state: .suspended, reason: .suspended))
    // A change that grants nothing is not delivered.
    daemon.notify(
      "authorization.changed",
      Samples.changed(Samples.authorization("restricted"), from: Samples.authorization("denied")))
    _ = await daemon.parameters(of: "position.subscribe", number: 3)
    daemon.notify("authorization.changed", Self.granted)
    #expect(try await updates.next()?.reason == .reconnected)
    #expect(try await updates.next()?.fix?.latitude == 3)
  }

  @Test("Regions wait in the same way")
  func regions() async throws {
    let answers = Sequel([.result(["state": "unknown"]), .close], [Self.denial], [.result(["state": "unknown"])])
    let daemon = try FakeDaemon { _, _ in answers.next() }
    let client = try await PositionClient(socket: daemon.path)
    let home = Region(id: "home", shape: .circle(center: Coordinate(latitude: 48, longitude: 11), radius: 150))
    var updates = client.regionEvents([home]).makeAsyncIterator()
    #expect(try await updates.next()?.reason == .disconnected)
    #expect(try await updates.next()?.reason == .suspended)
    daemon.notify("authorization.changed", Self.granted)
    #expect(try await updates.next()?.reason == .reconnected)
    #expect(daemon.methods.count { $0 == "region.add" } == 3)
  }

  @Test("A subscription that is denied at the start throws why")
  func refusedAtFirst() async throws {
    let daemon = try FakeDaemon { _, _ in [Self.denial] }
    let client = try await PositionClient(socket: daemon.path)
    let denial = try #require(PermissionDenial(RPCError(code: .denied, message: "Denied: a person answered no")))
    var updates = client.updates().makeAsyncIterator()
    await #expect(throws: PositionError.notPermitted(denial)) { try await updates.next() }
    #expect(try await updates.next() == nil)
    let home = Region(id: "home", shape: .circle(center: Coordinate(latitude: 48, longitude: 11), radius: 150))
    var events = client.regionEvents([home]).makeAsyncIterator()
    await #expect(throws: PositionError.notPermitted(denial)) { try await events.next() }
  }

  @Test("A loop that is left while it waits is not subscribed again")
  func left() async throws {
    let answers = Sequel([Self.subscribed, .close], [Self.denial], [.result(Samples.status)])
    let daemon = try FakeDaemon { _, _ in answers.next() }
    let client = try await PositionClient(socket: daemon.path)
    for try await update in client.updates() where update.reason == .suspended { break }
    // Its end is on the client's loop before this request is.
    _ = try await client.status()
    daemon.notify("authorization.changed", Self.granted)
    _ = try await client.status()
    #expect(daemon.methods.count { $0 == "position.subscribe" } == 2)
  }
}
