import Glibc

/// The result of looking up a user or group, which may involve a directory server.
package enum AccountLookup<Value: Hashable & Sendable>: Hashable, Sendable {
  case found(Value)
  /// There is none.
  case absent
  /// The lookup failed; a later one may succeed.
  case unknown(SystemError)

  /// Calls with a growing buffer for the answer.
  ///
  /// - Parameters:
  ///   - call: The attempted operation, for the error.
  ///   - get: A function like getpwnam_r(3): returns the error's number, or 0 and whether an entry was found.
  ///   - value: Extracts the result from the answer, whose buffer is valid only during this call.
  init<Entry>(
    _ call: @autoclosure () -> String, into entry: consuming Entry,
    get: (inout Entry, inout [CChar], inout UnsafeMutablePointer<Entry>?) -> Int32, value: (Entry) -> Value
  ) {
    var room = [CChar](repeating: 0, count: 4096)
    while true {
      var found: UnsafeMutablePointer<Entry>?
      let code = unsafe get(&entry, &room, &found)
      if code == ERANGE, room.count < 1 << 22 {
        room = [CChar](repeating: 0, count: room.count * 4)
        continue
      }
      if code != 0 {
        self = .unknown(SystemError(code: code, call: call()))
      } else if unsafe found == nil {
        self = .absent
      } else {
        self = .found(value(entry))
      }
      return
    }
  }
}

extension AccountLookup {
  /// The lookup with another type of value.
  package func map<Other>(_ transform: (Value) -> Other) -> AccountLookup<Other> {
    switch self {
    case .found(let value): .found(transform(value))
    case .absent: .absent
    case .unknown(let error): .unknown(error)
    }
  }
}

/// A lookup of a user or group, which may involve a directory server.
package enum AccountQuery: Hashable, Sendable {
  /// The name of the user with this number.
  case name(UInt32)
  /// The name and the groups of the user with this number.
  case user(UInt32)
  /// The name and the groups of the user with a client's number; if no user has it, of the user who owns it as a
  /// subordinate number. These are the possible owners, by name or number.
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

/// The lookups in the system. Each waits for as long as the answer takes.
extension AccountLookup<String> {
  /// What the user of that number is called.
  package static func userName(of uid: UInt32) -> AccountLookup {
    unsafe AccountLookup("look up user \(uid)", into: passwd()) { entry, room, found in
      unsafe getpwuid_r(uid, &entry, &room, room.count, &found)
    } value: { entry in
      unsafe String(cString: entry.pw_name)
    }
  }
}

extension AccountLookup<UInt32> {
  /// The number of the user of that name.
  package static func user(named name: String) -> AccountLookup {
    guard Self.isWhole(name) else { return .absent }
    return unsafe AccountLookup("look up user \(name)", into: passwd()) { entry, room, found in
      unsafe getpwnam_r(name, &entry, &room, room.count, &found)
    } value: { entry in
      unsafe entry.pw_uid
    }
  }

  /// The number of the group of that name.
  package static func group(named name: String) -> AccountLookup {
    guard Self.isWhole(name) else { return .absent }
    return unsafe AccountLookup("look up group \(name)", into: Glibc.group()) { entry, room, found in
      unsafe getgrnam_r(name, &entry, &room, room.count, &found)
    } value: { entry in
      unsafe entry.gr_gid
    }
  }

  /// What C takes for the end of the text would find another account.
  private static func isWhole(_ name: String) -> Bool { !name.utf8.contains(0) }
}

extension AccountLookup<Account> {
  /// The user of that number, with the groups that it is in by the system's files: its processes may have been given
  /// others. The system does not report unreachable sources of groups; some groups are missing then.
  package static func user(_ uid: UInt32) -> AccountLookup {
    unsafe AccountLookup("look up user \(uid)", into: passwd()) { entry, room, found in
      unsafe getpwuid_r(uid, &entry, &room, room.count, &found)
    } value: { entry in
      unsafe Account(
        number: uid, name: String(cString: entry.pw_name),
        groups: Self.groups(of: entry.pw_name, primary: entry.pw_gid))
    }
  }

  /// The user of that number; or, if it has none, its owner, of those who may own it. An owner that does not exist owns
  /// nothing. If two do, nobody knows whose it is.
  static func client(_ uid: UInt32, owners: [String]) -> AccountLookup {
    let own = Self.user(uid)
    guard own == .absent else { return own }
    var found: Account?
    for owner in owners {
      switch Self.owner(owner) {
      case .absent: continue
      case .unknown(let error): return .unknown(error)
      case .found(let account):
        guard found.map({ $0.number == account.number }) ?? true else {
          return .unknown(SystemError(code: ENOTUNIQ, call: "look up the owner of user \(uid)"))
        }
        found = account
      }
    }
    return found.map { .found($0) } ?? .absent
  }

  /// A user by name, or else by number, as /etc/subuid may name one.
  private static func owner(_ text: String) -> AccountLookup {
    switch AccountLookup<UInt32>.user(named: text) {
    case .found(let uid): Self.user(uid)
    case .absent: UInt32(text).map { Self.user($0) } ?? .absent
    case .unknown(let error): .unknown(error)
    }
  }

  private static func groups(of name: UnsafePointer<CChar>, primary: gid_t) -> [UInt32] {
    var groups = [gid_t](repeating: 0, count: 64)
    while true {
      var count = Int32(groups.count)
      guard unsafe getgrouplist(name, primary, &groups, &count) < 0 else { return Array(groups.prefix(Int(count))) }
      // It reports the needed size, but a group may have been added since.
      groups = [gid_t](repeating: 0, count: max(Int(count), groups.count * 2))
    }
  }
}
