import Glibc

/// What the system says when it is asked for a user or for a group. Its answer may come from afar.
package enum AccountLookup<Value: Hashable & Sendable>: Hashable, Sendable {
  case found(Value)
  /// There is none.
  case absent
  /// The lookup failed; a later one may succeed.
  case unknown(SystemError)

  /// Asks with more and more room for the answer.
  ///
  /// - Parameters:
  ///   - call: what is tried, for the error.
  ///   - get: one of getpwnam_r(3) and its like: returns the error's number, or 0 and whether there is one.
  ///   - value: what is wanted of the answer, which is in the room no longer than this runs.
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
  /// The same with another type of value.
  package func map<Other>(_ transform: (Value) -> Other) -> AccountLookup<Other> {
    switch self {
    case .found(let value): .found(transform(value))
    case .absent: .absent
    case .unknown(let error): .unknown(error)
    }
  }
}

extension AccountLookup<UInt32> {
  /// The number of the user of that name.
  package static func user(named name: String) -> AccountLookup {
    unsafe AccountLookup("look up user \(name)", into: passwd()) { entry, room, found in
      unsafe getpwnam_r(name, &entry, &room, room.count, &found)
    } value: { entry in
      unsafe entry.pw_uid
    }
  }

  /// The number of the group of that name.
  package static func group(named name: String) -> AccountLookup {
    unsafe AccountLookup("look up group \(name)", into: Glibc.group()) { entry, room, found in
      unsafe getgrnam_r(name, &entry, &room, room.count, &found)
    } value: { entry in
      unsafe entry.gr_gid
    }
  }
}

/// A user's name, and the groups that it is in by the system's files: its processes may have been given others.
package struct SystemUser: Hashable, Sendable {
  package let name: String
  /// The primary one first.
  package let groups: [UInt32]
}

extension AccountLookup<SystemUser> {
  /// The system does not say when it cannot reach all that it asks for groups: then some are missing.
  package static func user(_ uid: UInt32) -> AccountLookup {
    unsafe AccountLookup("look up user \(uid)", into: passwd()) { entry, room, found in
      unsafe getpwuid_r(uid, &entry, &room, room.count, &found)
    } value: { entry in
      unsafe SystemUser(
        name: String(cString: entry.pw_name), groups: Self.groups(of: entry.pw_name, primary: entry.pw_gid))
    }
  }

  private static func groups(of name: UnsafePointer<CChar>, primary: gid_t) -> [UInt32] {
    var groups = [gid_t](repeating: 0, count: 64)
    while true {
      var count = Int32(groups.count)
      guard unsafe getgrouplist(name, primary, &groups, &count) < 0 else { return Array(groups.prefix(Int(count))) }
      // It says how many there are; a group may have come since.
      groups = [gid_t](repeating: 0, count: max(Int(count), groups.count * 2))
    }
  }
}
