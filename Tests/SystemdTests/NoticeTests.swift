import EventLoop
import Glibc
import Positioning
import TestSupport
import Testing

@testable import Systemd

@Suite("Notifications to systemd, and what it passes") struct NoticeTests {
  @Test(
    "A state comes first, then the status",
    arguments: [
      (ServiceManager.State?.some(.ready), "READY=1\nSTATUS=well"),
      (.reloading(since: .microseconds(12_345_678)), "RELOADING=1\nMONOTONIC_USEC=12345678\nSTATUS=well"),
      (.stopping, "STOPPING=1\nSTATUS=well"), (nil, "STATUS=well"),
    ])
  func notice(state: ServiceManager.State?, text: String) {
    #expect(ServiceManager.message(state, status: "well") == text)
  }

  @Test("A status cannot hold a further assignment")
  func forgedAssignment() {
    #expect(ServiceManager.message(nil, status: "x\nMAINPID=1") == #"STATUS=x\nMAINPID=1"#)
  }

  @Test("The monotonic clock is systemd's")
  func clock() {
    let before = monotonicSeconds()
    let moment = Clocks.system.monotonic().seconds
    // Seconds of a Double are rounded.
    #expect((before - 1e-6...monotonicSeconds() + 1e-6).contains(moment))
  }

  @Test("Without passed sockets there are none")
  func nothingPassed() throws {
    #expect(try ServiceManager.passedSockets().isEmpty)
  }

  @Test("A passed socket knows its address")
  func place() throws {
    let folder = try TemporaryFolder()
    let listener = try UnixSocket.listen(path: folder.file("a"), mode: 0o600, backlog: 1)
    let passed = PassedSocket(name: "rpc", listener: listener)
    #expect(passed.listens(at: folder.file("a")))
    #expect(!passed.listens(at: folder.file("b")))
    #expect(!passed.listens(at: folder.file("aa")))
  }
}
