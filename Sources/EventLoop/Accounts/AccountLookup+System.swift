import Glibc

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
