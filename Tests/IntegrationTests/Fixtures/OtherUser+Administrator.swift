import Glibc
import TestSupport

extension OtherUser {
  /// The rule by which whoever runs the tests is an administrator. Root needs none.
  static func administratorRule() throws -> [String] {
    guard !self.canBeAnybody else { return [] }
    guard let entry = unsafe getpwuid(geteuid()), let name = unsafe entry.pointee.pw_name else {
      throw TimedOut("the user \(geteuid()), who runs the tests, has no name")
    }
    let user = unsafe String(cString: name)
    return ["rule tests.user=\(user)", "rule tests.grant=always", "rule tests.admin=yes"]
  }
}
