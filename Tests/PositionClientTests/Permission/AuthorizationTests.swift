import JSONRPC
import PositionProtocol
import Positioning
import TestSupport
import Testing

@testable import PositionClient

/// A program's authorization, with a fake daemon.
@Suite(.timeLimit(.minutes(TestDeadline.minutes)))
struct AuthorizationTests {
  private static let undecided = Samples.authorization("notDetermined", remedy: "adduser ada position")
  private static let granted = Samples.authorization("whenInUse")
  private static let denied = Samples.authorization("denied")

  /// An update as a word: the event, else the change of the connection.
  private static func word(_ update: AuthorizationUpdate?) -> String {
    guard let update else { return "end" }
    guard let event = update.event else { return update.reason?.rawValue ?? "nothing" }
    let state = update.authorization?.state.rawValue ?? "unknown"
    switch event {
    case .current: return "current \(state)"
    case .prompted(let level, let precision, let expiresIn): return "prompted \(level) \(precision) \(expiresIn)"
    case .granted: return "granted \(state)"
    case .denied: return "denied \(state)"
    case .changed: return "changed \(state)"
    }
  }

  @Test("A program reads its authorization, and who can change it")
  func authorization() async throws {
    let daemon = try FakeDaemon { _, _ in [.result(Self.undecided)] }
    let client = try await PositionClient(socket: daemon.path)
    let authorization = try await client.authorization()
    #expect(
      authorization
        == Authorization(state: .notDetermined, precision: .precise, remedy: "adduser ada position"))
    #expect(!authorization.isGranted)
    #expect(daemon.methods == ["session.hello", "authorization.get"])
  }

  @Test("It requests permission, forced only if it asks for that, and a no is a result")
  func request() async throws {
    let answers = Sequel([.result(Self.denied)], [.result(Samples.authorization("always", "reduced"))])
    let daemon = try FakeDaemon { _, _ in answers.next() }
    let client = try await PositionClient(socket: daemon.path)
    #expect(try await client.requestAuthorization().state == .denied)
    let always = try await client.requestAuthorization(level: .always, precision: .reduced, force: true)
    #expect(always.state == .always)
    #expect(
      await daemon.parameters(of: "authorization.request")
        == ["level": "whenInUse", "precision": "precise", "force": false])
    #expect(
      await daemon.parameters(of: "authorization.request", number: 2)
        == ["level": "always", "precision": "reduced", "force": true])
  }

  @Test("A prompt that ended with a lost connection is requested again")
  func requestedAgain() async throws {
    let answers = Sequel([.close], [.result(Self.granted)])
    let daemon = try FakeDaemon { _, _ in answers.next() }
    let client = try await PositionClient(socket: daemon.path)
    #expect(try await client.requestAuthorization().isGranted)
  }

  @Test(
    "An authorization covers a request, or does not",
    arguments: [
      (.whenInUse, .precise, .whenInUse, .precise, true), (.whenInUse, .precise, .always, .precise, false),
      (.always, .reduced, .whenInUse, .precise, false), (.always, .reduced, .always, .reduced, true),
      (.always, .precise, .whenInUse, .reduced, true), (.denied, .precise, .whenInUse, .reduced, false),
    ]
      as [(
        Authorization.State, Precision, AuthorizationLevel,
        Precision, Bool
      )])
  func covers(
    state: Authorization.State, precision: Precision, level: AuthorizationLevel,
    wanted: Precision, covers: Bool
  ) {
    let authorization = Authorization(state: state, precision: precision)
    #expect(authorization.covers(level: level, precision: wanted) == covers)
  }

  // MARK: Changes

  @Test("A loop receives the authorization, the prompt, and the decision")
  func changes() async throws {
    let daemon = try FakeDaemon { _, _ in [.result(Self.undecided)] }
    let client = try await PositionClient(socket: daemon.path)
    var updates = client.authorizationChanges().makeAsyncIterator()
    #expect(Self.word(try await updates.next()) == "current notDetermined")
    daemon.notify("authorization.prompted", ["level": "whenInUse", "precision": "precise", "expiresIn": 120])
    #expect(Self.word(try await updates.next()) == "prompted whenInUse precise 120.0 seconds")
    daemon.notify("authorization.changed", Samples.changed(Self.granted, from: Self.undecided))
    let update = try #require(try await updates.next())
    #expect(Self.word(update) == "granted whenInUse")
    #expect(update.previous?.state == .notDetermined)
    let steps: [(to: JSONValue, word: String)] = [
      (Samples.authorization("always", "reduced"), "changed always"), (Self.denied, "denied denied"),
      (Samples.authorization("restricted", rule: "no-maps"), "denied restricted"), (Self.granted, "granted whenInUse"),
      (Self.undecided, "denied notDetermined"), (Samples.authorization("disabled"), "denied disabled"),
      (Self.undecided, "changed notDetermined"),
    ]
    for (to, word) in steps {
      daemon.notify("authorization.changed", Samples.changed(to, from: Self.granted))
      #expect(Self.word(try await updates.next()) == word)
    }
    #expect(daemon.methods == ["session.hello", "authorization.get"])
  }

  @Test("Changes during a lost connection are delivered on the next one, and nothing without a change")
  func reconnection() async throws {
    let answers = Sequel([.result(Self.granted)], [.result(Self.granted)], [.result(Self.denied)])
    let daemon = try FakeDaemon { _, _ in answers.next() }
    let client = try await PositionClient(socket: daemon.path)
    var updates = client.authorizationChanges().makeAsyncIterator()
    var words = [Self.word(try await updates.next())]
    daemon.dropClients()
    for _ in 1...2 { words.append(Self.word(try await updates.next())) }
    daemon.dropClients()
    for _ in 1...3 { words.append(Self.word(try await updates.next())) }
    #expect(
      words == [
        "current whenInUse", "disconnected", "reconnected", "disconnected", "reconnected", "denied denied",
      ])
  }

  @Test("Two loops receive the same, and each ends by itself")
  func twoLoops() async throws {
    let daemon = try FakeDaemon { _, _ in [.result(Self.undecided)] }
    let client = try await PositionClient(socket: daemon.path)
    var first = client.authorizationChanges().makeAsyncIterator()
    for try await update in client.authorizationChanges() {
      #expect(Self.word(update) == "current notDetermined")
      break
    }
    #expect(Self.word(try await first.next()) == "current notDetermined")
    daemon.notify("authorization.changed", Samples.changed(Self.granted, from: Self.undecided))
    #expect(Self.word(try await first.next()) == "granted whenInUse")
    await client.close()
    #expect(Self.word(try await first.next()) == "end")
  }

  @Test("Of changes that were not taken in time the newest counts, with the authorization before the first")
  func passedOver() {
    let objects = ["notDetermined", "whenInUse", "denied"].map { state in
      Authorization(state: Authorization.State(rawValue: state) ?? .disabled, precision: .precise)
    }
    var update = AuthorizationUpdate(from: objects[1], to: objects[2])
    update.passOver(AuthorizationUpdate(from: objects[0], to: objects[1]))
    #expect(update == AuthorizationUpdate(event: .denied, authorization: objects[2], previous: objects[0]))
  }

  // MARK: Denials

  @Test(
    "A denial has its reason",
    arguments: [
      (-32001, .denied), (-32002, .restricted), (-32003, .disabled), (-32004, .notDetermined),
      (-32005, .accuracyLimited),
    ] as [(Int, PermissionDenial.Reason)])
  func denials(code: Int, reason: PermissionDenial.Reason) async throws {
    let daemon = try FakeDaemon { _, _ in
      [
        .error(
          code, "m",
          data: ["decision": "2026-01-31T12:00:00.000Z", "rule": "maps", "remedy": "ask root"])
      ]
    }
    let client = try await PositionClient(socket: daemon.path)
    do {
      _ = try await client.position()
      Issue.record("it was not refused")
    } catch {
      guard case .notPermitted(let denial) = error else { throw error }
      #expect(denial.reason == reason)
      #expect(denial.decision == Timestamp(seconds: 1_769_860_800))
      #expect(denial.rule == "maps")
      #expect(denial.remedy == "ask root")
      #expect(error.advice == "ask root")
      #expect(error.rpcError?.code.rawValue == code)
    }
  }

  @Test("A denial without data, or with unreadable data, is still a denial")
  func bareRefusal() {
    for data in [nil, ["decision": "yesterday", "rule": 7]] as [JSONValue?] {
      let denial = PermissionDenial(RPCError(code: .denied, message: "m", data: data))
      #expect(denial?.reason == .denied)
      #expect(denial?.decision == nil && denial?.rule == nil && denial?.remedy == nil)
    }
    #expect(PermissionDenial(.shuttingDown) == nil)
  }

  @Test("A position may wait for its permission without losing its time")
  func delayed() async throws {
    let daemon = try FakeDaemon { _, _ in [.result(Samples.success)] }
    let client = try await PositionClient(socket: daemon.path)
    _ = try await client.position(timeout: .seconds(20), delayUntilAuthorized: true)
    let asked = await daemon.parameters(of: "position.get")
    #expect(asked?["delayUntilAuthorized"] == true)
    #expect(asked?["timeout"] == 20)
  }
}
