import CTestSupport
import EventLoop
import Glibc

/// Another user than the one who runs the tests, as the kernel sees it. Only root can use one.
package struct OtherUser: Hashable, Sendable {
  package let uid: UInt32
  package let gid: UInt32
  /// All further groups.
  package let groups: [UInt32]
  /// The system's name of the user; `nil` for a number without a user.
  package let name: String?

  package init(uid: UInt32, gid: UInt32? = nil, groups: [UInt32] = [], name: String? = nil) {
    self.uid = uid
    self.gid = gid ?? uid
    self.groups = groups
    self.name = name
  }

  /// Whether the tests run as root, so that they can use other users.
  package static let canBeAnybody = geteuid() == 0

  /// Why a test is skipped without other users.
  package static let reason = "this test is other users, which root alone can be"

  /// Does something as this user, on a thread that becomes this user and then ends; waits for it.
  ///
  /// What is opened there belongs to the user for as long as it is open: a connection's credentials are those of the
  /// thread that connected. The process stays that of the tests, so the kernel reports it as the peer's.
  ///
  /// - Throws: what the body throws, and `EPERM` if the tests do not run as root.
  package func perform<Result>(_ body: () throws -> Result) throws -> Result {
    try withoutActuallyEscaping(body) { body in
      let visit = Visit(body)
      let argument = unsafe Unmanaged.passUnretained(visit).toOpaque()
      let code = unsafe ctest_run_as(
        self.uid, self.gid, self.groups, Int32(self.groups.count),
        { argument in
          guard let argument = unsafe argument else { return }
          unsafe Unmanaged<AnyVisit>.fromOpaque(argument).takeUnretainedValue().run()
        }, argument)
      guard code == 0 else { throw SystemError.last("become user \(self.uid)") }
      guard let result = visit.result else { preconditionFailure("the thread did nothing") }
      return try result.get()
    }
  }
}

private class AnyVisit {
  func run() {}
}

/// The work for the other thread, and its result.
private final class Visit<Result>: AnyVisit {
  private let body: () throws -> Result
  private(set) var result: Swift.Result<Result, any Error>?

  init(_ body: @escaping () throws -> Result) { self.body = body }

  override func run() { self.result = Swift.Result { try self.body() } }
}
