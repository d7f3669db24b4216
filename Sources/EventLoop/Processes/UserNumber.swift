import Glibc

/// Which user the system knows by a name.
package enum UserNumber: Hashable, Sendable {
  case number(UInt32)
  /// The system knows no such user.
  case nobody
  /// The lookup failed; a later one may succeed.
  case unknown(SystemError)

  /// Asks the system, whose answer may come from afar.
  package init(of name: String) {
    // What C takes for the end of the text would find another user.
    guard !name.utf8.contains(0) else {
      self = .nobody
      return
    }
    var entry = unsafe passwd()
    var found: UnsafeMutablePointer<passwd>?
    var buffer = [CChar](repeating: 0, count: 4096)
    var code = unsafe getpwnam_r(name, &entry, &buffer, buffer.count, &found)
    while code == ERANGE, buffer.count < 1 << 20 {
      buffer = [CChar](repeating: 0, count: buffer.count * 4)
      code = unsafe getpwnam_r(name, &entry, &buffer, buffer.count, &found)
    }
    if code != 0 {
      self = .unknown(SystemError(code: code, call: "look up a user by name"))
    } else {
      self = unsafe found == nil ? .nobody : .number(unsafe entry.pw_uid)
    }
  }
}
