import CTestSupport
package import EventLoop
import Glibc

/// A network of a thread's own, with only the loopback, in which every port is free. Only root can make one.
package enum OwnNetwork {
  /// The host's own addresses in it.
  package static let addresses = ["127.0.0.1", "::1", "192.0.2.1"]

  /// Whether one can be made: root may, unless it lacks the right, as in containers.
  package static let canBeMade = ctest_try_own_network() == 0

  /// Why a test is skipped without one.
  package static let reason = "this test needs a network of its own, which root may make where nothing forbids it"

  /// Moves the calling thread, and every thread and program that it starts from now on, into a new network. It ends
  /// with them.
  package static func enter() throws(SystemError) {
    guard ctest_enter_own_network() == 0 else { throw SystemError.last("make a network of one's own") }
  }

  /// Listens at every address.
  package static func listen(port: UInt16) throws(SystemError) -> FileDescriptor {
    let number = ctest_tcp_listen(port)
    guard number >= 0 else { throw SystemError.last("listen on port \(port)") }
    return try FileDescriptor(adopting: number)
  }
}
