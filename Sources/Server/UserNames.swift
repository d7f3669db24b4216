import Glibc

/// Names of users, asked once each: the system's answer may come from afar.
final class UserNames {
  private var names: [UInt32: String] = [:]

  /// The name, or `nil` where the system knows none.
  func name(of uid: UInt32) -> String? {
    if let name = self.names[uid] { return name }
    var entry = unsafe passwd()
    var buffer = [CChar](repeating: 0, count: 4096)
    var found: UnsafeMutablePointer<passwd>?
    guard unsafe getpwuid_r(uid, &entry, &buffer, buffer.count, &found) == 0, unsafe found != nil else { return nil }
    let name = unsafe String(cString: entry.pw_name)
    self.names[uid] = name
    return name
  }
}
