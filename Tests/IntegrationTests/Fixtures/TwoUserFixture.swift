import JSONRPC
import TestSupport
import Testing

/// Two users of one daemon with a receiver that is on, and a connection of each: ada, who has something, and ben, who
/// tries to access it.
struct TwoUserFixture {
  let fixture: IntegrationFixture
  let ada: Person
  let ben: Person
  private let accounts: TemporaryUsers

  /// One of them, and a connection.
  struct Person {
    let user: OtherUser
    let client: LineClient

    func call(_ method: String, _ params: [String: JSONValue] = [:]) throws -> JSONValue {
      try self.client.call(method, params)
    }

    /// Sends a request that must fail; returns the error.
    func refused(_ method: String, _ params: [String: JSONValue] = [:]) throws -> JSONValue {
      let reply = try self.client.reply(to: try self.client.request(method, params))
      return try #require(reply["error"], "\(method) \(params) was answered: \(reply)")
    }
  }

  init() throws {
    let fixture = try IntegrationFixture()
    let accounts = try TemporaryUsers()
    self.fixture = fixture
    self.accounts = accounts
    self.ada = try Self.person(accounts, fixture)
    self.ben = try Self.person(accounts, fixture)
  }

  private static func person(_ accounts: TemporaryUsers, _ fixture: IntegrationFixture) throws -> Person {
    let user = try accounts.addUser()
    return Person(user: user, client: try fixture.client(as: user))
  }

  /// Another connection of a person.
  func another(_ person: Person) throws -> Person {
    Person(user: person.user, client: try self.fixture.client(as: person.user))
  }
}
