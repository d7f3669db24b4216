import EventLoop
import Glibc
import Testing

@testable import Systemd

/// libsystemd reads the environment of the process, which all tests share: so each of these has a process of its own.
/// Sockets that are really passed are tested with the daemon: here number 3 may be in use.
@Suite("Sockets that are passed incorrectly")
struct MalformedActivationTests {
  @Test("An invalid number of sockets is an error", arguments: ["-2", "2a", "a2", "99999999999"])
  func malformed(count: String) async {
    await #expect(processExitsWith: .success) { [count] in
      unsafe setenv("LISTEN_FDS", count, 1)
      unsafe setenv("LISTEN_PID", "\(getpid())", 1)
      #expect(throws: SystemError.self) { try ServiceManager.passedSockets() }
      // Passed once: programs that this process starts must not use it as well.
      #expect(unsafe getenv("LISTEN_FDS") == nil)
    }
  }

  @Test("Sockets for another process are ignored")
  func foreign() async {
    await #expect(processExitsWith: .success) {
      unsafe setenv("LISTEN_FDS", "1", 1)
      unsafe setenv("LISTEN_PID", "1", 1)
      let sockets = try ServiceManager.passedSockets()
      #expect(sockets.isEmpty)
    }
  }
}
