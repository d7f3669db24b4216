import Glibc

/// What the system calls a user.
package enum UserName: Hashable, Sendable {
  case named(String)
  /// The system knows no such user.
  case nobody
  /// The lookup failed; a later one may succeed.
  case unknown(SystemError)

  /// Asks the system, whose answer may come from afar.
  package init(of uid: UInt32) {
    let lookup = unsafe AccountLookup("look up user \(uid)", into: passwd()) { entry, room, found in
      unsafe getpwuid_r(uid, &entry, &room, room.count, &found)
    } value: { entry in
      unsafe String(cString: entry.pw_name)
    }
    switch lookup {
    case .found(let name): self = .named(name)
    case .absent: self = .nobody
    case .unknown(let error): self = .unknown(error)
    }
  }
}
