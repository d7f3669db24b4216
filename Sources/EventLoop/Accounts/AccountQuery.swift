/// A lookup of a user or group, which may involve a directory server.
package enum AccountQuery: Hashable, Sendable {
  /// The name of the user with this number.
  case name(UInt32)
  /// The name and the groups of the user with this number.
  case user(UInt32)
  /// The same of a client's number; if it has no user, of the one who owns it. These are the possible owners, by name or
  /// number.
  case client(UInt32, owners: [String])
  /// The number of the user with this name.
  case userNumber(String)
  /// The number of the group with this name.
  case groupNumber(String)
}

/// The requested data of a user or group.
package struct Account: Hashable, Sendable {
  package var number: UInt32
  package var name: String
  /// The primary one first; empty unless the groups were requested.
  package var groups: [UInt32]

  package init(number: UInt32, name: String, groups: [UInt32] = []) {
    self.number = number
    self.name = name
    self.groups = groups
  }
}

extension AccountQuery {
  /// Asks the system, and blocks until it answers.
  package func ask() -> AccountLookup<Account> {
    switch self {
    case .name(let uid): AccountLookup<String>.userName(of: uid).map { Account(number: uid, name: $0) }
    case .user(let uid): .user(uid)
    case .client(let uid, let owners): .client(uid, owners: owners)
    case .userNumber(let name): AccountLookup<UInt32>.user(named: name).map { Account(number: $0, name: name) }
    case .groupNumber(let name): AccountLookup<UInt32>.group(named: name).map { Account(number: $0, name: name) }
    }
  }

  /// The lookup, as an error names it.
  var description: String {
    switch self {
    case .name(let uid), .user(let uid), .client(let uid, _): "look up user \(uid)"
    case .userNumber(let name): "look up user \(name)"
    case .groupNumber(let name): "look up group \(name)"
    }
  }
}
