import Glibc

/// The system's groups.
enum Groups {
  /// The number of the group of that name; `nil` where there is none.
  static func number(of name: String) -> UInt32? {
    var entry = unsafe group()
    var buffer = [CChar](repeating: 0, count: 16384)
    var found: UnsafeMutablePointer<group>?
    guard unsafe getgrnam_r(name, &entry, &buffer, buffer.count, &found) == 0, unsafe found != nil else { return nil }
    return unsafe entry.gr_gid
  }
}
