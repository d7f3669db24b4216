import JSONRPC
import TestSupport
import Testing

/// Two people on one daemon with a receiver that is on: ada, who has something, and ben, who is after it.
struct TwoUsers {
  let stage: Stage
  let ada: Person
  let ben: Person
  private let users: TemporaryUsers

  /// One of them, and a connection.
  struct Person {
    let user: OtherUser
    let client: LineClient

    func call(_ method: String, _ params: [String: JSONValue] = [:]) throws -> JSONValue {
      try self.client.call(method, params)
    }

    /// Asks for what is not to be had; returns the error.
    func refused(_ method: String, _ params: [String: JSONValue] = [:]) throws -> JSONValue {
      let reply = try self.client.reply(to: try self.client.request(method, params))
      return try #require(reply["error"], "\(method) \(params) was answered: \(reply)")
    }
  }

  init() throws {
    let stage = try Stage()
    let users = try TemporaryUsers()
    self.stage = stage
    self.users = users
    self.ada = try Self.person(users, stage)
    self.ben = try Self.person(users, stage)
  }

  private static func person(_ users: TemporaryUsers, _ stage: Stage) throws -> Person {
    let user = try users.addUser()
    return Person(user: user, client: try stage.client(as: user))
  }

  /// Another connection of a person.
  func another(_ person: Person) throws -> Person {
    Person(user: person.user, client: try self.stage.client(as: person.user))
  }
}
