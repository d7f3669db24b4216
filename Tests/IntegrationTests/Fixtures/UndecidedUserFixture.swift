import JSONRPC
import TestSupport
import Testing

/// Two users of one daemon without a rule or a decision. Ada's programs may be agents for hers, root's for everybody's.
struct UndecidedUserFixture {
  let fixture: IntegrationFixture
  let ada: OtherUser
  let ben: OtherUser
  private let accounts: TemporaryUsers

  init() throws {
    let accounts = try TemporaryUsers()
    (self.ada, self.ben, self.accounts) = (try accounts.addUser(), try accounts.addUser(), accounts)
    var settings = IntegrationFixture.Settings()
    settings.configuration = [
      "authorization.default=ask", "rule ada.user=\(self.ada.name ?? "")", "rule ada.agent=yes",
      "rule root.user=root", "rule root.grant=always", "rule root.agent=all",
    ]
    self.fixture = try IntegrationFixture(settings)
  }

  func client(of user: OtherUser) throws -> LineClient { try self.fixture.client(as: user) }

  /// The user's range of subordinate numbers.
  func subordinates(of user: OtherUser) throws -> ClosedRange<UInt32> { try self.accounts.subordinates(of: user) }

  /// An agent that is registered.
  func agent(of user: OtherUser? = nil) throws -> LineClient {
    let agent = try self.fixture.client(as: user)
    #expect(try agent.call("agent.register") == ["ok": true])
    return agent
  }

  /// The authorization of the user's programs.
  func state(of user: OtherUser) throws -> JSONValue? {
    try self.client(of: user).call("authorization.get")["state"]
  }

  /// An administrator's call.
  func administer(_ method: String, _ params: [String: JSONValue]) throws -> JSONValue {
    try self.fixture.client().call(method, params)
  }

  /// Kills the daemon, and starts it again with the stored state.
  func restart() throws {
    try self.fixture.onLoop { $0.killDaemon() }
    try self.fixture.onLoop { try $0.startDaemon() }
    try self.fixture.waitForSocket()
  }
}

/// The actions of an agent, by docs/protocol.md.
extension LineClient {
  /// Waits for a prompt of the daemon.
  func prompt(within seconds: Double = TestDeadline.seconds) throws -> JSONValue {
    try self.next(within: seconds, what: "a prompt") { $0["method"] == "agent.authorize" }
  }

  /// Answers a prompt with a result, valid or not.
  func answer(_ prompt: JSONValue, _ result: JSONValue) throws {
    try self.reply(["jsonrpc": "2.0", "id": prompt["id"] ?? .null, "result": result])
  }

  /// Answers a prompt with an error.
  func fail(_ prompt: JSONValue) throws {
    try self.reply([
      "jsonrpc": "2.0", "id": prompt["id"] ?? .null, "error": ["code": -32603, "message": "there is no screen"],
    ])
  }

  private func reply(_ message: JSONValue) throws {
    try self.send(bytes: message.encoded() + [10])
  }

  /// The error of a request.
  func refusal(of request: Int) throws -> JSONValue {
    let reply = try self.reply(to: request)
    return try #require(reply["error"], "it was answered: \(reply)")
  }
}
