import Glibc

/// What the system calls a user.
package enum UserName: Hashable, Sendable {
  case named(String)
  /// The system knows no such user.
  case nobody
  /// The system could not tell; it may at another time.
  case unknown(SystemError)

  /// Asks the system, whose answer may come from afar.
  package init(of uid: UInt32) {
    var entry = unsafe passwd()
    var found: UnsafeMutablePointer<passwd>?
    var buffer = [CChar](repeating: 0, count: 4096)
    var code = unsafe getpwuid_r(uid, &entry, &buffer, buffer.count, &found)
    while code == ERANGE, buffer.count < 1 << 20 {
      buffer = [CChar](repeating: 0, count: buffer.count * 4)
      code = unsafe getpwuid_r(uid, &entry, &buffer, buffer.count, &found)
    }
    if code != 0 {
      self = .unknown(SystemError(code: code, call: "look up user \(uid)"))
    } else {
      self = unsafe found == nil ? .nobody : .named(unsafe String(cString: entry.pw_name))
    }
  }
}
