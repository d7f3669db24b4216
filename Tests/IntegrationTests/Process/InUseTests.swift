import EventLoop
import Glibc
import ReceiverSimulator
import TestSupport
import Testing

/// The file of the users in use, as a daemon writes it.
@Suite(.timeLimit(.minutes(TestDeadline.minutes))) struct InUseTests {
  @Test func `the file beside the socket exists while the daemon serves, whatever the last one left`() async throws {
    try await withLoop { loop in
      let fixture = try DaemonFixture(on: loop)
      let path = fixture.file("in-use.json")
      try File.write(Array(#"{"inUse":[{"uid":1000}]}"#.utf8), to: path)
      let daemon = try fixture.startServing()
      #expect(String(decoding: try File.read(path), as: UTF8.self) == "{\"inUse\":[]}\n")
      // A daemon that cannot serve here does not change it.
      #expect(try fixture.start().waitForExit() == 1)
      #expect(unsafe access(path, R_OK) == 0)
      daemon.send(SIGTERM)
      #expect(try daemon.waitForExit() == 0)
      #expect(unsafe access(path, F_OK) != 0)
    }
  }
}
