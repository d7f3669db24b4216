/// What the system can be asked about users and groups. Its answer may come from afar.
package enum AccountQuery: Hashable, Sendable {
  /// What the user of this number is called.
  case name(UInt32)
  /// The same, and which groups the user is in.
  case user(UInt32)
  /// Which user has this name.
  case userNumber(String)
  /// Which group has this name.
  case groupNumber(String)
}

/// A user or a group, as far as was asked.
package struct Account: Hashable, Sendable {
  package var number: UInt32
  package var name: String
  /// The primary one first; only where a user's groups were asked for.
  package var groups: [UInt32]

  package init(number: UInt32, name: String, groups: [UInt32] = []) {
    self.number = number
    self.name = name
    self.groups = groups
  }
}

extension AccountQuery {
  /// Asks the system, and waits for as long as it takes.
  package func ask() -> AccountLookup<Account> {
    switch self {
    case .name(let uid): AccountLookup<String>.userName(of: uid).map { Account(number: uid, name: $0) }
    case .user(let uid): .user(uid)
    case .userNumber(let name): AccountLookup<UInt32>.user(named: name).map { Account(number: $0, name: name) }
    case .groupNumber(let name): AccountLookup<UInt32>.group(named: name).map { Account(number: $0, name: name) }
    }
  }

  /// The lookup, as an error names it.
  var description: String {
    switch self {
    case .name(let uid), .user(let uid): "look up user \(uid)"
    case .userNumber(let name): "look up user \(name)"
    case .groupNumber(let name): "look up group \(name)"
    }
  }
}
