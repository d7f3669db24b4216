import EventLoop

/// Names of users, asked once each: the system's answer may come from afar.
final class UserNames {
  private var names: [UInt32: String] = [:]

  /// The name, or `nil` where the system knows none.
  func name(of uid: UInt32) -> String? {
    if let name = self.names[uid] { return name }
    guard case .named(let name) = UserName(of: uid) else { return nil }
    self.names[uid] = name
    return name
  }
}
